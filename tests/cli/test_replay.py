"""`metier replay`, `metier test-from` and `metier spend`: what a receipt says today, as a test, and as a sum."""

import subprocess
import sys

from .conftest import NAMED, Project, runs_go


def done(project: Project) -> str:
    """A task that ended; its id."""
    assert project.run("run", "greet", "--yes", "--model", NAMED).code == 0
    return project.task()


def test_what_has_not_changed_is_made_alike(project: Project) -> None:
    """Every request is made anew as it was; nothing is asked and nothing new is on the record."""
    task = done(project)
    ran = project.run("replay", "last")
    assert (ran.code, ran.out, ran.err) == (0, "2 requests are made as they were.\n", "")
    assert project.run("tasks", "--json").json[0]["id"] == task


def test_first_word_that_differs(project: Project) -> None:
    """A skill that has changed is told with the words then and now, and another exit code."""
    done(project)
    page = project.folder / "skills" / "greet" / "SKILL.md"
    page.write_text(page.read_text(encoding="utf-8").replace("Greets.", "Waves."), encoding="utf-8")
    ran = project.run("replay", "last")
    assert ran.code == 12
    assert ran.out.splitlines()[0] == "Request 1 of 2 differs in system:"
    assert ("Greets." in ran.out.splitlines()[1], "Waves." in ran.out.splitlines()[2]) == (True, True)
    assert project.run("replay", "last", "--json").json["difference"]["place"] == "system"


def test_task_becomes_a_test(project: Project) -> None:
    """The test is written beside a copy of the files, passes, and is not written over."""
    (project.folder / "note.txt").write_text("hello", encoding="utf-8")
    project.run("run", "greet", "--yes", "--model", NAMED, "--file", "note.txt")
    ran = project.run("test-from", "last")
    assert (ran.code, ran.out) == (0, "Written: tests/test_greet.py. Run it with: pytest tests/test_greet.py\n")
    assert (project.folder / "tests" / "test_greet_files" / "note.txt").read_text(encoding="utf-8") == "hello"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    played = subprocess.run(command, cwd=project.folder, env=project.env, check=False, capture_output=True, text=True)
    assert "1 passed" in played.stdout
    again = project.run("test-from", "last")
    assert (again.code, "is there already" in again.err) == (4, True)


def test_no_test_of_what_waits(project: Project) -> None:
    """A task that has not ended is no test yet, and the way out is told."""
    project.run("run", "greet", "--detach", "--model", NAMED)
    project.until("Waiting")
    ran = project.run("test-from", "last")
    assert (ran.code, "Give the task again" in ran.err) == (4, True)


def test_what_models_cost(project: Project) -> None:
    """Calls, tokens and dollars are summed by day, skill and model, or by what is asked for, with a total."""
    done(project)
    done(project)
    lines = project.run("spend", "--by", "skill").out.splitlines()
    assert [line.split()[:3] for line in lines] == [["greet", "4", "calls"], ["total", "4", "calls"]]
    (use,) = project.run("spend", "--json").json
    assert (use["skill"], use["model"], use["calls"], use["usage"]["input"]) == ("greet", "played", 4, 4)


def test_nothing_was_spent(project: Project) -> None:
    """Where no model was called it says so, and makes no record."""
    assert project.run("spend").out == "No model was called in the last 30 days.\n"
    assert not (project.folder / ".metier").exists()


def test_task_goes_on_from_a_step(project: Project) -> None:
    """A new task takes what came before from the record, and does what follows, with another model."""
    task = done(project)
    ran = project.run("replay", task, "--from", "2", "--model", NAMED, "--yes")
    assert ran.code == 0, ran.err
    new = project.task()
    assert new != task
    assert project.run("verify", new).code == 0
    assert project.receipt()["model_calls"] == 2


def test_step_that_is_not_there(project: Project) -> None:
    """The error says how many there are, and no task is begun."""
    task = done(project)
    ran = project.run("replay", task, "--from", "9", "--yes")
    assert (ran.code, "The task has 2 steps, and no step 9." in ran.err) == (4, True)
    assert project.task() == task


def test_model_is_for_going_on(project: Project) -> None:
    """A replay asks no model."""
    done(project)
    assert project.run("replay", "last", "--model", NAMED).code == 2


def test_old_yes_is_none_for_the_new_task(project: Project) -> None:
    """A yes to all scripts of a skill ends with the task that it was given in; what the new one asks waits on the record."""
    project.model(runs_go("greet"), runs_go("greet", "again"), "Says.text('Twice.')")
    task = done(project)
    ran = project.run("replay", task, "--from", "2", "--model", NAMED)
    assert ran.code == 11, ran.err
    (asked,) = project.proposals()
    assert (asked["task"], asked["arguments"]["args"]) == (project.task(), ["again"])
    assert project.task() != task
