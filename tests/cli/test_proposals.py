"""`metier proposals`, `approve` and `decline`: any process answers what a task asks, once, with other arguments if need be."""

from typing import Any

import pytest

from .conftest import NAMED, QUESTION, Lingering, Project, runs_go

TURNED = chr(0x202E)
"""It turns what follows from right to left."""
EVIL = f"evil\x1b[2J{TURNED}name"
STUCK = [f"Says.tool('nothing{number}')" for number in range(3)]


@pytest.fixture
def asked(project: Project) -> dict[str, Any]:
    """The proposal of a task that waits for a yes to its script."""
    project.run("run", "greet", "--detach", "--model", NAMED)
    project.until("Waiting")
    (proposal,) = project.proposals()
    return proposal


def test_nothing_waits(empty: Project) -> None:
    """Where nothing waits it says so, and makes no record."""
    assert empty.run("proposals").out == "Nothing waits for an answer.\n"
    assert empty.proposals() == []
    assert not (empty.folder / ".metier").exists()


def test_it_is_told_whole(project: Project, asked: dict[str, Any]) -> None:
    """A proposal is told as a person at the terminal reads it, with its age and the commands that answer it."""
    told = project.run("proposals").out
    assert told.startswith(f"{asked['id']}  ")
    assert " ago  greet\n" in told
    assert "the script scripts/go.py of the skill skills:greet may run" in " ".join(told.split())
    assert "It runs code." in told
    for command in (f"metier approve {asked['id']}", "--subject", f"metier decline {asked['id']}"):
        assert command in told


def test_json_has_everything(project: Project, asked: dict[str, Any]) -> None:
    """As JSON it has its arguments, effects, schema, state and moments."""
    assert (asked["state"], asked["effects"], asked["reply"]) == ("Pending", ["runs"], None)
    assert {"arguments", "parameters", "subject", "made", "task", "call_id", "unknown"} <= asked.keys()
    assert project.proposals(asked["task"]) == [asked]


def test_yes_from_another_process(project: Project, asked: dict[str, Any]) -> None:
    """A yes is on the record with who gave it, and how the task goes on is told; it is carried out once."""
    ran = project.run("approve", asked["id"])
    assert ran.code == 0
    assert ran.out.startswith(f"Yes by mara to {asked['id']}: ")
    assert f"metier resume {asked['task']}" in ran.out
    assert project.run("resume", asked["task"]).code == 0
    receipt = project.receipt()
    assert (receipt["calls"]["approved"], receipt["approvals"][0]["by"]) == (1, "mara")


def test_only_the_first_counts(project: Project, asked: dict[str, Any]) -> None:
    """A second answer is refused with what the first one was."""
    assert project.run("decline", asked["id"], "--reason", "not today").code == 0
    ran = project.run("approve", asked["id"])
    assert (ran.code, "Declined, answered by mara" in ran.err) == (4, True)
    told = project.run("proposals", "--all").out
    assert "Declined, no by mara: not today" in told


def test_model_is_told_the_reason(project: Project, asked: dict[str, Any]) -> None:
    """A no is told to the model, with its reason, and the task goes on (O87)."""
    project.run("decline", asked["id"], "--reason", "not today")
    ran = project.run("resume", asked["task"])
    assert (ran.code, "not today" in ran.err) == (0, True)
    assert project.receipt()["calls"]["declined"] == 1


def test_edited_arguments_run(project: Project) -> None:
    """The arguments as the person edits them are what runs, and both forms are kept (O86)."""
    project.skill("tell", script="import sys; print(sys.argv[1:])\n")
    project.model(runs_go("tell", "old"), "Says.text('told')")
    project.run("run", "tell", "--detach", "--model", NAMED)
    project.until("Waiting")
    (asked,) = project.proposals()
    ran = project.run("approve", asked["id"], "--set", 'args=["new"]')
    assert 'args: ["new"]' in ran.out.replace("'", '"')
    assert 'was: ["old"]' in ran.out.replace("'", '"')
    assert project.run("resume", asked["task"]).code == 0
    (kept,) = project.proposals("--all")
    assert (kept["arguments"]["args"], kept["reply"]["arguments"]["args"]) == (["old"], ["new"])
    told = project.run("proposals", "--all").out
    assert "Done, yes by mara" in told
    assert "was: ['old']" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--set", "args"], "Write --set NAME=JSON"),
        (["--set", "args=new"], "is no JSON"),
        (["--arguments", "[1]"], "one JSON object"),
        (["--arguments", "{"], "is no JSON"),
    ],
)
def test_wrong_edits_are_usage(project: Project, asked: dict[str, Any], words: list[str], said: str) -> None:
    """An edit that cannot be read says what to write, and the proposal waits on."""
    ran = project.run("approve", asked["id"], *words)
    assert (ran.code, said in ran.err) == (2, True)
    assert [one["state"] for one in project.proposals()] == ["Pending"]


def test_edits_must_fit(project: Project, asked: dict[str, Any]) -> None:
    """Arguments that do not fit the schema are refused, and the proposal waits on."""
    ran = project.run("approve", asked["id"], "--arguments", '{"args": 7}')
    assert (ran.code, "do not fit" in ran.err) == (4, True)
    assert len(project.proposals()) == 1


def test_wider_yes(project: Project) -> None:
    """With --subject all scripts of the skill may run until the task ends; without it each is asked for."""
    project.model(runs_go("greet", "once"), runs_go("greet", "twice"), "Says.text('I greeted.')")
    for words, code in ((["--subject"], 0), ([], 11)):
        project.run("run", "greet", "--detach", "--model", NAMED)
        project.until("Waiting")
        (asked,) = project.proposals("last")
        project.run("approve", asked["id"], *words)
        assert project.run("resume", asked["task"]).code == code


def test_unknown_call_takes_no_edits(lingering: Lingering) -> None:
    """A call that was cut is answered by yes or no alone; a no says what somebody knows of it."""
    project = lingering.project
    task = lingering.cut()
    project.run("resume", task)
    (asked,) = project.proposals()
    assert project.run("approve", asked["id"], "--set", "args=[]").code == 2
    assert project.run("approve", asked["id"], "--subject").code == 2
    ran = project.run("decline", asked["id"], "--reason", "it had waited")
    assert "the call is left as it is" in ran.out
    assert project.run("resume", task).code == 0


def test_help_needs_words(project: Project) -> None:
    """A stuck job asks for help: a yes without words is refused, and the words are told to the model (O27, O31)."""
    project.model(*STUCK, "Says.text('I see.')")
    project.run("run", "greet", "--detach", "--model", NAMED)
    project.until("Waiting")
    (asked,) = project.proposals()
    assert "A job asks for help" in project.run("proposals").out
    assert "--reason TEXT" in project.run("approve", asked["id"]).err
    assert project.run("approve", asked["id"], "--reason", "there is no such tool").code == 0
    ran = project.run("resume", asked["task"])
    assert (ran.code, ran.out.splitlines()[0]) == (0, "I see.")


@pytest.mark.parametrize(("line", "code"), [("there is no such tool", 0), ("", 1)])
def test_help_at_a_terminal(project: Project, line: str, code: int) -> None:
    """At a terminal the person writes the help; nothing ends the job."""
    project.model(*STUCK, "Says.text('I see.')")
    screen = project.screen("run", "greet", "--model", NAMED)
    screen.answer("Your help (nothing ends the job): ", line)
    assert screen.end() == code


def test_nothing_acts_on_the_terminal(project: Project) -> None:
    """What a model made up is shown without its controls."""
    project.model(runs_go("greet", EVIL), "Says.text('done')")
    project.run("run", "greet", "--detach", "--model", NAMED)
    project.until("Waiting")
    told = project.run("proposals").out + project.run("proposals", "--json").out + project.run("show", "last").out
    told += project.run("approve", project.proposals()[0]["id"]).out
    assert "\x1b" not in told
    assert TURNED not in told
    assert "evil" in told


def test_missing_and_shared_beginnings(project: Project, asked: dict[str, Any]) -> None:
    """The beginning of an id serves while it is one proposal's; an id that none has is told with near ones."""
    assert project.run("approve", "nothing").code == 4
    ran = project.run("approve", asked["id"][:-1] + "7")
    assert asked["id"] in ran.err
    assert project.run("approve", asked["id"][:14]).code == 0


def test_answer_from_elsewhere_ends_the_question(project: Project) -> None:
    """While a person is asked at a terminal, an answer from another process counts, and that task goes on by itself."""
    screen = project.screen("run", "greet", "--model", NAMED)
    screen.until(QUESTION)
    ran = project.run("approve", project.proposals()[0]["id"])
    assert "goes on by itself" in ran.out
    assert screen.end() == 0


def test_answer_as_json(project: Project, asked: dict[str, Any]) -> None:
    """As JSON an answer has the proposal and whether somebody goes on with the task."""
    told = project.run("approve", asked["id"], "--json").json
    assert (told["goes_on_by_itself"], told["go_on"]) == (False, asked["task"])
    assert told["proposal"]["state"] == "Approved"
