"""`metier show`: a skill by its name or path, a task by its id or the beginning of it."""

import json

from .conftest import Project


def test_skill_is_shown(demo: Project) -> None:
    """A skill is shown with its digest, its files and its job."""
    ran = demo.run("show", "expense-report")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[0].startswith("examples:expense-report 1.0  sha256:")
    assert "script    scripts/validate.py" in ran.out
    assert "resource  references/policy.md" in ran.out
    assert "budget $0.05, at most 40 turns, check: scripts/check.py" in ran.out


def test_skill_as_json(demo: Project) -> None:
    """A skill as JSON has its digest and its files; by its path it is the same folder."""
    by_name = demo.run("show", "expense-report", "--json").json
    by_path = demo.run("show", "examples/expense-report", "--json").json
    assert by_name["digest"] == by_path["digest"]
    files = {file["name"] for file in by_name["skill"]["guide"]["files"]}
    assert {"scripts/check.py", "references/policy.md"} <= files


def test_task_is_shown_by_its_beginning(project: Project) -> None:
    """A task is found by its id or by the beginning of it, and its receipt is what it was at its end."""
    ended = project.run("run", "greet", "--yes").out.removeprefix("I greeted.\n")
    task = project.task()
    assert project.run("show", task).out == ended
    assert project.run("show", task[:-3]).out == ended


def test_last_is_the_newest(project: Project) -> None:
    """`last` is the newest task, for showing and for verifying; without a task it is a miss."""
    assert project.run("show", "last").code in (3, 4)
    ended = project.run("run", "greet", "--yes").out.removeprefix("I greeted.\n")
    assert project.run("show", "last").out == ended
    assert project.run("verify", "last").code == 0


def test_result_alone(project: Project) -> None:
    """`--result` prints the result and nothing else."""
    project.run("run", "greet", "--yes")
    ran = project.run("show", project.task(), "--result")
    assert (ran.code, ran.out, ran.err) == (0, "I greeted.\n", "")


def test_json_result_reads_back(demo: Project) -> None:
    """The result of a typed job is printed as the JSON that it is."""
    demo.run("run", "expense-report", "--file", "examples/expenses.csv", "--yes")
    result = json.loads(demo.run("show", demo.task(), "--result").out)
    assert result == demo.receipt()["result"]
    assert result["wrong_rows"][4]["employee"] == "Tomás Ferreira"


def test_ambiguous_beginning_is_told(project: Project) -> None:
    """A beginning that two tasks share is an error that lists them, and an id that no task has is no skill's name."""
    project.run("run", "greet")
    project.run("run", "greet")
    rows = [row["id"] for row in project.run("tasks", "--json").json]
    ran = project.run("show", rows[0][:4])
    assert ran.code == 4
    assert all(row in ran.err for row in rows)
    assert project.run("show", f"{rows[0][:9]}zzz").code == 4


def test_miss_names_near_skills(demo: Project) -> None:
    """What is neither a skill nor a task is a miss with near names."""
    ran = demo.run("show", "expense-reprot")
    assert ran.code == 3
    assert "expense-report" in ran.err


def test_bad_skill_shows_its_problems(project: Project) -> None:
    """A skill that cannot be used exits 3 with its problems: file, line and cause."""
    broken = project.folder / "skills" / "broken"
    broken.mkdir()
    (broken / "SKILL.md").write_text("---\nname: broken\ndescription: ok\nrubbish\n---\n", encoding="utf-8")
    for name in ("broken", "skills/broken"):
        ran = project.run("show", name)
        assert ran.code == 3
        assert "SKILL.md:4" in ran.err
