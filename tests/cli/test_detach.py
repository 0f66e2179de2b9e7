"""`metier run --detach`: the task's id at once, the work in a process of its own, and questions that wait."""

from pathlib import Path

from .conftest import NAMED, Lingering, Project


def test_id_comes_at_once(project: Project) -> None:
    """The id stands alone on standard output, and what to do next on standard error."""
    ran = project.run("run", "greet", "--detach")
    assert (ran.code, ran.out) == (0, f"{project.task()}\n")
    assert f"metier show {project.task()}" in ran.err
    assert "metier proposals" in ran.err


def test_question_waits_on_the_record(project: Project) -> None:
    """Whatever must be asked waits; nothing ran, and nothing is left of the process that asked."""
    project.run("run", "greet", "--detach")
    project.until("Waiting")
    (proposal,) = project.proposals()
    assert (proposal["state"], "model.py" in proposal["words"]) == ("Pending", True)
    assert project.receipt()["calls"]["done"] == 0


def test_yes_beforehand_goes_along(project: Project) -> None:
    """With --yes nothing is asked, and the task is done in the background; its log is empty and goes."""
    task = project.run("run", "greet", "--detach", "--yes", "--json").json["task"]
    project.until("Done")
    assert (project.task(), project.receipt()["result"]) == (task, "I greeted.")
    assert list((project.folder / ".metier" / "record.sqlite.tasks").glob("*.log")) == []


def test_it_outlives_its_command(lingering: Lingering) -> None:
    """The work goes on after the command has ended, and can be stopped by the task's id."""
    project = lingering.project
    task = project.run("run", "wait", "--detach", "--yes", "--model", NAMED).out.strip()
    lingering.at_work()
    assert project.stands() == "Running"
    assert project.run("stop", task).code == 0
    assert project.stands() == "Stopped"


def test_project_goes_along(project: Project, tmp_path: Path) -> None:
    """From another folder, the process in the background works for the same project."""
    elsewhere = Project(tmp_path, project.env)
    ran = elsewhere.run("--project", "project", "run", "greet", "--detach", "--yes")
    assert ran.code == 0
    project.until("Done")


def test_input_and_files_go_along(demo: Project) -> None:
    """Files are on the record before the command ends, so they may change afterwards."""
    demo.run("run", "expense-report", "--file", "examples/expenses.csv", "--detach", "--yes")
    (demo.folder / "examples" / "expenses.csv").write_text("", encoding="utf-8")
    demo.until("Done")
    assert demo.receipt()["result"]["total"] == "3622.31"


def test_me_cannot_be_left(project: Project) -> None:
    """The model `me` sits at the terminal, so --detach with it is an error, and no task is made."""
    ran = project.run("run", "greet", "--detach", "--model", "me")
    assert (ran.code, ran.out) == (2, "")
    assert "--detach" in ran.err
    assert "hint:" in ran.err
    assert project.run("tasks", "--json").json == []


def test_unpriced_goes_along(project: Project) -> None:
    """--unpriced is kept with the task."""
    text = (project.folder / "model.py").read_text(encoding="utf-8")
    (project.folder / "model.py").write_text(f"{text}model.price = None\n", encoding="utf-8")
    project.run("run", "greet", "--detach", "--yes", "--unpriced")
    project.until("Done")


def test_wrong_task_is_told_at_once(project: Project) -> None:
    """A skill that is not there is an error before anything is put on the record."""
    assert project.run("run", "gret", "--detach").code == 3
    assert not (project.folder / ".metier" / "record.sqlite.tasks").exists()


def test_refusal_names_detach(project: Project) -> None:
    """Without a terminal, and without --detach, the task still ends Refused, and is told both ways out."""
    ran = project.run("run", "greet")
    assert ran.code == 8
    assert all(word in ran.out for word in ("--yes", "--detach"))
