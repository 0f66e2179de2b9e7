"""Which skills some paths mean."""

from pathlib import Path

import pytest

from metier.skills.check import check_paths

from .conftest import folder_of, written


def names(*paths: Path | str) -> list[str]:
    """The names of the folders that are checked."""
    return [Path(skill.folder).resolve().name for skill in check_paths(map(str, paths)).skills]


@pytest.mark.parametrize("name", ["", "SKILL.md", "skill.toml"])
def test_a_file_means_its_folder(tmp_path: Path, name: str) -> None:
    """A folder, its SKILL.md and its skill.toml all mean the one skill."""
    folder = written(tmp_path, files={"skill.toml": ""})
    assert names(Path(folder) / name) == ["demo"]


def test_folders_are_searched(tmp_path: Path) -> None:
    """A folder that holds skills is searched like a source: dot folders and a skill's own folders are not."""
    for name in ("b", "a", "deep/down/c"):
        written(tmp_path, name=name)
    for name in (".hidden/d", "node_modules/e", "a/inner", "dist/f"):
        written(tmp_path, name=name)
    assert names(tmp_path) == ["a", "b", "c"]


def test_project_skills_are_found(tmp_path: Path) -> None:
    """A project's own skills in .agents/skills are found from its root."""
    written(tmp_path / ".agents" / "skills")
    assert names(tmp_path) == ["demo"]


def test_each_skill_is_checked_once(tmp_path: Path) -> None:
    """However many paths lead to a skill, it is checked once; links that go round end."""
    folder = Path(written(tmp_path))
    (tmp_path / "again").symlink_to(folder)
    (tmp_path / "round").symlink_to(tmp_path)
    assert names(folder, folder / "SKILL.md", tmp_path) == ["demo"]


def test_paths_without_skills_are_errors(tmp_path: Path) -> None:
    """Nothing found, no such folder and another file are errors, not silence."""
    (tmp_path / "a.txt").touch()
    checked = check_paths([str(tmp_path), str(tmp_path / "none"), str(tmp_path / "a.txt")])
    codes = [problem.code for problem in checked.problems]
    assert codes == ["skill.missing", "folder.unreadable", "folder.unreadable"]
    assert (checked.skills, checked.count("error")) == ((), 3)


def test_toml_without_a_skill_is_told(tmp_path: Path) -> None:
    """A folder with a skill.toml and no SKILL.md is a skill that lacks its file."""
    (tmp_path / "skill.toml").touch()
    (skill,) = check_paths([str(tmp_path)]).skills
    assert [problem.code for problem in skill.problems] == ["skill.missing"]


def test_a_long_search_is_told(tmp_path: Path) -> None:
    """A search that is cut says so."""
    for number in range(2_001):
        (tmp_path / f"{number}").mkdir()
    assert "source.many" in [problem.code for problem in check_paths([str(tmp_path)]).problems]


def test_places_are_real_files(tmp_path: Path) -> None:
    """A problem's path is where its file lies."""
    folder = folder_of(tmp_path, "---\nname: x\ndescription: d\n---\nDo.\n")
    (skill,) = check_paths([folder]).skills
    assert skill.path(skill.problems[0]) == str(tmp_path / "demo" / "SKILL.md")


def test_what_stops_the_search_is_told(tmp_path: Path) -> None:
    """A link that goes round is a note, as in every search for skills; a skill behind another link is checked."""
    written(tmp_path / "far")
    (tmp_path / "near").mkdir()
    (tmp_path / "near" / "skills").symlink_to(tmp_path / "far")
    (tmp_path / "near" / "round").symlink_to(tmp_path / "near")
    checked = check_paths([str(tmp_path / "near")])
    assert [skill.folder for skill in checked.skills] == [str(tmp_path / "near" / "skills" / "demo")]
    assert [(problem.code, problem.level) for problem in checked.problems] == [("link.cycle", "note")]
