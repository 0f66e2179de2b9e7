"""How are the skills of a case discovered and checked, and how are problems told in one line each?"""

from collections.abc import Iterable
from pathlib import Path

from metier.domain.problem import Problem
from metier.domain.skill import SkillSpec
from metier.skills.catalogue import Catalogue, discover
from metier.skills.check import check_skill
from metier.skills.files import with_files
from metier.skills.loaded import loaded_text
from metier.skills.sources import FolderSource, Trust

BOM = "\ufeff"


def discovered(root: Path, *, trust: Trust = "own") -> Catalogue:
    """Every skill below a root, and every problem."""
    return discover([FolderSource(str(root), "root", trust)])


def listed(root: Path, name: str) -> SkillSpec:
    """A skill that was discovered below a root, with its files."""
    return with_files(discovered(root).find(name))


def loaded(root: Path, name: str) -> str:
    """What `load_skill` answers for a skill that was discovered below a root."""
    return loaded_text(listed(root, name))


def names(catalogue: Catalogue) -> list[str]:
    """The names that are offered, sorted."""
    return sorted(skill.name for skill in catalogue.skills)


def outcome_of(problems: Iterable[Problem]) -> str:
    """The worst that was told, in the words of the cases; notes are no outcome."""
    levels = {problem.level for problem in problems}
    return "error" if "error" in levels else "warn" if "warning" in levels else "ok"


def codes(catalogue: Catalogue, level: str) -> list[str]:
    """The codes that were told at a level."""
    return [problem.code for problem in catalogue.problems if problem.level == level]


def told(problems: Iterable[Problem], root: Path | None = None) -> list[str]:
    """The problems in one line each, without causes and cures; paths below a root as they are seen from there."""
    lines = [f"{one.level} {one.code} {one.file}:{one.line}" for one in problems]
    return [line.removesuffix(":None").replace(f" {root}/", " ") for line in lines]


def validated(folder: Path) -> list[str]:
    """What a check says of a skill's folder. That nothing names a file of it is no concern of the cases."""
    return told(one for one in check_skill(str(folder)) if one.code != "resource.unmentioned")
