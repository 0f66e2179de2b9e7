"""Which content does a skill folder have, as one digest?

The digest is over every file that a script of the skill could read or run, so that a yes given to a digest covers it.
"""

import hashlib
import os
import stat
import time
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import SkillInvalid
from .fields import shown

LEFT_OUT = frozenset(
    {".git", ".hg", ".svn", ".metier", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".DS_Store"}
)
"""What tools write beside the author's files. Every other dot folder counts, for a script could run what lies in it, and so
does a compiled file that lies beside its source, for Python would load it; those in `__pycache__` are kept from it."""

_LINKED_FILES = frozenset({"SKILL.md", "skill.md", "Skill.md"})
"""Read through a link, so the bytes behind the link count as well."""
_SETTLED = 2_000_000_000
"""Nanoseconds after which a file's times can be trusted to show a later change."""
_MOST_KEPT = 4096
_PIECE = 1 << 20


class _Stamp(NamedTuple):
    name: str
    """Relative to the folder; with a slash at its end it is the file that a link leads to."""
    mode: int
    inode: int
    size: int
    mtime: int
    ctime: int


_kept: dict[str, tuple[tuple[_Stamp, ...], str]] = {}
"""Digests of this process by folder, each with the stamps of the files that it was taken over."""


def digest_of(folder: str, *, now: int | None = None) -> str:
    """Answer the SHA-256 of a skill folder in hexadecimal; without a change since the last time nothing is read.

    A digest is kept only when no file was written within two seconds before it was taken. `now` is the time in nanoseconds
    since the epoch, for a caller that knows it. Raises SkillInvalid when the folder cannot be read.
    """
    place = os.path.abspath(folder)
    stamps = _stamps(folder)
    kept = _kept.get(place)
    if kept is not None and kept[0] == stamps:
        return kept[1]
    began = time.time_ns() if now is None else now
    digest = _taken(folder, stamps)
    # What was swapped while it was read must not be kept as if it were what the stamps say.
    if all(max(one.mtime, one.ctime) < began - _SETTLED for one in stamps) and _stamps(folder) == stamps:
        while len(_kept) >= _MOST_KEPT:
            _kept.pop(next(iter(_kept)), None)
        _kept[place] = (stamps, digest)
    return digest


def digest_again(folder: str) -> str:
    """Answer the digest from the bytes as they are now, whatever is kept. Raises as `digest_of` does."""
    return _taken(folder, _stamps(folder))


def _stamps(folder: str) -> tuple[_Stamp, ...]:
    try:
        return tuple(sorted(_walk(folder)))
    except OSError as error:
        raise _unreadable(folder, error) from error


def _walk(folder: str) -> Iterator[_Stamp]:
    waiting = [("", folder)]
    while waiting:
        before, path = waiting.pop()
        with os.scandir(path) as found:
            entries = [one for one in found if one.name not in LEFT_OUT]
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                waiting.append((f"{before}{entry.name}/", entry.path))
            else:
                yield from _of_entry(before, entry)


def _of_entry(before: str, entry: os.DirEntry[str]) -> Iterator[_Stamp]:
    facts = entry.stat(follow_symlinks=False)
    linked = stat.S_ISLNK(facts.st_mode)
    if linked and not before and entry.name in _LINKED_FILES:
        yield _stamp(entry.name + "/", os.stat(entry.path))
    if linked or stat.S_ISREG(facts.st_mode):
        yield _stamp(before + entry.name, facts)


def _stamp(name: str, facts: os.stat_result) -> _Stamp:
    return _Stamp(name, facts.st_mode, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)


def _taken(folder: str, stamps: tuple[_Stamp, ...]) -> str:
    digest = hashlib.sha256()
    try:
        for one in sorted(stamps, key=lambda stamp: os.fsencode(stamp.name)):
            digest.update(_content(folder, one))
    except OSError as error:
        raise _unreadable(folder, error) from error
    return digest.hexdigest()


def _content(folder: str, one: _Stamp) -> bytes:
    """One file for the digest. Lengths stand before what they measure, so no two folders give the same bytes."""
    raw = os.fsencode(one.name)
    path = f"{folder}/{one.name.rstrip('/')}"
    if stat.S_ISLNK(one.mode):
        target = os.fsencode(os.readlink(path))
        return b"link %d %d\n%b%b" % (len(raw), len(target), raw, target)
    inner = hashlib.sha256()
    length = 0
    opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | (0 if one.name.endswith("/") else os.O_NOFOLLOW))
    try:
        # The length is that of what was read, not of a stat before it: a file may grow in between.
        while piece := os.read(opened, _PIECE):
            inner.update(piece)
            length += len(piece)
    finally:
        os.close(opened)
    return b"file %d %d\n%b%b" % (len(raw), length, raw, inner.digest())


def _unreadable(folder: str, error: OSError) -> SkillInvalid:
    place = shown(str(error.filename or folder))
    return SkillInvalid(
        f"The skill folder {shown(folder)!r} cannot be read whole: {place}: {error.strerror}.",
        hint="Its digest is over every file; make all of them readable.",
    )
