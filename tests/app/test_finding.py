"""Which skill is meant, and where skills lie."""

from collections.abc import Callable
from pathlib import Path

import pytest

from metier.app.finding import catalogue_of, find_skill, free_task, is_path, sources_of
from metier.config import Settings
from metier.errors import SkillInvalid, SkillMissing

Skill = Callable[..., Path]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings that name the root `skills`."""
    return Settings(project=str(tmp_path), roots=("skills",))


def test_roots_come_before_the_project(tmp_path: Path, settings: Settings) -> None:
    """The named roots are looked in first, then the project's own skills where there are any."""
    assert [(one.root, one.label) for one in sources_of(settings)] == [(str(tmp_path / "skills"), "skills")]
    own = tmp_path / ".agents" / "skills"
    own.mkdir(parents=True)
    assert [(one.root, one.label) for one in sources_of(settings)][1:] == [(str(own), "project")]


def test_skill_is_found_by_name_and_by_path(skill: Skill, settings: Settings) -> None:
    """A name, a full id, a name in another case, and a path mean the same folder, with its files listed."""
    folder = skill()
    for name in ("count", "skills:count", "COUNT", str(folder)):
        found = find_skill(name, settings)
        assert found.guide is not None
        assert (found.name, found.guide.folder) == ("count", str(folder))
        assert [file.name for file in found.guide.scripts] == ["scripts/check.py", "scripts/count.py"]


def test_project_skill_is_found(tmp_path: Path) -> None:
    """A skill in the project's `.agents/skills` needs no setting."""
    folder = tmp_path / ".agents" / "skills" / "own"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: own\ndescription: Own.\n---\nDo.\n", encoding="utf-8")
    assert find_skill("own", Settings(project=str(tmp_path))).id == "project:own"


def test_missing_skill_has_near_names(skill: Skill, settings: Settings) -> None:
    """A name that is not there is told with those that are near."""
    skill()
    with pytest.raises(SkillMissing) as caught:
        find_skill("cuont", settings)
    assert "count" in caught.value.hint


@pytest.mark.parametrize("name", ["count", "skills:count"])
def test_broken_skill_tells_its_problems(skill: Skill, settings: Settings, name: str) -> None:
    """A skill that is there and cannot be used is told with what is wrong, not as missing."""
    skill(toml="[job]\nnonsense = 1\n")
    with pytest.raises(SkillInvalid, match="nonsense"):
        find_skill(name, settings)


def test_broken_skill_is_told_by_path(skill: Skill, settings: Settings, tmp_path: Path) -> None:
    """Named by its path, a broken skill tells its problems, and a folder that is not there is missing."""
    with pytest.raises(SkillInvalid, match="nonsense"):
        find_skill(str(skill(toml="[job]\nnonsense = 1\n")), settings)
    with pytest.raises(SkillMissing, match="There is no folder"):
        find_skill(str(tmp_path / "nowhere"), settings)


@pytest.mark.parametrize(
    ("name", "path"), [("a", False), ("s:a", False), ("./a", True), ("a/", True), (".", True), ("..", True)]
)
def test_paths_are_told_from_names(name: str, path: bool) -> None:
    """What holds a slash, or is a dot or two, is a path."""
    assert is_path(name) is path


def test_free_words_are_a_job_in_words() -> None:
    """A task in free words is a job of text to words, of no source (O22)."""
    task = free_task("Count the crates")
    assert (task.description, task.guide, task.id) == ("Count the crates", None, "task")
    assert task.job is not None
    assert (task.job.takes, task.job.hands_back) == (None, None)


def test_catalogue_holds_the_good_and_the_bad(skill: Skill, settings: Settings, tmp_path: Path) -> None:
    """The catalogue lists what can be used, and the problems of the rest."""
    skill()
    (tmp_path / "skills" / "broken").mkdir()
    (tmp_path / "skills" / "broken" / "SKILL.md").write_text("---\nname: [\n---\n", encoding="utf-8")
    catalogue = catalogue_of(settings)
    assert [one.name for one in catalogue.skills] == ["count"]
    assert any(one.file.startswith("broken/") for one in catalogue.problems)
