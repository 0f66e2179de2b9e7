"""How much of a SKILL.md is read, and is it UTF-8?"""

import codecs
import errno
import os
import stat
from typing import NamedTuple

from ..domain.problem import Problem
from .frontmatter import LONGEST_HEAD, Parts, split

HEAD = 4096
"""Bytes that are read first; nearly every frontmatter ends in them."""

MORE = 4 * LONGEST_HEAD + HEAD
"""Bytes that are read when the frontmatter does not end in the first ones; a character has four at most."""

LARGEST = 4 * 1024 * 1024
"""Bytes of a whole SKILL.md."""

_QUIET = os.O_RDONLY | os.O_NONBLOCK
"""Nonblocking: a named pipe must not stop a discovery."""
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_MANY_ZEROS = 4
"""One byte in so many being zero is no text in UTF-8."""


class Beginning(NamedTuple):
    """The beginning of a SKILL.md in its parts; the body is cut where the reading stopped."""

    parts: Parts
    linked: bool
    """Whether the file was reached by a link."""


def read_beginning(path: str, file: str) -> Beginning | Problem | None:
    """Read a file until its frontmatter has ended; None where there is no such file. `file` is its name in problems."""
    try:
        opened, linked = _open(path)
    except (FileNotFoundError, NotADirectoryError) as error:
        # A link that leads nowhere is there, and must be told.
        return _unreadable(file, error) if os.path.lexists(path) else None
    except OSError as error:
        return _unreadable(file, error)
    try:
        found = _first_parts(opened, file)
    except OSError as error:
        return _unreadable(file, error)
    finally:
        os.close(opened)
    return found if isinstance(found, Problem) else Beginning(found, linked)


def _open(path: str) -> tuple[int, bool]:
    try:
        return os.open(path, _QUIET | os.O_NOFOLLOW), False
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        return os.open(path, _QUIET), True


def _first_parts(opened: int, file: str) -> Parts | Problem:
    # Whether it is a regular file is not asked: what is read is bounded and does not wait, and a pipe has no text.
    data = os.read(opened, HEAD)
    found = _parts(data, file, whole=len(data) < HEAD)
    if len(data) == HEAD and isinstance(found, Parts) and found.head is None:
        data += _read(opened, MORE - HEAD)
        found = _parts(data, file, whole=len(data) < MORE)
    return found


def read_whole(path: str, file: str, *, links: bool = True) -> str | Problem:
    """Read a file's whole text, without a mark of byte order; through a link only with `links`."""
    try:
        opened = os.open(path, _QUIET if links else _QUIET | os.O_NOFOLLOW)
    except OSError as error:
        if error.errno == errno.ELOOP and not links:
            return not_followed(file)
        return _unreadable(file, error)
    try:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            return Problem("file.kind", file, "this is no regular file")
        data = _read(opened, LARGEST + 1)
    except OSError as error:
        return _unreadable(file, error)
    finally:
        os.close(opened)
    if len(data) > LARGEST:
        return Problem("file.size", file, f"the file has more than {LARGEST:,} bytes")
    text = decode(data, file)
    return text if isinstance(text, Problem) else text.removeprefix("\ufeff")


def not_followed(file: str) -> Problem:
    """What is told of a file that is a link where none is followed."""
    return Problem("resource.link", file, "links are not followed", cure="copy the file")


def decode(data: bytes, file: str, *, whole: bool = True) -> str | Problem:
    """Decode UTF-8, the only encoding there is; a character that is cut at the end is an error only of a whole file."""
    try:
        text, _ = codecs.utf_8_decode(data, "strict", whole)
    except UnicodeDecodeError as error:
        wide = data[:2] in _WIDE or data.count(0) * _MANY_ZEROS > len(data)
        return _not_utf8(file, error.start, wide=wide)
    if "\0" in text and data.count(0) * _MANY_ZEROS > len(data):
        return _not_utf8(file, data.index(0), wide=True)
    return text


def _not_utf8(file: str, offset: int, *, wide: bool) -> Problem:
    looks = "it looks like UTF-16; " if wide else ""
    cause = f"the file is not UTF-8: the first bad byte is at offset {offset}"
    return Problem("encoding.not_utf8", file, cause, cure=f"{looks}save it as UTF-8")


def _parts(data: bytes, file: str, *, whole: bool) -> Parts | Problem:
    text = decode(data, file, whole=whole)
    return text if isinstance(text, Problem) else split(text, whole=whole)


def _read(opened: int, most: int) -> bytes:
    pieces: list[bytes] = []
    while most > 0 and (piece := os.read(opened, min(most, 1 << 20))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def _unreadable(file: str, error: OSError) -> Problem:
    return Problem("file.unreadable", file, f"the file cannot be read: {error.strerror}")
