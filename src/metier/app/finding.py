"""Which skill does a person mean, and where are skills looked for?"""

import os

from ..config import Settings
from ..domain.skill import Job, SkillSpec
from ..errors import SkillInvalid, SkillMissing
from ..skills.catalogue import Catalogue, discover
from ..skills.files import with_files
from ..skills.reader import read_skill
from ..skills.sources import FolderSource

FREE = "task"
"""The name of a task in free words."""

PROJECT_SKILLS = os.path.join(".agents", "skills")


def sources_of(settings: Settings) -> list[FolderSource]:
    """The roots that the settings name, then the project's own skills if there are any."""
    sources = [FolderSource(settings.path(root), root.rstrip("/")) for root in settings.roots]
    project = settings.path(PROJECT_SKILLS)
    if os.path.isdir(project):
        sources.append(FolderSource(project, "project"))
    return sources


def catalogue_of(settings: Settings) -> Catalogue:
    """Every skill that the settings make known, with what is wrong with the others."""
    return discover(sources_of(settings))


def is_path(skill: str) -> bool:
    """Whether a skill was named by where it lies."""
    return os.sep in skill or skill in (".", "..")


def find_skill(name: str, settings: Settings) -> SkillSpec:
    """The skill that a name or a path means, with its files listed.

    Raises:
        SkillMissing: there is none of that name; the hint lists near ones.
        SkillInvalid: it is there and cannot be used; the message lists its problems.
    """
    # The label of a source may be a path too, as in `/home/ada/skills:count`.
    if is_path(name) and (":" not in name or os.path.isdir(name)):
        return _at(name)
    catalogue = catalogue_of(settings)
    try:
        return with_files(catalogue.find(name))
    except SkillMissing as missing:
        bare = name.rpartition(":")[2]
        problems = [str(one) for one in catalogue.problems if one.level == "error" and one.file.startswith(f"{bare}/")]
        if problems:
            raise SkillInvalid(f"The skill {name!r} cannot be used:\n" + "\n".join(problems)) from missing
        raise


def _at(path: str) -> SkillSpec:
    folder = os.path.abspath(path)
    if not os.path.isdir(folder):
        raise SkillMissing(f"There is no folder {path!r}.", hint="Name a skill, or the folder of one.")
    reading = read_skill(folder)
    if reading.skill is None:
        raise SkillInvalid(f"The skill in {path!r} cannot be used:\n" + "\n".join(map(str, reading.problems)))
    return with_files(reading.skill)


def free_task(text: str) -> SkillSpec:
    """A task told in free words, as a job that answers in words."""
    return SkillSpec(FREE, text, job=Job())
