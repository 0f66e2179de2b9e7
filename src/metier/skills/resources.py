"""How is a resource shown to a model: whole, in part, as a picture, or told of?

Text is shown as it stands. Of a long one the model gets a part of whole lines, and a last line in square brackets that says
what there is and how to ask for the rest. What is no text is named and never guessed at.
"""

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..domain.action import Miss, Returned
from ..domain.message import Picture
from ..domain.near import there_is

LONGEST = 16_000
"""Characters of one answer, as for the output of scripts."""
LONGEST_LINE = 64_000
"""Characters of a line that is still shown: lines are never split."""
LARGEST_PICTURE = 3_750_000
"""Bytes of a picture that is shown. Anthropic takes 5 MB of it in base64, OpenAI and Google take more."""
NAMED = 30
"""Sections that are named below a part."""
DEEPEST_HEADING = 6
LONGEST_TITLE = 200
"""Characters of a line that is still taken for a heading."""
PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""What every provider that shows pictures takes."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", ""),
    # The marks of UTF-32 begin like those of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"SQLite format 3\x00", "application/vnd.sqlite3"),
)
_CONTROL = bytes(byte for byte in range(32) if byte not in b"\t\n\f\r")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_RANGE = re.compile(r"\s*(\d{1,9})\s*(-\s*(\d{1,9})?\s*)?")
_PLAIN = str.maketrans("", "", "`*_")


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource as it was read, with the part of it that was asked for."""

    name: str
    data: bytes = field(repr=False)
    lines: str = ""
    """Such as `120-240`; empty: not asked for by lines."""
    section: str = ""
    """The text of a Markdown heading; empty: not asked for by section."""


class Section(NamedTuple):
    """A heading of a Markdown text with all that stands below it, as places in the list of lines."""

    title: str
    level: int
    first: int
    end: int


def shown(resource: Resource, *, keep: Callable[[bytes], str]) -> Returned:
    """The answer to a model that reads a resource. `keep` keeps a content and answers its digest."""
    read = _text(resource.data)
    if read is not None:
        text, encoding = read
        returned = _text_shown(resource, text)
        note = f"[{resource.name} is {encoding}, and was read as that.]"
        return Returned(text=_below(returned.text or "", note)) if encoding and returned.ok else returned
    kind = media_type(resource.data)
    digest = keep(resource.data)
    told = f"{kind}, {len(resource.data):,} bytes, kept as content sha256:{digest}"
    if kind not in PICTURES:
        return _missed(f"{resource.name} is no text that can be shown: {told}. A script may read it.", "not_text")
    if len(resource.data) > LARGEST_PICTURE:
        return _missed(f"{resource.name} is too large to be shown: {told}.", "size")
    return Returned(text=f"{resource.name} is a picture: {told}.", pictures=(Picture(kind, resource.data, digest),))


def media_type(data: bytes) -> str:
    """What the first bytes say that this is; text in another encoding is told from what is no text at all."""
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            return kind
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    if data[1::2].count(0) * 3 > len(data) or data[::2].count(0) * 3 > len(data):
        return "text that looks like UTF-16 without a byte order mark"
    if len(data.translate(None, _CONTROL)) == len(data):
        return "text in an encoding that is not UTF-8"
    return "application/octet-stream"


def sections_of(lines: Sequence[str]) -> list[Section]:
    """The sections of a Markdown text, by its headings that begin with `#`; what stands in code is no heading."""
    found: list[Section] = []
    headings = [*_headings(lines), (0, "", len(lines))]
    waiting: list[tuple[int, str, int]] = []
    for level, title, at in headings:
        while waiting and waiting[-1][0] >= level:
            above = waiting.pop()
            found.append(Section(above[1], above[0], above[2], at))
        waiting.append((level, title, at))
    return sorted(found, key=lambda section: section.first)


def _text(data: bytes) -> tuple[str, str] | None:
    """The text, and its encoding where that is not UTF-8; none for what is no text."""
    codec, name = next(((codec, name) for mark, codec, name in _MARKS if data.startswith(mark)), ("utf-8", ""))
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text or text.startswith("%PDF-") else (text, name)


def _missed(text: str, code: str) -> Returned:
    return Returned(text=text, ok=False, code=f"resource.{code}")


def _text_shown(resource: Resource, text: str) -> Returned:
    if not resource.lines and not resource.section and len(text) <= LONGEST:
        return Returned(text=text)
    lines: list[str] = _LINE.findall(text)
    markdown = resource.name.lower().endswith((".md", ".markdown", ".mdx"))
    sections = sections_of(lines) if markdown else []
    part = _asked(resource, lines, sections)
    if isinstance(part, Miss):
        return Returned(text=part.reason, ok=False, code=part.code)
    first, end = part
    last = _fitting(lines, first, end)
    if last == first < end:
        return _endless(resource, lines, first)
    more = _next(lines, last) if last < (end if resource.section else len(lines)) else ""
    note = f"{resource.name}: lines {first + 1}-{last} of {len(lines):,}; {len(text):,} characters in all."
    told = " ".join(filter(None, (note, more, _sections_told(resource, sections))))
    return Returned(text=_below("".join(lines[first:last]), f"[{told}]"))


def _endless(resource: Resource, lines: Sequence[str], at: int) -> Returned:
    told = (
        f"Line {at + 1} of {resource.name} has {len(lines[at]):,} characters; lines of more than {LONGEST_LINE:,} are not "
        f"shown. A script may read it. {_next(lines, at + 1)}"
    )
    return _missed(told.rstrip(), "line")


def _asked(resource: Resource, lines: Sequence[str], sections: Sequence[Section]) -> tuple[int, int] | Miss:
    """The places of the first line that is asked for and of the one behind the last."""
    if resource.lines and resource.section:
        return Miss("resource.part", "Ask by lines or by section, not by both.")
    if resource.section:
        return _section(resource, sections)
    if not resource.lines:
        return 0, len(lines)
    first, last = _range(resource.lines, len(lines))
    if first < 1 or last < first:
        return Miss("resource.part", f'lines must be such as "120-240", not {resource.lines[:80]!r}.')
    if first > len(lines):
        return Miss("resource.part", f"{resource.name} has only {len(lines):,} lines.")
    return first - 1, min(last, len(lines))


def _range(asked: str, count: int) -> tuple[int, int]:
    """The first and the last number of a range; zeros for what is none."""
    match = _RANGE.fullmatch(asked)
    if match is None:
        return 0, 0
    first = int(match[1])
    return first, int(match[3] or max(count, first)) if match[2] else first


def _section(resource: Resource, sections: Sequence[Section]) -> tuple[int, int] | Miss:
    same = _same(resource.section, sections)
    if same:
        return same[0].first, same[0].end
    if not sections:
        return Miss("resource.part", f"{resource.name} has no sections. Ask for lines.")
    title = resource.section[:80]
    there = there_is(title, [section.title for section in sections])
    return Miss("resource.part", f"{resource.name} has no section {title!r}.{there}")


def _same(title: str, sections: Sequence[Section]) -> list[Section]:
    asked = _bare(title.lstrip("# "))
    return [section for section in sections if _bare(section.title) == asked]


def _bare(title: str) -> str:
    return " ".join(title.translate(_PLAIN).split()).casefold()


def _fitting(lines: Sequence[str], first: int, end: int) -> int:
    """Behind how many lines a part ends: as many as fit, and one at least unless it is too long for any answer."""
    at, length = first, 0
    while at < end and length + len(lines[at]) <= LONGEST:
        length += len(lines[at])
        at += 1
    return at + 1 if at == first < end and len(lines[at]) <= LONGEST_LINE else at


def _next(lines: Sequence[str], at: int) -> str:
    if at >= len(lines):
        return ""
    return f'Go on with lines "{at + 1}-{max(_fitting(lines, at, len(lines)), at + 1)}".'


def _sections_told(resource: Resource, sections: Sequence[Section]) -> str:
    """Below a first part: which sections there are. Below a section: where else its heading stands."""
    if resource.section:
        others = _same(resource.section, sections)[1:]
        lines = ", ".join(f"{section.first + 1}-{section.end}" for section in others)
        return f"The same heading stands at lines {lines}." if lines else ""
    if resource.lines or not sections:
        return ""
    titles = list(dict.fromkeys(section.title for section in sections))
    more = f" and {len(titles) - NAMED} more" if len(titles) > NAMED else ""
    return "Or ask by section: " + ", ".join(f'"{title}"' for title in titles[:NAMED]) + f"{more}."


def _below(text: str, note: str) -> str:
    return f"{text}{note}" if text.endswith(("\n", "\r")) or not text else f"{text}\n{note}"


def _headings(lines: Sequence[str]) -> Iterator[tuple[int, str, int]]:
    """Level, text and place of each heading."""
    fence = ""
    for at, line in enumerate(lines):
        bare = line.strip()
        if fence:
            fence = "" if bare.startswith(fence) and not bare.strip(fence[0]) else fence
        elif bare.startswith(("```", "~~~")):
            fence = bare[: len(bare) - len(bare.lstrip(bare[0]))]
        elif bare.startswith("#") and not line.startswith(("    ", "\t")):
            level, title = _heading(bare)
            if title:
                yield level, title, at


def _heading(bare: str) -> tuple[int, str]:
    """Level and text of a line that begins with `#`; no text for one that is no heading."""
    rest = bare.lstrip("#")
    level = len(bare) - len(rest)
    title = " ".join(rest.rstrip("#").split())
    good = level <= DEEPEST_HEADING and rest[:1].isspace() and len(title) <= LONGEST_TITLE
    return level, title if good else ""
