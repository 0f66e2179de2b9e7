"""`metier list`: what is found, where, and what is wrong with the rest."""

from .conftest import Project
from .test_of_agent import APP


def test_skills_are_listed(project: Project) -> None:
    """Each skill stands on a line with its kind, its source and its description."""
    folder = project.skill("count", description="Counts things.")
    (folder / "skill.toml").write_text("[job]\n", encoding="utf-8")
    ran = project.run("list")
    assert (ran.code, ran.err) == (0, "")
    lines = [line.split(maxsplit=3) for line in ran.out.splitlines()]
    assert lines == [["count", "job", "skills", "Counts things."], ["greet", "guide", "skills", "Greets."]]


def test_json_has_the_same(project: Project) -> None:
    """The same as JSON, with where each lies."""
    (skill,) = project.run("list", "--json").json["skills"]
    assert (skill["name"], skill["source"], skill["job"]) == ("greet", "skills", False)
    assert skill["folder"] == str(project.folder / "skills" / "greet")


def test_nothing_found_says_where_to_look(empty: Project) -> None:
    """Without a skill it says where skills are looked for."""
    ran = empty.run("list")
    assert ran.code == 0
    assert "metier.toml" in ran.out
    assert ".agents/skills" in ran.out
    assert empty.run("list", "--json").json == {"skills": [], "problems": []}


def test_project_skills_need_no_setting(empty: Project) -> None:
    """Skills in the project's .agents/skills are found without a setting."""
    folder = empty.skill("own")
    (empty.folder / ".agents").mkdir()
    folder.parent.rename(empty.folder / ".agents" / "skills")
    assert empty.run("list").out.split()[:3] == ["own", "guide", "project"]


def test_broken_skill_is_told(project: Project) -> None:
    """A folder that cannot be used is told on standard error with file and cause; the others are listed."""
    broken = project.folder / "skills" / "broken"
    broken.mkdir()
    (broken / "SKILL.md").write_bytes(b"---\nname: broken\ndescription: \xff\xfe\n---\n")
    ran = project.run("list")
    assert (ran.code, "greet" in ran.out) == (0, True)
    assert "broken/SKILL.md" in ran.err
    assert any(problem["file"].startswith("broken/") for problem in project.run("list", "--json").json["problems"])


def test_missing_root_is_told(empty: Project) -> None:
    """A root of metier.toml that is not there is told, not passed over."""
    (empty.folder / "metier.toml").write_text('[skills]\nroots = ["gone"]\n', encoding="utf-8")
    ran = empty.run("list")
    assert "gone" in ran.err
    assert "Traceback" not in ran.err


def test_agents_skills_are_listed(project: Project) -> None:
    """Where code makes the app, each skill of each agent stands below, as `run` takes it."""
    (project.folder / "shop.py").write_text(APP, encoding="utf-8")
    ran = project.run("--app", "shop.py:app", "list")
    assert (ran.code, ran.err) == (0, "")
    assert [line.split()[:2] for line in ran.out.splitlines()] == [["greet", "guide"], ["Counter/Repeat", "job"]]
    (info,) = project.run("--app", "shop.py:app", "list", "--json").json["agents_skills"]
    assert (info["agent"], info["skill"], info["takes"]) == ("Counter", "Repeat", "Order")
    assert not (project.folder / ".metier").exists()


def test_unasked_app_is_told(project: Project) -> None:
    """The other skills are listed where nobody has let the project's code in; the way to do so is told."""
    (project.folder / "shop.py").write_text(APP, encoding="utf-8")
    with (project.folder / "metier.toml").open("a", encoding="utf-8") as file:
        file.write('[app]\ncode = "shop.py:app"\n')
    ran = project.run("list")
    assert (ran.code, ran.out.split()[0], "--app shop.py:app" in ran.err) == (0, "greet", True)
