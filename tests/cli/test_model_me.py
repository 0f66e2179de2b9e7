"""`--model me`: a person plays the model and sees exactly what a model would be sent."""

from collections.abc import Callable

from .conftest import QUESTION, Project
from .screen import CTRL_D, Screen

Me = Callable[..., Screen]
ANSWER = "Answer in words, or type a tool's number: "


def typed(project: Project) -> None:
    """Make `greet` a job that hands back an object."""
    (project.folder / "skills" / "greet" / "skill.toml").write_text(
        '[job]\nhands_back = "out.json"\n', encoding="utf-8"
    )
    schema = (
        '{"type": "object", "properties": {"n": {"type": "integer", "description": "How many"}}, "required": ["n"]}'
    )
    (project.folder / "skills" / "greet" / "out.json").write_text(schema, encoding="utf-8")


def place_of(tool: str, shown: str) -> str:
    """The number that a tool is listed under."""
    (line,) = (line for line in shown.splitlines() if f". {tool} - " in line)
    return line.split(".")[0].strip()


def test_person_sees_all(me: Me) -> None:
    """The system prompt, the task and the tools are shown, then the person is asked."""
    shown = me("greet").until(ANSWER)
    assert "--- system ---" in shown
    assert "- greet: " in shown
    assert "--- task ---\nDo the job of the skill greet: Greets." in shown
    assert all(f". {tool} - " in shown for tool in ("load_skill", "run_skill_script"))


def test_words_are_the_result(me: Me, project: Project) -> None:
    """Words answer a job of text, and cost nothing."""
    screen = me("greet")
    screen.answer(ANSWER, "good morning, Zoë")
    assert screen.end() == 0
    receipt = project.receipt()
    assert (receipt["result"], receipt["model"], receipt["scripted"]) == ("good morning, Zoë", "me", False)


def test_tool_is_picked_and_filled(me: Me, project: Project) -> None:
    """A tool is picked by its number and filled argument by argument; its answer is shown, and the script asked for."""
    screen = me("greet")
    screen.type(place_of("run_skill_script", screen.until(ANSWER)) + "\n")
    screen.answer("skill_name: ", "greet")
    screen.answer("script_name: ", "scripts/go.py")
    screen.answer("a list of strings.) [may be empty]: ", '["a"]')
    assert "may run with a" in screen.answer(QUESTION, "y")
    assert "--- answer of run_skill_script ---\ngood morning" in screen.answer(ANSWER, "done")
    assert screen.end() == 0
    assert project.receipt()["calls"]["done"] == 1


def test_empty_argument_is_left_out(me: Me) -> None:
    """An argument that may be empty is left out when nothing is typed."""
    screen = me("greet", "--yes")
    screen.type(place_of("run_skill_script", screen.until(ANSWER)) + "\n")
    for question, said in (("skill_name", "greet"), ("script_name", "scripts/go.py"), ("[may be empty]: ", "")):
        screen.answer(question, said)
    assert "good morning" in screen.until(ANSWER)


def test_result_is_handed_back(me: Me, project: Project) -> None:
    """A typed job ends by hand_back; a result that does not fit comes back with the reason."""
    typed(project)
    screen = me("greet")
    place = place_of("hand_back", screen.until(ANSWER))
    screen.type(f"{place}\n")
    screen.answer("n (How many): ", "three")
    assert 'n: expected integer, got string "three"' in screen.until(ANSWER)
    screen.type(f"{place}\n")
    screen.answer("n (How many): ", "3")
    assert screen.end() == 0
    receipt = project.receipt()
    assert (receipt["result"], receipt["calls"]["sent_back"]) == ({"n": 3}, 1)


def test_words_do_not_end_a_typed_job(me: Me, project: Project) -> None:
    """Words where a result is due are answered by a request to hand back (case 063)."""
    typed(project)
    screen = me("greet")
    screen.answer(ANSWER, "it is three")
    assert "Call hand_back with the result now." in screen.until(ANSWER)


def test_wrong_number_asks_again(me: Me) -> None:
    """A number without a tool, and an empty line, ask again."""
    screen = me("greet")
    screen.answer(ANSWER, "99")
    assert "There is no tool 99." in screen.answer(ANSWER, "0")
    assert "There is no tool 0." in screen.answer(ANSWER, "")
    screen.answer(ANSWER, "well")
    assert screen.end() == 0


def test_end_of_input_fails(me: Me, project: Project) -> None:
    """Ctrl-D in the model's place ends the task Failed, as a model that failed, with a receipt."""
    screen = me("greet")
    screen.until(ANSWER)
    screen.type(CTRL_D)
    assert screen.end() == 1
    assert (project.receipt()["state"], project.receipt()["reason"]) == ("Failed", "model")
    assert "Traceback" not in screen.text
