"""`metier stop`: a task is stopped wherever it runs, keeps what it has done, and can go on."""

from .conftest import NAMED, Lingering, Project


def test_it_stops_in_another_process(lingering: Lingering) -> None:
    """A task that runs elsewhere ends Stopped; its own command says so too, and its script is gone."""
    project = lingering.project
    process = project.start("run", "wait", "--yes", "--model", NAMED)
    lingering.at_work()
    ran = project.run("stop", "last")
    assert (ran.code, ran.out.splitlines()[0].startswith(f"Stopped: {project.task()}")) == (0, True)
    assert f"metier resume {project.task()}" in ran.out
    out, _ = process.communicate()
    assert (process.returncode, "Stopped: the task was stopped" in out) == (130, True)


def test_waiting_task_is_stopped(project: Project) -> None:
    """A task that waits is stopped too; what it asked is withdrawn, and its model is told should it go on."""
    project.run("run", "greet", "--detach", "--model", NAMED)
    project.until("Waiting")
    told = project.run("stop", "last", "--json").json
    assert (told["state"], told["stands"]["goes_on"]) == ("Stopped", [f"metier resume {told['id']}"])
    assert project.proposals() == []
    assert [one["state"] for one in project.proposals("--all")] == ["Withdrawn"]
    assert project.run("resume", "last").code == 0


def test_cut_task_is_stopped(lingering: Lingering) -> None:
    """A task whose process died is stopped by whoever asks; what is not known is told."""
    lingering.cut()
    ran = lingering.project.run("stop", "last")
    assert ran.code == 0
    assert "Of 1 calls it is not known whether they took effect" in ran.out


def test_ended_task_is_no_more_stopped(project: Project) -> None:
    """A task that has ended, and one that is not there, are errors of a task."""
    project.run("run", "greet", "--yes")
    ran = project.run("stop", "last")
    assert (ran.code, "has ended: Done" in ran.err) == (4, True)
    assert project.run("stop", "nothing").code == 4
