"""`metier tasks`: the tasks of the record."""

from .conftest import Project


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
