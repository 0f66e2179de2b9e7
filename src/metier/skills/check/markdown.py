"""What does a Markdown text point at, and on which lines?"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

_FENCE = re.compile(r"[ \t>]*(?:[-*+] +|\d+[.)] +)?(`{3,}|~{3,})")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)")
_LONGEST_LINE = 20_000
"""Characters of a line in which pairs of backticks are looked for."""
_LINK = re.compile(
    r"\]\(\s*(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*))(?:\s+[\"'][^\n]{0,300}?)?\s*\)"
    r"|^ {0,3}\[[^\]^\n][^\]\n]*\]:[ \t]*(\S+)"
    r"|\b(?:src|href)=[\"']([^\"'\s]+)[\"']",
    re.MULTILINE,
)
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_PATH = re.compile(
    r"(?<![\w/.}$~@:-])(?:\./)?((?:references|scripts|assets)/(?:[\w.-]+/)*[\w-][\w.-]*\.\w{1,5})(?![\w/*{<$\[])"
)
_ELSEWHERE = re.compile(r"[A-Za-z][\w+.-]*:|//|#")
_PLACEHOLDER = re.compile(r"[{}$<>*|]|\.\.\.|…")


class Target(NamedTuple):
    """One thing that a text points at."""

    name: str
    """Its path as it is written, without anchor and query."""
    at: int
    """How many lines lie before it."""


def prose(text: str) -> str:
    """The same text with all code as blanks, so that what is left stands where it stood."""
    return "\n".join(_blanked(line, block=block) for line, block in _lines(text))


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """The lines of a text, each with whether it belongs to a block of code."""
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if fence:
            yield line, True
            if match and match[1].startswith(fence) and not line[match.end() :].strip("`~ \t"):
                fence = ""
        else:
            fence = match[1] if match and "`" not in line[match.end() :] else ""
            yield line, bool(fence)


def _blanked(line: str, *, block: bool) -> str:
    if block:
        return " " * len(line)
    if "`" not in line or len(line) > _LONGEST_LINE:
        return line
    return _CODE.sub(lambda found: " " * len(found[0]), line)


def links(plain: str) -> Iterator[Target]:
    """The links, images and definitions of a text without its code that point at files, not at other hosts."""
    for match in _LINK.finditer(plain):
        written = next((part for part in match.groups() if part), "")
        if not written or _ELSEWHERE.match(written) or _PLACEHOLDER.search(written):
            continue
        name = unquote(re.split(r"[#?]", written, maxsplit=1)[0])
        # `[text](url)` is how a text speaks of links; a file's name has a dot or a slash.
        if name.isprintable() and ("." in name or "/" in name):
            yield Target(name, plain.count("\n", 0, match.start()))


def code_paths(text: str) -> Iterator[Target]:
    """The paths such as `scripts/run.py` that stand in the code spans of a text; what stands in a block is left out."""
    for at, (line, block) in enumerate(_lines(text)):
        if block or "`" not in line or len(line) > _LONGEST_LINE:
            continue
        for span in _CODE.finditer(line):
            for path in _PATH.finditer(span[2]):
                yield Target(path[1], at)


def comments(plain: str) -> Iterator[Target]:
    """The HTML comments of a text without its code; the name is what they say."""
    for match in _COMMENT.finditer(plain):
        if match[1].strip():
            yield Target(" ".join(match[1].split()), plain.count("\n", 0, match.start()))
