"""Which content does a skill folder have, as one digest?

The digest is over every file that a script of the skill could read or run, so that a yes given to a digest covers it.
"""

import hashlib
import os
import stat
import time
from collections.abc import Iterator
from threading import Lock
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
_MOST_KEPT = 65_536
"""Stamps that are kept in all, of every folder together: some 20 MB."""
_PIECE = 1 << 20


class Stamp(NamedTuple):
    """What shows that a folder, a file or a link is still what it was."""

    name: str
    """Relative to the folder; with a slash at its end it is what a link leads to. The folder itself is `/`."""
    mode: int
    device: int
    inode: int
    size: int
    mtime: int
    ctime: int


class Tree(NamedTuple):
    """The stamps of all that counts in a skill folder."""

    folders: tuple[Stamp, ...]
    """A file that comes or goes changes the stamp of the folder that it lies in, so a folder need not be listed again."""
    files: tuple[Stamp, ...]


class Digests:
    """Digests by folder, each with the stamps that it was taken over: `most` stamps in all, the oldest go first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: dict[str, tuple[Tree, str]] = {}
        self._stamps = 0
        self._lock = Lock()

    def get(self, place: str) -> tuple[Tree, str] | None:
        """What is kept of a folder."""
        return self._found.get(place)

    def put(self, place: str, tree: Tree, digest: str) -> None:
        """Keep a digest, and let go of the oldest while there is too much."""
        with self._lock:
            self._drop(place)
            self._found[place] = (tree, digest)
            self._stamps += _size(tree)
            while self._stamps > self._most:
                self._drop(next(iter(self._found)))

    def _drop(self, place: str) -> None:
        found = self._found.pop(place, None)
        self._stamps -= 0 if found is None else _size(found[0])


_kept = Digests(_MOST_KEPT)


def digest_of(folder: str, *, now: int | None = None) -> str:
    """Answer the SHA-256 of a skill folder in hexadecimal; without a change since the last time nothing is read.

    A digest is kept only when nothing was written within two seconds before it was taken. `now` is the time in nanoseconds
    since the epoch, for a caller that knows it. Raises SkillInvalid when the folder cannot be read.
    """
    place = folder if folder.startswith("/") else os.path.abspath(folder)
    kept = _kept.get(place)
    if kept is not None and _stands(place, kept[0]):
        return kept[1]
    began = time.time_ns() if now is None else now
    tree = _tree(folder)
    # A folder's stamp changes too by what does not count, such as compiled files.
    digest = kept[1] if kept is not None and kept[0].files == tree.files else _taken(folder, tree.files)
    # What was swapped while it was read must not be kept as if it were what the stamps say.
    if _settled(tree, began) and _tree(folder) == tree:
        _kept.put(place, tree, digest)
    return digest


def digest_again(folder: str) -> str:
    """Answer the digest from the bytes as they are now, whatever is kept. Raises as `digest_of` does."""
    return _taken(folder, _tree(folder).files)


def _size(tree: Tree) -> int:
    return len(tree.folders) + len(tree.files)


def _settled(tree: Tree, began: int) -> bool:
    return all(one.mtime < began - _SETTLED and one.ctime < began - _SETTLED for part in tree for one in part)


def _stands(place: str, tree: Tree) -> bool:
    """Whether every folder and file is still what its stamp says."""
    try:
        return all(_looked_at(place, one.name) == one for part in tree for one in part)
    except OSError:
        return False


def _looked_at(place: str, name: str) -> Stamp:
    """What a stamp of this name would be now."""
    if name.endswith("/"):
        return _stamp(name, os.stat(f"{place}/{name[:-1]}"))
    return _stamp(name, os.lstat(f"{place}/{name}"))


def _tree(folder: str) -> Tree:
    folders: list[Stamp] = []
    files: list[Stamp] = []
    try:
        waiting = [("", _stamp("/", os.stat(folder)))]
        while waiting:
            # Stamped before it is listed: what comes in between changes the stamp that is looked at later.
            before, own = waiting.pop()
            folders.append(own)
            for entry in _entries(f"{folder}/{before}"):
                name = before + entry.name
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((f"{name}/", _stamp(name, entry.stat(follow_symlinks=False))))
                else:
                    files += _of_file(name, entry)
    except OSError as error:
        raise _unreadable(folder, error) from error
    return Tree(tuple(sorted(folders)), tuple(sorted(files)))


def _entries(path: str) -> list[os.DirEntry[str]]:
    with os.scandir(path) as found:
        return [entry for entry in found if entry.name not in LEFT_OUT]


def _of_file(name: str, entry: os.DirEntry[str]) -> Iterator[Stamp]:
    """A file or a link; what is neither holds nothing that could be read."""
    facts = entry.stat(follow_symlinks=False)
    linked = stat.S_ISLNK(facts.st_mode)
    if linked and name in _LINKED_FILES:
        yield _stamp(f"{name}/", os.stat(entry.path))
    if linked or stat.S_ISREG(facts.st_mode):
        yield _stamp(name, facts)


def _stamp(name: str, facts: os.stat_result) -> Stamp:
    return Stamp(name, facts.st_mode, facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)


def _taken(folder: str, stamps: tuple[Stamp, ...]) -> str:
    digest = hashlib.sha256()
    try:
        for one in sorted(stamps, key=lambda stamp: os.fsencode(stamp.name)):
            digest.update(_content(folder, one))
    except OSError as error:
        raise _unreadable(folder, error) from error
    return digest.hexdigest()


def _content(folder: str, one: Stamp) -> bytes:
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
