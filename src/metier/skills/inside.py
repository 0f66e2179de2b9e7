"""How is a file of a skill opened so that nothing outside its folder can be reached?

Each part of the name is opened beside the one before it and no link is followed, so what was judged is what is read: a
swap in between gains nothing.
"""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager

from ..domain.action import Miss

LARGEST = 16 * 1024 * 1024
"""Bytes of one file that are read at most."""

_QUIET = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW
"""Nonblocking: a named pipe must not stop the reader."""


def read_inside(folder: str, name: str, *, most: int = LARGEST) -> bytes | Miss:
    """Read the regular file that `name` (forward slashes) names below a folder.

    The folder itself may be reached by links; nothing below it may. A miss has one of the codes `resource.outside` (the
    name leaves the folder, or a link does), `resource.missing`, `resource.kind` (no regular file), `resource.size` and
    `resource.unreadable`.
    """
    parts = name.split("/")
    if not name.isprintable() or any(part in ("", ".", "..") for part in parts):
        return Miss("resource.outside", f"{name!r} is not the name of a file of this skill")
    try:
        with _opened(folder, parts) as file:
            return _read(file, name, most)
    except FileNotFoundError:
        return Miss("resource.missing", f"there is no file {name!r}")
    except OSError as error:
        if _is_link(folder, parts):
            return Miss("resource.outside", f"{name!r} leads through a link, and links are not followed")
        return Miss("resource.unreadable", f"{name!r} cannot be read: {error.strerror}")


def leads_out(path: str, bound: str) -> bool:
    """Whether a path leads, through its links, to a place that is not below a folder."""
    return not f"{os.path.realpath(path)}/".startswith(os.path.realpath(bound).rstrip("/") + "/")


@contextmanager
def _opened(folder: str, parts: list[str]) -> Generator[int]:
    at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in parts[:-1]:
            at, before = os.open(part, _QUIET | os.O_DIRECTORY, dir_fd=at), at
            os.close(before)
        at, before = os.open(parts[-1], _QUIET, dir_fd=at), at
        os.close(before)
        yield at
    finally:
        os.close(at)


def _read(file: int, name: str, most: int) -> bytes | Miss:
    facts = os.fstat(file)
    if not stat.S_ISREG(facts.st_mode):
        return Miss("resource.kind", f"{name!r} is no regular file")
    if facts.st_size > most:
        return Miss("resource.size", f"{name!r} has {facts.st_size:,} bytes; {most:,} are read at most")
    pieces: list[bytes] = []
    length = 0
    while length <= most and (piece := os.read(file, 1 << 20)):
        pieces.append(piece)
        length += len(piece)
    if length > most:
        return Miss("resource.size", f"{name!r} grew while it was read; {most:,} bytes are read at most")
    return b"".join(pieces)


def _is_link(folder: str, parts: list[str]) -> bool:
    """Whether the refusal came from a link; it only chooses the words."""
    path = folder
    for part in parts:
        path = f"{path}/{part}"
        if os.path.islink(path):
            return True
    return False
