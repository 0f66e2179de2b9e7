"""`metier tasks`: the tasks of the record."""

import json
import signal

from metier.domain.task import Waits
from metier.record import open_record

from .conftest import NAMED, Lingering, Project
from .screen import CTRL_C


def test_tasks_are_listed_newest_first(project: Project) -> None:
    """Each task stands on a line with its state, its reason and its skill, the newest first."""
    project.run("run", "greet")
    project.run("run", "greet", "--yes")
    lines = project.run("tasks").out.splitlines()
    assert [line.split()[-3:] for line in lines] == [
        ["Done", "answered", "greet"],
        ["Refused", "nobody_to_ask", "greet"],
    ]


def test_limit_is_kept(project: Project) -> None:
    """`--limit` lists at most so many, and takes no number below 1."""
    for _ in range(3):
        project.run("run", "greet")
    assert len(project.run("tasks", "--limit", "2").out.splitlines()) == 2
    assert len(project.run("tasks", "--limit", "2", "--json").json) == 2
    assert [project.run("tasks", "--limit", limit).code for limit in ("0", "-1", "x")] == [2, 2, 2]


def test_json_has_the_same(project: Project) -> None:
    """The same as JSON."""
    project.run("run", "greet", "--yes")
    (row,) = project.run("tasks", "--json").json
    assert (row["skill"], row["state"], row["reason"], row["giver"]) == ("greet", "Done", "answered", "mara")
    assert row["started"] < row["ended"]


def test_no_tasks_yet(empty: Project) -> None:
    """Without a task it says so, and makes no record for that."""
    ran = empty.run("tasks")
    assert (ran.code, ran.out) == (0, "No tasks yet.\n")
    assert empty.run("tasks", "--json").json == []
    assert not (empty.folder / ".metier").exists()


def test_what_is_waited_for(project: Project) -> None:
    """A task that waits says for what, and the cure stands beside the list."""
    project.run("run", "greet", "--detach", "--model", NAMED)
    project.until("Waiting")
    ran = project.run("tasks")
    assert ran.out.split()[-4:] == ["Waiting", "an", "answer", "greet"]
    assert ran.err == "1 waits for an answer: metier proposals\n"
    project.run("approve", project.proposals()[0]["id"])
    ran = project.run("tasks")
    assert ran.out.split()[-4:] == ["Ready", "a", "worker", "greet"]
    assert "metier resume" in ran.err


def test_dead_process_is_seen(lingering: Lingering) -> None:
    """A task whose process was killed is `cut` at once, with the command that goes on with it."""
    task = lingering.cut()
    ran = lingering.project.run("tasks")
    assert ran.out.split()[-4:] == ["cut", "process", "died", "wait"]
    assert f"1 was cut by the end of its process: metier resume {task}" in ran.err
    told = lingering.project.run("show", task).out
    assert "cut: its process died" in told
    assert f"metier resume {task}" in told


def test_watch_draws_a_table(project: Project) -> None:
    """On a terminal the table stays and changes with the tasks; Ctrl-C leaves with 0, and draws over nothing."""
    screen = project.screen("tasks", "--watch")
    screen.until("No tasks yet.")
    project.run("run", "greet", "--detach", "--model", NAMED)
    screen.until("an answer")
    screen.until("1 waits for an answer: metier proposals")
    project.run("resume", "last", "--yes")
    screen.until("answered")
    screen.type(CTRL_C)
    assert screen.end() == 0
    assert "Traceback" not in screen.text


def test_watch_prints_changes(project: Project) -> None:
    """Without a terminal each change is a line, or a line of JSON."""
    watching = project.start("tasks", "--watch", "--json")
    project.run("run", "greet", "--yes")
    seen: list[str] = []
    while "Done" not in seen:
        seen.append(json.loads(watching.stdout.readline())["word"])  # type: ignore[union-attr]  # it is a pipe
    watching.send_signal(signal.SIGINT)
    assert watching.wait() == 0


def test_ten_thousand_are_listed(project: Project) -> None:
    """A long list is listed whole."""
    with open_record(str(project.folder / ".metier" / "record.sqlite")) as record:
        for number in range(10_000):
            record.begin_task(f"t{number:05}", skill="greet", source="", giver="mara")
            record.pause_task(f"t{number:05}", Waits("person"))
    ran = project.run("tasks", "--limit", "10000")
    assert len(ran.out.splitlines()) == 10_000
    assert ran.err == "10000 wait for an answer: metier proposals\n"
