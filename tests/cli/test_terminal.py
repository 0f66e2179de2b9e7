"""A person at the terminal who is asked: what they read, what they may answer, and what their answer covers."""

import pytest

from .conftest import QUESTION, Project, runs_go
from .screen import CTRL_D

TWICE = (runs_go("greet", "once"), runs_go("greet", "twice"), "Says.text('I greeted.')")


def test_each_thing_is_asked_once(project: Project) -> None:
    """The model's code is asked for once, the skill's scripts once however often they run, and then it is done."""
    project.model(*TWICE)
    screen = project.screen("run", "greet")
    code = screen.answer(QUESTION, "y")
    assert "May this be done? the code model.py, which the project's metier.toml names, may be loaded" in code
    assert "with all your rights" in code
    scripts = screen.answer(QUESTION, "yes")
    assert "the script scripts/go.py of the skill skills:greet may run with once" in scripts
    assert "No confinement yet" in scripts
    assert "A yes covers, until this task ends: scripts of skill skills:greet@" in scripts
    assert screen.end() == 0
    assert screen.text.count(QUESTION) == 2
    assert [one["by"] for one in project.receipt()["approvals"]] == ["mara", "mara"]


@pytest.mark.parametrize("said", ["n", "", "nein", "Y E S"])
def test_anything_else_is_no(project: Project, said: str) -> None:
    """Only y and yes are a yes; a no to the model's code ends the task Refused, and nothing is kept."""
    screen = project.screen("run", "greet")
    screen.answer(QUESTION, said)
    assert screen.end() == 8
    assert "Refused: " in screen.text
    assert project.receipt()["reason"] == "declined"
    assert QUESTION in project.screen("run", "greet").until(QUESTION)


def test_model_reads_a_no(project: Project) -> None:
    """A no to a script is an answer to the model, and the task goes on."""
    screen = project.screen("run", "greet")
    screen.answer(QUESTION, "y")
    screen.answer(QUESTION, "n")
    assert screen.end() == 0
    assert "said no" in screen.text
    receipt = project.receipt()
    assert (receipt["state"], receipt["calls"]["declined"], receipt["calls"]["done"]) == ("Done", 1, 1)


def test_closed_input_refuses(project: Project) -> None:
    """Ctrl-D at a question is nobody's answer: the task ends Refused."""
    screen = project.screen("run", "greet")
    screen.until(QUESTION)
    screen.type(CTRL_D)
    assert screen.end() == 8
    assert "the terminal was closed before an answer came" in " ".join(screen.text.split())
    assert project.receipt()["reason"] == "nobody_to_ask"


def test_known_code_is_not_asked_again(project: Project) -> None:
    """A yes to the model's code holds while the file is what it was, and not a byte longer."""
    first = project.screen("run", "greet")
    first.answer(QUESTION, "y")
    first.answer(QUESTION, "y")
    assert first.end() == 0
    second = project.screen("run", "greet")
    assert "the script scripts/go.py" in second.answer(QUESTION, "y")
    assert (second.end(), second.text.count(QUESTION)) == (0, 1)
    with (project.folder / "model.py").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert "the code model.py" in project.screen("run", "greet").until(QUESTION)


def test_question_says_how_long(project: Project) -> None:
    """The question says how far a yes goes: for scripts until the task ends, for the model's code as long as it stands."""
    screen = project.screen("run", "greet")
    assert "until this task ends" not in screen.answer(QUESTION, "y")
    assert "until this task ends" in screen.answer(QUESTION, "y")
    assert screen.end() == 0


def test_yes_covers_one_task(project: Project) -> None:
    """A yes to a skill's scripts ends with its task; --yes beforehand asks for nothing."""
    screen = project.screen("run", "greet", "--yes")
    assert (screen.end(), screen.text.count(QUESTION)) == (0, 0)
    assert "asked: yes by --yes" in screen.text
    again = project.screen("run", "greet")
    assert "the script scripts/go.py" in again.until(QUESTION)


def test_tree_is_drawn(demo: Project) -> None:
    """On a terminal the calls stand as a tree with time, tokens and dollars, then the result, then the receipt."""
    screen = demo.screen("run", "expense-report", "--file", "examples/expenses.csv")
    screen.answer(QUESTION, "y")
    screen.answer(QUESTION, "y")
    assert screen.end() == 0
    lines = screen.text.splitlines()
    turn = next(line for line in lines if "turn 2" in line)
    assert all(word in turn for word in ("├─ ·", " s ", " in ", " out ", "$0.0"))
    assert any("│  ├─ ✓ run_skill_script expense-report/scripts/validate.py" in line for line in lines)
    assert any("│  │  ├─ ✓ expense-report/scripts/check.py" in line for line in lines)
    assert screen.text.index('"total": "3622.31"') < screen.text.index("Receipt")
    assert "\x1b[3" in screen.raw


def test_no_color_has_no_colours(project: Project) -> None:
    """With NO_COLOR set the terminal gets no colour."""
    screen = project.screen("run", "greet", "--yes", env={"NO_COLOR": "1"})
    assert screen.end() == 0
    assert "\x1b[3" not in screen.raw
    assert "├─ ✓ run_skill_script greet/scripts/go.py" in screen.text


def test_json_on_a_terminal(project: Project) -> None:
    """With --json a person is asked as ever, and the answer is JSON."""
    screen = project.screen("run", "greet", "--json")
    screen.answer(QUESTION, "y")
    screen.answer(QUESTION, "y")
    assert screen.end() == 0
    assert '"state": "Done"' in screen.text
    assert "turn 1" not in screen.text


def test_typed_ahead_is_no_answer(project: Project) -> None:
    """What was typed before a question was asked does not answer it."""
    screen = project.screen("run", "greet")
    screen.until(QUESTION)
    screen.type("y\ny\n")
    screen.answer(QUESTION, "n")
    assert screen.end() == 0
    assert project.receipt()["calls"]["declined"] == 1
