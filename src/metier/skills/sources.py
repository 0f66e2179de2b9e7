"""Where are skills looked for, and which folders are skills?"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ..domain.problem import Problem
from .fields import shown
from .inside import leads_out
from .reader import Reading, read_if_skill

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

    def readings(self) -> tuple[Reading, ...]:
        """Read every skill below the root, in the order of their paths; a skill's own folders are not searched.

        Links to folders are followed once all real folders have been seen, and each real folder is read once. A link out
        of a package's root, to a folder or to a SKILL.md, is an error.
        """
        return tuple(_Walk(self.root, self.label, bound=self.root if self.trust == "package" else "").readings())


@dataclass(frozen=True, slots=True)
class _Stop:
    """A folder to look into."""

    path: str
    depth: int
    linked: bool = False


@dataclass(slots=True)
class _Walk:
    root: str
    label: str
    bound: str
    """The folder that no link may lead out of; empty: links may lead anywhere."""
    visited: int = 0
    cut: bool = False
    links: list[_Stop] = field(default_factory=list[_Stop])
    seen: set[str] = field(default_factory=set[str])
    """Folders that were looked into, by their paths; links are judged by where they lead."""
    problems: list[Problem] = field(default_factory=list[Problem])

    def readings(self) -> Iterator[Reading]:
        if not os.path.isdir(self.root):
            cause = "this is no folder" if os.path.lexists(self.root) else "there is no such folder"
            yield Reading(
                None, (Problem("source.missing", shown(self.root), cause, cure="make it, or remove the source"),)
            )
            return
        yield from self._below(_Stop(self.root, 0))
        if self.links:
            self.seen = {os.path.realpath(path) for path in self.seen}
        while self.links:
            yield from self._through(self.links.pop(0))
        if self.cut:
            cause = f"the search ended after {MOST_FOLDERS:,} folders without a skill"
            cure = "name a root that is nearer to the skills"
            self.problems.append(Problem("source.many", shown(self.root), cause, cure=cure, level="warning"))
        if self.problems:
            yield Reading(None, tuple(self.problems))

    def _below(self, first: _Stop) -> Iterator[Reading]:
        waiting = [first]
        while waiting:
            stop = waiting.pop()
            place = os.path.realpath(stop.path) if stop.linked else stop.path
            if place in self.seen:
                continue
            self.seen.add(place)
            reading = read_if_skill(stop.path, source=self.label, before=_note(stop), bound=self.bound)
            if reading is not None:
                yield reading
                continue
            self.visited += 1
            if self.visited > MOST_FOLDERS:
                self.cut = True
                return
            closed = stop.depth > 0 and os.path.basename(stop.path) in _NOT_BELOW
            if stop.depth < DEEPEST and not closed:
                waiting += self._folders(stop)

    def _folders(self, stop: _Stop) -> list[_Stop]:
        """The folders in a folder, last name first; links to folders are kept for later."""
        try:
            with os.scandir(stop.path) as entries:
                found = [entry for entry in entries if entry.name[0] != "." and entry.name not in _NEVER]
        except OSError as error:
            self._tell_unreadable(stop.path, error)
            return []
        found.sort(key=lambda entry: entry.name, reverse=True)
        folders: list[_Stop] = []
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                folders.append(_Stop(entry.path, stop.depth + 1, stop.linked))
            elif entry.is_symlink() and os.path.isdir(entry.path):
                self.links.append(_Stop(entry.path, stop.depth + 1, linked=True))
        return folders

    def _through(self, link: _Stop) -> Iterator[Reading]:
        if self.bound and leads_out(link.path, self.bound):
            cause = f"the link leads out of the package, to {shown(os.path.realpath(link.path))}, and was not followed"
            self.problems.append(Problem("link.outside", shown(link.path), cause, cure="copy the files"))
            return
        target = os.path.realpath(link.path)
        lies_in = os.path.realpath(os.path.dirname(link.path))
        if f"{lies_in}/".startswith(target.rstrip("/") + "/"):
            cause = "the link leads back to a folder that it lies in, and was not followed"
            self.problems.append(Problem("link.cycle", shown(link.path), cause, level="note"))
            return
        yield from self._below(link)

    def _tell_unreadable(self, path: str, error: OSError) -> None:
        cause = f"the folder cannot be read: {error.strerror}"
        self.problems.append(Problem("source.unreadable", shown(path), cause, level="warning"))


def _note(stop: _Stop) -> tuple[Problem, ...]:
    if not stop.linked:
        return ()
    name = f"{shown(os.path.basename(stop.path))}/SKILL.md"
    cause = f"the skill was reached by a link; it lies in {shown(os.path.realpath(stop.path))}"
    return (Problem("source.link", name, cause, level="note"),)
