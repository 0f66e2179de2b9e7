"""`metier resume`: a task that waits, was stopped or was cut goes on, by whichever process."""

import signal

from .conftest import NAMED, QUESTION, Lingering, Project, runs_go
from .screen import CTRL_C, CTRL_D

REFUSES = """print('{"accepted": false, "reason": "not good"}')"""
ASKED_AGAIN = "May this be done again?"


def waiting(project: Project) -> str:
    """A task that waits for a yes to its script; its id."""
    project.run("run", "greet", "--detach", "--model", NAMED)
    project.until("Waiting")
    return project.task()


def test_person_answers_and_it_ends(project: Project) -> None:
    """At a terminal the person is asked what waits, the task ends, and its account tells of both runs."""
    task = waiting(project)
    screen = project.screen("resume", task)
    assert "the script scripts/go.py" in screen.answer(QUESTION, "y")
    assert screen.end() == 0
    assert f"greet  task {task}" in screen.text
    assert "it goes on from here" in screen.text
    assert "I greeted." in screen.text
    assert (project.receipt()["runs"], project.receipt()["cut"]) == (2, 0)


def test_closed_terminal_leaves_it_waiting(project: Project) -> None:
    """Ctrl-D at a question leaves it on the record: 11, and it waits as before."""
    waiting(project)
    screen = project.screen("resume", "last")
    screen.until(QUESTION)
    screen.type(CTRL_D)
    assert screen.end() == 11
    assert [one["state"] for one in project.proposals()] == ["Pending"]


def test_break_off_stops_it(project: Project) -> None:
    """Ctrl-C stops the task, with its account and how to go on."""
    task = waiting(project)
    screen = project.screen("resume", task)
    screen.until(QUESTION)
    screen.type(CTRL_C)
    assert screen.end() == 130
    assert f"metier resume {task}" in screen.text
    assert project.stands() == "Stopped"


def test_without_a_terminal_it_waits_on(project: Project) -> None:
    """Where nobody sits the question stays, and the exit code says that somebody is waited for."""
    task = waiting(project)
    ran = project.run("resume", task)
    assert (ran.code, "Waiting: it waits for an answer" in ran.out) == (11, True)
    assert f"metier approve {project.proposals()[0]['id']}" in ran.out
    assert project.run("resume", task, "--json").json["stands"]["word"] == "Waiting"


def test_yes_beforehand(project: Project) -> None:
    """--yes answers what waits."""
    ran = project.run("resume", waiting(project), "--yes")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "I greeted.")


def test_stopped_task_goes_on(project: Project) -> None:
    """A stopped task is asked anew, and ends."""
    task = waiting(project)
    project.run("stop", task)
    assert project.run("resume", task, "--yes").code == 0


def test_cut_call_is_asked_about(lingering: Lingering) -> None:
    """After a kill in the middle of a script --yes does not repeat it: it is asked about, in plain words."""
    task, project = lingering.cut(), lingering.project
    assert project.stands() == "cut"
    ran = project.run("resume", task, "--yes")
    assert ran.code == 11
    (proposal,) = project.proposals()
    assert proposal["unknown"] is True
    told = project.run("proposals").out
    assert all(word in told for word in (ASKED_AGAIN, "nobody knows", "A yes lets it be done again", "A no leaves it"))
    assert "1 of them cut by the end of its process" in ran.out


def test_person_lets_it_be_made_again(lingering: Lingering) -> None:
    """A yes at the terminal makes the call again, and the account says how it was settled."""
    task, project = lingering.cut(), lingering.project
    screen = project.screen("resume", task)
    assert ASKED_AGAIN in screen.answer(QUESTION, "y")
    assert screen.end() == 0
    assert "it is made again" in screen.text
    assert f"1 cut call by {task}.p" in project.run("show", task).out
    assert project.receipt()["calls"]["unknown"] == 1


def test_person_leaves_it(lingering: Lingering) -> None:
    """A no leaves the call unknown; the model is told, and the task goes on."""
    task, project = lingering.cut(), lingering.project
    screen = project.screen("resume", task)
    screen.answer(QUESTION, "n")
    assert screen.end() == 0
    assert "1 UNKNOWN" in project.run("show", task).out


def test_all_that_can_go_on(project: Project) -> None:
    """Without a task all go on that need no answer, one after another; then there is none, and that is said."""
    waiting(project)
    for proposal in project.proposals():
        project.run("approve", proposal["id"])
    project.run("run", "greet", "--detach", "--model", NAMED)
    project.until("Waiting")
    ran = project.run("resume")
    assert (ran.code, ran.out.count("I greeted.")) == (0, 1)
    ran = project.run("resume")
    assert (ran.code, ran.out.startswith("No task can go on just now.")) == (0, True)
    assert "metier proposals" in ran.out
    assert project.run("resume", "--json").json == []


def test_all_with_one_that_cannot(project: Project) -> None:
    """A task whose model is gone is told, with its cure, and waits; the others go on all the same."""
    (project.folder / "gone.py").write_bytes((project.folder / "model.py").read_bytes())
    first = waiting(project)
    project.run("run", "greet", "--detach", "--model", "python:gone.py:model")
    project.until("Waiting")
    for proposal in project.proposals():
        project.run("approve", proposal["id"])
    (project.folder / "gone.py").unlink()
    ran = project.run("resume")
    assert (ran.code, "I greeted." in ran.out) == (2, True)
    assert "There is no file" in ran.err
    told = project.run("show", "last").out
    assert "waits for somebody who mends that" in told
    assert "Mend the model's setting" in " ".join(told.replace("│", "").split())
    assert project.run("show", first, "--json").json["state"] == "Done"


def test_ended_task_is_refused(project: Project) -> None:
    """A task that is done, and one that is not there, are errors of a task."""
    project.run("run", "greet", "--yes")
    ran = project.run("resume", "last")
    assert (ran.code, "has ended: Done" in ran.err) == (4, True)
    assert project.run("resume", "nothing").code == 4


def test_taken_task_is_refused(lingering: Lingering) -> None:
    """While another process works on a task it cannot be resumed."""
    process = lingering.project.start("run", "wait", "--yes", "--model", NAMED)
    lingering.at_work()
    ran = lingering.project.run("resume", "last")
    assert (ran.code, "Another process works on the task" in ran.err) == (4, True)
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130


def test_best_result_comes_with_the_end(project: Project) -> None:
    """At a limit the best result so far comes with the reason, and is marked as not accepted."""
    folder = project.folder / "skills" / "greet"
    head = '[job]\nhands_back = "out.json"\ncheck = "scripts/no.py"\n[job.stop]\nmax_turns = 2\n'
    (folder / "skill.toml").write_text(head, encoding="utf-8")
    (folder / "out.json").write_text('{"type": "object", "properties": {"n": {"type": "integer"}}}', encoding="utf-8")
    (folder / "scripts" / "no.py").write_text(REFUSES, encoding="utf-8")
    project.model("Says.hand_back({'n': 1})", "Says.hand_back({'n': 2})")
    ran = project.run("run", "greet", "--yes")
    assert (ran.code, project.receipt()["reason"]) == (1, "max_turns")
    assert '"n": 2' in ran.out
    assert "NOT accepted: the best so far" in ran.out
    assert "best result so far" in ran.err
    assert "NOT accepted" in project.run("show", "last", "--result").err


def test_script_is_not_run_twice(project: Project) -> None:
    """What came out before a wait is not done again when the task goes on."""
    count = project.folder / "count"
    project.skill("mark", script=f"open({str(count)!r}, 'a', encoding='utf-8').write('x')\n")
    project.model(runs_go("mark"), runs_go("greet"), "Says.text('done')")
    project.run("run", "say both", "--detach", "--model", NAMED)
    project.until("Waiting")
    project.run("approve", project.proposals()[0]["id"])
    assert project.run("resume").code == 11
    assert project.run("resume", "last", "--yes").code == 0
    assert count.read_text(encoding="utf-8") == "x"
