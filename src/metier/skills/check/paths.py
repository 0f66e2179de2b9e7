"""Which skills do some paths mean, and what is wrong with them all?"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ...domain.problem import Problem
from ..fields import shown
from ..skill_toml import FILE as SKILL_TOML
from ..sources import FolderWalk, Place
from .document import stored_name
from .skill import check_skill

FILES = frozenset({"SKILL.md", "skill.md", "Skill.md", SKILL_TOML})
"""Files that stand for the folder that they lie in."""
PROJECT_SKILLS = os.path.join(".agents", "skills")
"""Where a project has its own skills; no other folder with a dot is searched."""


@dataclass(frozen=True, slots=True)
class CheckedSkill:
    """One skill folder with all that is wrong with it."""

    folder: str
    problems: tuple[Problem, ...]

    def path(self, problem: Problem) -> str:
        """Where a problem's file lies: a problem names it from the folder that the skill lies in."""
        return os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(self.folder)), problem.file))


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check of some paths came to."""

    skills: tuple[CheckedSkill, ...]
    problems: tuple[Problem, ...] = ()
    """What is wrong with the paths themselves."""

    def count(self, level: Literal["error", "warning", "note"]) -> int:
        """How many problems of a level there are."""
        every = (*self.problems, *(problem for skill in self.skills for problem in skill.problems))
        return sum(problem.level == level for problem in every)


def check_paths(paths: Iterable[str]) -> Checked:
    """Check every skill that some paths mean: a skill's folder, its SKILL.md or skill.toml, or a folder that holds skills.

    Each skill is checked once, however many paths lead to it.
    """
    folders: dict[str, str] = {}
    problems: list[Problem] = []
    for path in paths:
        for folder in _folders(path, problems):
            folders.setdefault(os.path.realpath(folder), folder)
    skills = tuple(CheckedSkill(folder, check_skill(folder)) for folder in folders.values())
    return Checked(skills, tuple(problems))


def _folders(path: str, problems: list[Problem]) -> list[str]:
    """The skill folders that a path means; what is wrong with the path is told."""
    if os.path.basename(path) in FILES and not os.path.isdir(path):
        return [os.path.dirname(path) or "."]
    if not os.path.isdir(path):
        problems.append(_no_folder(path))
        return []
    found: list[str] = []
    for root in (path, os.path.join(path, PROJECT_SKILLS)):
        if os.path.isdir(root):
            walk = FolderWalk(root, _skill)
            found += walk.found()
            problems += walk.problems
    if not found and os.path.lexists(os.path.join(path, SKILL_TOML)):
        return [path]
    if not found:
        cure = "name a folder that holds a SKILL.md, itself or below it"
        problems.append(Problem("skill.missing", shown(path), "no skill is found here", cure=cure))
    return found


def _no_folder(path: str) -> Problem:
    cause = "this is no folder and no SKILL.md" if os.path.lexists(path) else "there is no such folder"
    return Problem("folder.unreadable", shown(path), cause, cure="name a skill's folder, or a folder of skills")


def _skill(place: Place) -> str | None:
    return place.path if stored_name(place.path) else None
