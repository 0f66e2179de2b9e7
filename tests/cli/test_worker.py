"""`metier worker`: works on the tasks of the record until it is told to leave."""

import json
import signal

from .conftest import NAMED, Lingering, Project, wait_until


def given(project: Project, skill: str = "greet") -> str:
    """A task that waits for its first answer; its id."""
    project.run("run", skill, "--detach", "--model", NAMED)
    project.until("Waiting")
    return project.task()


def test_it_goes_on_by_itself(project: Project) -> None:
    """With a worker an answer is enough: the command says so, and the task ends; a line tells of it."""
    task = given(project)
    worker = project.start("worker")
    worker.stderr.readline()  # type: ignore[union-attr]  # it is a pipe
    ran = project.run("approve", project.proposals()[0]["id"])
    assert "A worker goes on with it." in ran.out
    project.until("Done")
    worker.send_signal(signal.SIGTERM)
    out, err = worker.communicate()
    assert worker.returncode == 0
    assert [line.split()[1:4] for line in out.splitlines()] == [["begun", task, "greet"], ["ended", task, "greet"]]
    assert err == "Left.\n"


def test_until_idle(project: Project) -> None:
    """With --until-idle it does what can be done and ends; then nobody is there any more."""
    given(project)
    project.run("approve", project.proposals()[0]["id"])
    ran = project.run("worker", "--until-idle")
    assert (ran.code, "Done (answered)" in ran.out) == (0, True)
    given(project)
    assert "metier resume" in project.run("approve", project.proposals()[0]["id"]).out
    assert project.run("worker", "--until-idle", "--at-once", "1").code == 0
    assert project.stands() == "Done"


def test_lines_of_json(project: Project) -> None:
    """With --json each line is a document."""
    task = given(project)
    project.run("approve", project.proposals()[0]["id"])
    lines = [json.loads(line) for line in project.run("worker", "--until-idle", "--json").out.splitlines()]
    assert [(line["what"], line["task"], line["state"]) for line in lines] == [
        ("begun", task, "Running"),
        ("ended", task, "Done"),
    ]


def test_pause_says_what_is_asked(project: Project) -> None:
    """A task that comes to a question is paused, with the command that answers it."""
    project.run("run", "greet", "--detach")
    project.until("Waiting")
    project.run("approve", project.proposals()[0]["id"])
    ran = project.run("worker", "--until-idle")
    assert "paused" in ran.out
    assert f"metier approve {project.proposals()[0]['id']}" in ran.out


def test_second_signal_cuts(lingering: Lingering) -> None:
    """The first signal waits for the next step; the second cuts, and the task goes on with the next worker."""
    project = lingering.project
    given(project, "wait")
    project.run("approve", project.proposals()[0]["id"])
    worker = project.start("worker")
    lingering.at_work()
    worker.send_signal(signal.SIGINT)
    wait_until(lambda: "Leaving" in (worker.stderr.readline() or ""), "it leaves")  # type: ignore[union-attr]  # a pipe
    assert worker.poll() is None
    worker.send_signal(signal.SIGINT)
    assert worker.wait() == 0
    assert project.stands() == "Ready"


def test_cut_task_is_taken_up(lingering: Lingering) -> None:
    """A task whose process was killed is taken up by a worker; what is not known is asked, never repeated."""
    lingering.cut()
    project = lingering.project
    ran = project.run("worker", "--until-idle")
    assert (ran.code, "paused" in ran.out) == (0, True)
    assert [one["unknown"] for one in project.proposals()] == [True]


def test_two_never_share_a_task(project: Project) -> None:
    """Two workers of one record: each task is begun once."""
    tasks = [given(project) for _ in range(3)]
    for proposal in project.proposals():
        project.run("approve", proposal["id"])
    workers = [project.start("worker", "--until-idle", "--json") for _ in range(2)]
    lines = [json.loads(line) for one in workers for line in one.communicate()[0].splitlines()]
    assert sorted(line["task"] for line in lines if line["what"] == "begun") == sorted(tasks)
