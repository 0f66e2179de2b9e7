"""Which skills and files of skills does the seed's document allow, and how far are they searched for?

These are the parameters of the strict reading. The document names the defaults (M28-M31); what it leaves open is marked.
"""

import os
from dataclasses import dataclass

from ..domain.skill import Kind

RESOURCE_EXTENSIONS = (".md", ".json", ".yaml", ".yml", ".csv", ".xml", ".txt")
"""How a resource's name ends (M30)."""
SCRIPT_EXTENSIONS = (".py",)
"""How a script's name ends (M30)."""


@dataclass(frozen=True, slots=True)
class SeedRules:
    """The strict reading: only what the document lists, nothing cured, no link followed.

    Where none are given, skills are read tolerantly.
    """

    resource_extensions: tuple[str, ...] = RESOURCE_EXTENSIONS
    """In any case of letters; none: no file is a resource."""
    script_extensions: tuple[str, ...] = SCRIPT_EXTENSIONS
    """A file that could be both is a script (ours)."""
    resource_folders: tuple[str, ...] = ("references", "assets")
    """Below the skill's folder; `"."` stands for the files that lie in that folder itself (M29, M31)."""
    script_folders: tuple[str, ...] = ("scripts",)
    search_depth: int = 2
    """Levels of a skill that are searched for files; the first is its own folder."""
    skill_depth: int = 2
    """Levels below a root that are searched for skills (M28)."""

    def kind(self, name: str) -> Kind | None:
        """What the file of this listed name is; none: it is no part of the skill."""
        folder, _, last = name.rpartition("/")
        last = last.lower()
        if last.endswith(_lower(self.script_extensions)) and _lies_in(folder, self.script_folders):
            return "script"
        if last.endswith(_lower(self.resource_extensions)) and _lies_in(folder, self.resource_folders):
            return "resource"
        return None

    def looks_at(self, name: str) -> bool:
        """Whether a file or folder of this name is one to list, or lies in or leads to a folder of files to list."""
        if self.kind(name):
            return True
        return any(
            name == folder or name.startswith(f"{folder}/") or folder.startswith(f"{name}/")
            for folder in map(os.path.normpath, (*self.resource_folders, *self.script_folders))
        )


def _lower(extensions: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(str.lower, extensions))


def _lies_in(folder: str, folders: tuple[str, ...]) -> bool:
    return any(
        folder == one or folder.startswith(f"{one}/") or (not folder and one == ".")
        for one in map(os.path.normpath, folders)
    )
