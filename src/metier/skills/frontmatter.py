"""Where is the frontmatter of a SKILL.md, and which fields does it hold?"""

import re
from typing import NamedTuple

from ..domain.problem import Problem
from .repair import repair
from .yaml_lines import read_lines
from .yaml_loader import Fault, Loaded, load_yaml

LONGEST_HEAD = 65_536
"""Characters of a frontmatter; one that is longer is not read."""

_FENCE = "---\n"
_OPENING = re.compile(r"(?:[ \t]*\n)*---[ \t]*\n")
_CLOSING = re.compile(r"^---[ \t]*$", re.MULTILINE)


class Parts(NamedTuple):
    """A SKILL.md in its two parts."""

    head: str | None
    """What stands between the fences, without them; None: there is no frontmatter."""
    body: str
    head_line: int = 1
    """The line of the file on which the head begins."""
    closed: bool = True
    """False: a frontmatter begins and never ends."""


def split(text: str, *, whole: bool = True) -> Parts:
    r"""Split a file's text at its fences: lines of exactly three dashes, with nothing but blanks after them.

    One mark of byte order at the start is dropped, and all line ends become `\n`. `whole=False` says that the text is only
    the beginning of a file; a fence in its last, perhaps unfinished line is then not taken for one.
    """
    if text[:1] == "\ufeff":
        text = text[1:]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.startswith(_FENCE):
        end = text.find("\n" + _FENCE, len(_FENCE) - 1)
        if end > 0:
            return Parts(text[len(_FENCE) : end + 1], text[end + 1 + len(_FENCE) :], 2)
    opening = _OPENING.match(text)
    if opening is None:
        return Parts(None, text)
    start = opening.end()
    line = text.count("\n", 0, start) + 1
    closing = _CLOSING.search(text, start)
    if closing is None or (not whole and closing.end() == len(text)):
        return Parts(None, text, line, closed=False)
    return Parts(text[start : closing.start()], text[closing.end() + 1 :], line)


def starts_late(parts: Parts, file: str) -> Problem | None:
    """What is wrong with a frontmatter before which blank lines stand."""
    blank = parts.head_line - 2
    if parts.head is None or blank < 1:
        return None
    cause = "the frontmatter must begin on the first line"
    return Problem("frontmatter.start", file, cause, 1, f"remove the {blank} blank line(s) before it")


def parse(head: str, *, cures: bool = True) -> Loaded | Fault:
    """Read a head's fields: line by line where it is plain, else by libyaml, else with broken values taken as text.

    Without `cures` a broken value is a fault.
    """
    if len(head) > LONGEST_HEAD:
        return Fault(1, f"the frontmatter is longer than {LONGEST_HEAD:,} characters")
    plain = read_lines(head)
    if plain is not None:
        return Loaded(*plain)
    loaded = load_yaml(head)
    return repair(head, loaded) if cures and isinstance(loaded, Fault) else loaded
