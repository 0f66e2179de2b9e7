"""`metier run` without a terminal: what it refuses, what it prints where, and what it takes as input."""

import json

import pytest

from .conftest import Project, runs_go

TYPED = """\
[job]
takes = "takes.json"
"""
TAKES = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}


@pytest.fixture
def counting(project: Project) -> Project:
    """The project with a skill `count`, a job that takes a number; its model only answers."""
    folder = project.skill("count")
    (folder / "skill.toml").write_text(TYPED, encoding="utf-8")
    (folder / "takes.json").write_text(json.dumps(TAKES), encoding="utf-8")
    project.model("Says.text('counted')")
    return project


def test_nobody_to_ask_refuses(project: Project) -> None:
    """Without a terminal and without --yes the task ends Refused, naming --yes, and no script ran."""
    marker = project.folder / "ran"
    project.skill("mark", script=f"open({str(marker)!r}, 'w', encoding='utf-8').close()\n")
    project.model(runs_go("mark"), "Says.text('done')")
    ran = project.run("run", "mark", "--model", "python:model.py:model")
    assert (ran.code, marker.exists()) == (8, False)
    assert "Refused: there is nobody to ask" in ran.out
    assert "--yes" in ran.out
    receipt = project.receipt()
    assert (receipt["state"], receipt["reason"], receipt["result"]) == ("Refused", "nobody_to_ask", None)
    assert project.run("run", "mark", "--yes").code == 0
    assert marker.exists()


def test_code_of_model_is_not_loaded(project: Project) -> None:
    """The code that metier.toml names is not loaded while nobody has said yes to it."""
    (project.folder / "model.py").write_text("open('loaded', 'w', encoding='utf-8').close()\n", encoding="utf-8")
    ran = project.run("run", "greet")
    assert ran.code == 8
    assert "model.py" in ran.out
    assert not (project.folder / "loaded").exists()


def test_demo_runs_with_yes(demo: Project) -> None:
    """With --yes the example does its job: lines on standard error, result and receipt on standard output."""
    ran = demo.run("run", "expense-report", "--file", "examples/expenses.csv", "--yes")
    assert ran.code == 0
    result, end = json.JSONDecoder().raw_decode(ran.out)
    assert (result["total"], result["wrong"], len(result["wrong_rows"])) == ("3622.31", 15, 15)
    receipt = ran.out[end:]
    assert "Done" in receipt
    assert "SCRIPTED: a script answered in a model's place" in receipt
    assert "No confinement yet" in receipt
    assert "yes by --yes to scripts of skill" in receipt
    assert "1 sent back" in receipt


def test_lines_tell_the_work(demo: Project) -> None:
    """Each call is a plain line on standard error, with its time, and each turn with tokens and dollars."""
    lines = demo.run("run", "expense-report", "--file", "examples/expenses.csv", "--yes").err.splitlines()
    assert "\x1b" not in "".join(lines)
    (turn,) = (line for line in lines if "turn 2" in line)
    assert all(word in turn for word in (" s ", " in ", " out ", "$0.0"))
    check = next(line for line in lines if "scripts/check.py" in line)
    assert check.startswith("│  │  ├─ ✓")
    assert any("sent back:" in line and "wrong rows" in line for line in lines)
    assert sum("asked: yes by --yes" in line for line in lines) == 2


def test_json_is_one_document(demo: Project) -> None:
    """With --json standard output is the receipt as one JSON document, and standard error is silent."""
    ran = demo.run("run", "expense-report", "--file", "examples/expenses.csv", "--yes", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert (ran.json["state"], ran.json["scripted"], ran.json["result"]["total"]) == ("Done", True, "3622.31")


def test_json_of_a_refusal(project: Project) -> None:
    """A refused task has its JSON and its exit code too."""
    ran = project.run("run", "greet", "--json")
    assert (ran.code, ran.json["state"], ran.err) == (8, "Refused", "")


def test_result_comes_before_receipt(project: Project) -> None:
    """The result of a guide is its words, alone on the first line."""
    ran = project.run("run", "greet", "--yes")
    assert ran.code == 0
    assert ran.out.splitlines()[0] == "I greeted."


@pytest.mark.parametrize("words", [["say something"], ["--task", "something"]], ids=["space", "option"])
def test_free_words_are_a_task(project: Project, words: list[str]) -> None:
    """Words with a space, or those of --task, are a task of their own."""
    project.model("Says.text('said')")
    ran = project.run("run", *words, "--yes")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "said")
    assert project.receipt()["skill"]["name"] == "task"


@pytest.mark.parametrize("words", [[], [""], ["--task", ""], ["greet", "--task", "a b"]])
def test_one_thing_is_named(project: Project, words: list[str]) -> None:
    """Neither a skill nor a task, an empty one, or both, is an error of usage."""
    ran = project.run("run", *words)
    assert ran.code == 2
    assert "Name a skill, or give a task with --task" in ran.err


def test_path_names_a_skill(project: Project) -> None:
    """A skill is found by the path of its folder."""
    assert project.run("run", "skills/greet", "--yes").code == 0
    assert project.run("run", "./skills/nothing", "--yes").code == 3


def test_input_is_json_or_file(counting: Project) -> None:
    """The input is JSON, or a file that holds it, or what comes on standard input."""
    (counting.folder / "seven.json").write_text('{"n": 7}', encoding="utf-8")
    digests = []
    for given in ('{"n": 7}', "seven.json", "-"):
        assert counting.run("run", "count", "--input", given, "--yes", stdin='{"n": 7}').code == 0
        digests.append(counting.receipt()["input_digest"])
    assert len(set(digests)) == 1


def test_unreadable_input_says_so(counting: Project) -> None:
    """A file of input that is no UTF-8 is an error of input in words."""
    (counting.folder / "bad.json").write_bytes(b"\xff\xfe{")
    ran = counting.run("run", "count", "--input", "bad.json", "--yes")
    assert (ran.code, ran.err.splitlines()[0].endswith("[M301]")) == (4, True)
    assert "bad.json" in ran.err


def test_input_may_be_text(project: Project) -> None:
    """A guide takes text as it is typed."""
    project.model("Says.text('taken')")
    assert project.run("run", "greet", "--input", "hello there", "--yes").code == 0


def test_broken_json_is_refused(counting: Project) -> None:
    """Broken JSON where JSON is taken is refused before anything is spent."""
    ran = counting.run("run", "count", "--input", '{"n": ', "--yes")
    assert (ran.code, "Traceback" in ran.err) == (4, False)
    assert "JSON" in ran.err


@pytest.mark.parametrize("number", ["7", "true", "007"])
def test_number_stays_a_text(project: Project, number: str) -> None:
    """What a guide is given is text, also when it could be read as a number."""
    project.model("Says.text('taken')")
    ran = project.run("run", "greet", "--input", number, "--yes")
    assert (ran.code, ran.err.count("error:")) == (0, 0)


def test_wrong_input_says_why(counting: Project) -> None:
    """An input that does not fit names the member and what was expected, and no task is made."""
    ran = counting.run("run", "count", "--input", '{"n": "seven"}', "--yes")
    assert ran.code == 4
    assert 'n: expected integer, got string "seven"' in ran.err
    assert counting.run("tasks", "--json").json == []


def test_missing_file_says_so(demo: Project) -> None:
    """A file that is not there, or not given, is an error of input with a hint."""
    ran = demo.run("run", "expense-report", "--file", "nothing.csv", "--yes")
    assert (ran.code, ran.err.splitlines()[0]) == (4, "error: There is no file 'nothing.csv'. [M301]")
    ran = demo.run("run", "expense-report", "--yes")
    assert ran.code == 4
    assert "--file" in ran.err


def test_no_model_names_what_serves(empty: Project) -> None:
    """Without a model the error says which settings would serve, `me` among them."""
    empty.skill("greet")
    ran = empty.run("run", "skills/greet", "--yes")
    assert ran.code == 2
    assert "[M101]" in ran.err
    assert "hint:" in ran.err
    assert all(word in ran.err for word in ("--model me", "METIER_MODEL", "metier.toml", "python:FILE:NAME"))


def test_me_needs_a_terminal(project: Project) -> None:
    """The model `me` without a terminal is an error of set-up."""
    ran = project.run("run", "greet", "--model", "me", "--yes")
    assert ran.code == 2
    assert "needs a terminal" in ran.err


def test_near_skill_is_named(demo: Project) -> None:
    """A skill that is not there is told with a near name."""
    ran = demo.run("run", "expense-reprot", "--yes")
    assert ran.code == 3
    assert "expense-report" in ran.err


def test_broken_model_fails_the_task(project: Project) -> None:
    """A model whose code breaks ends the task, or the command, with a clear error and no traceback."""
    (project.folder / "model.py").write_text("1 / 0\n", encoding="utf-8")
    ran = project.run("run", "greet", "--yes")
    assert ran.code in (1, 2)
    assert "ZeroDivisionError" in ran.out + ran.err
    assert "Traceback" not in ran.err


def test_leaving_model_ends_the_task(project: Project) -> None:
    """A model's code that leaves by itself is a model that broke: the task has an end, and the command says so."""
    (project.folder / "model.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    ran = project.run("run", "greet", "--yes")
    assert ran.code == 1
    assert "SystemExit" in ran.out + ran.err
    assert project.receipt()["state"] == "Failed"


def test_failed_task_exits_one(project: Project) -> None:
    """A task that fails exits 1 and its receipt says why."""
    project.model("Says.error('the line is dead')")
    ran = project.run("run", "greet", "--yes")
    assert ran.code == 1
    assert "the line is dead" in " ".join(ran.out.split())


def test_unpriced_model_needs_a_word(project: Project) -> None:
    """A model without a price is refused, unless --unpriced allows it, and then the receipt tells."""
    text = (project.folder / "model.py").read_text(encoding="utf-8")
    (project.folder / "model.py").write_text(f"{text}model.price = None\n", encoding="utf-8")
    ran = project.run("run", "greet", "--yes")
    assert ran.code == 8
    assert "--unpriced" in ran.out
    ran = project.run("run", "greet", "--yes", "--unpriced")
    assert ran.code == 0
    assert "not known" in ran.out


def test_record_folder_cannot_be_made(project: Project) -> None:
    """Where the record cannot be kept the command says so and exits 7."""
    (project.folder / ".metier").write_text("a file, not a folder", encoding="utf-8")
    ran = project.run("run", "greet", "--yes")
    assert ran.code == 7
    assert ".metier" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.needs("setpriv")
def test_folder_may_only_be_read(project: Project) -> None:
    """In a folder that may only be read the command says that no record can be kept, and exits 7."""
    ran = project.locked("run", "greet", "--yes")
    assert (ran.code, ran.out) == (7, "")
    assert [line.split(": ")[0] for line in ran.err.splitlines()] == ["error", "hint"]
    assert ".metier" in ran.err


def test_script_sees_given_file(project: Project) -> None:
    """A file is copied for scripts; the person's own stays as it was."""
    project.skill("write", script="open('mine.txt', 'a+', encoding='utf-8').write('x')\n")
    (project.folder / "mine.txt").write_text("mine", encoding="utf-8")
    project.model(runs_go("write"), "Says.text('done')")
    assert project.run("run", "write", "--file", "mine.txt", "--yes").code == 0
    assert (project.folder / "mine.txt").read_text(encoding="utf-8") == "mine"
