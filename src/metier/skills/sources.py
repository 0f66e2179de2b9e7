"""Where are skills looked for, and which folders are skills?"""

import os
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

from ..domain.problem import Problem
from .fields import shown
from .inside import leads_out
from .reader import Reading, read_if_skill, spelt_otherwise
from .seed_rules import SeedRules

Found = TypeVar("Found")
"""What a folder is to whoever walks: its reading, or its path."""
Trust = Literal["own", "package"]
"""Whose a source is: the user's own, or somebody else's, whose links must not pull text from elsewhere (case 019)."""

DEEPEST = 4
"""Folders below a root that are looked into, counted from the root."""
MOST_FOLDERS = 2_000
"""Folders without a skill that are looked into; skills themselves are not counted."""
_NEVER = frozenset({"node_modules", "__pycache__"})
_NOT_BELOW = frozenset({"build", "dist", "vendor"})
"""Folders that may be skills but are not searched: what lies in them is a copy or somebody else's."""


class Source(Protocol):
    """Where skills come from."""

    @property
    def label(self) -> str:
        """What tells its skills from those of other sources."""
        ...

    def readings(self) -> tuple[Reading, ...]:
        """Read all its skills now, the good and the bad; a reading without a skill may be about the source itself."""
        ...


@dataclass(frozen=True, slots=True)
class FolderSource:
    """Skills in the folders below a root; the root itself may be one."""

    root: str
    label: str
    trust: Trust = "own"
    rules: SeedRules | None = None
    """None: the tolerant reading."""

    def readings(self) -> tuple[Reading, ...]:
        """Read every skill below the root, in the order of their paths; a skill's own folders are not searched.

        Links to folders are followed once all real folders have been seen, and each real folder is read once. A link out
        of a package's root, to a folder or to a SKILL.md, is an error. Under rules no link is followed.
        """
        if not os.path.isdir(self.root):
            cause = "this is no folder" if os.path.lexists(self.root) else "there is no such folder"
            cure = "make it, or remove the source"
            return (Reading(None, (Problem("source.missing", shown(self.root), cause, cure=cure),)),)
        bound = self.root if self.trust == "package" else ""

        def read(place: Place) -> Reading | None:
            before = _note(place) if place.linked else ()
            return read_if_skill(place.path, source=self.label, before=before, bound=bound, rules=self.rules)

        walk = FolderWalk(self.root, read, bound=bound, rules=self.rules)
        found = tuple(walk.found())
        return (*found, Reading(None, tuple(walk.problems))) if walk.problems else found


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that a walk has come to."""

    path: str
    depth: int
    """0 is the root."""
    linked: bool = False
    """Whether a link led to it."""


@dataclass(slots=True)
class FolderWalk(Generic[Found]):
    """The one walk of folders in which skills are looked for.

    `look` answers what a folder is as a skill, or None where it is none; a skill's own folders are not searched.
    """

    root: str
    look: Callable[[Place], Found | None]
    _: KW_ONLY
    bound: str = ""
    """The folder that no link may lead out of; empty: links may lead anywhere."""
    rules: SeedRules | None = None
    problems: list[Problem] = field(default_factory=list[Problem])
    """What is wrong with the folders themselves, complete once all was found."""
    _visited: int = 0
    _links: list[Place] = field(default_factory=list[Place])
    _seen: set[str] = field(default_factory=set[str])
    """Folders that were looked into, by their paths; links are judged by where they lead."""

    def found(self) -> Iterator[Found]:
        """Everything that `look` finds at and below the root: real folders in the order of their paths, then links."""
        yield from self._below(Place(self.root, 0))
        if self._links:
            self._seen = {os.path.realpath(path) for path in self._seen}
        while self._links:
            yield from self._through(self._links.pop(0))
        if self._visited > MOST_FOLDERS:
            cause = f"the search ended after {MOST_FOLDERS:,} folders without a skill"
            cure = "name a root that is nearer to the skills"
            self.problems.append(Problem("source.many", shown(self.root), cause, cure=cure, level="warning"))

    def _below(self, first: Place) -> Iterator[Found]:
        deepest = self.rules.skill_depth if self.rules else DEEPEST
        waiting = [first]
        while waiting:
            place = waiting.pop()
            real = os.path.realpath(place.path) if place.linked else place.path
            if real in self._seen:
                continue
            self._seen.add(real)
            found = self.look(place)
            if found is not None:
                yield found
                continue
            self._visited += 1
            if self._visited > MOST_FOLDERS:
                return
            if self._is_open(place) and place.depth < deepest:
                waiting += self._folders(place)

    def _is_open(self, place: Place) -> bool:
        """Whether a folder that is no skill may hold some; by the document any may (M28)."""
        if self.rules is None:
            return place.depth == 0 or os.path.basename(place.path) not in _NOT_BELOW
        otherwise = spelt_otherwise(place.path)
        if otherwise:
            self.problems.append(otherwise)
        return True

    def _folders(self, place: Place) -> list[Place]:
        """The folders in a folder, last name first; links to folders are kept for later."""
        try:
            with os.scandir(place.path) as entries:
                found = [entry for entry in entries if entry.name[0] != "." and entry.name not in _NEVER]
        except OSError as error:
            cause = f"the folder cannot be read: {error.strerror}"
            self.problems.append(Problem("source.unreadable", shown(place.path), cause, level="warning"))
            return []
        found.sort(key=lambda entry: entry.name, reverse=True)
        folders: list[Place] = []
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                folders.append(Place(entry.path, place.depth + 1, place.linked))
            elif entry.is_symlink() and os.path.isdir(entry.path):
                self._links.append(Place(entry.path, place.depth + 1, linked=True))
        return folders

    def _through(self, link: Place) -> Iterator[Found]:
        refused = self._refused(link)
        if refused:
            self.problems.append(refused)
        else:
            yield from self._below(link)

    def _refused(self, link: Place) -> Problem | None:
        """Why a link is not followed."""
        file = shown(link.path)
        if self.rules:
            return Problem("resource.link", file, "links are not followed", cure="copy the files", level="warning")
        target = os.path.realpath(link.path)
        if self.bound and leads_out(link.path, self.bound):
            cause = f"the link leads out of the package, to {shown(target)}, and was not followed"
            return Problem("link.outside", file, cause, cure="copy the files")
        lies_in = os.path.realpath(os.path.dirname(link.path))
        if f"{lies_in}/".startswith(target.rstrip("/") + "/"):
            cause = "the link leads back to a folder that it lies in, and was not followed"
            return Problem("link.cycle", file, cause, level="note")
        return None


def _note(place: Place) -> tuple[Problem, ...]:
    """What is told of a skill that a link led to."""
    name = f"{shown(os.path.basename(place.path))}/SKILL.md"
    cause = f"the skill was reached by a link; it lies in {shown(os.path.realpath(place.path))}"
    return (Problem("source.link", name, cause, level="note"),)
