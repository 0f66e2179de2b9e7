"""What is on a page of the docs: its headings, its tables and its fenced code?"""

import re
from dataclasses import dataclass
from pathlib import Path

from .source import DOCS, ROOT

FENCE = re.compile(r"^(?P<indent> *)(?P<marks>`{3,}|~{3,})(?P<info>[^`]*)$")


@dataclass(frozen=True, slots=True)
class Fence:
    """One fenced block."""

    info: str
    """What stands behind the marks, such as `python` or `python no-run`."""
    line: int
    """Where the block's first line of content is, counted from 1."""
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The content with its line ends."""
        return "".join(f"{line}\n" for line in self.lines)


def pages() -> list[Path]:
    """README.md and every page under docs/."""
    return [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def fences(text: str) -> list[Fence]:
    """The fenced blocks of a page, in order. One without an end goes to the end of the page."""
    found: list[Fence] = []
    start: tuple[int, re.Match[str]] | None = None
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        match = FENCE.match(line)
        if start is None:
            start = (number, match) if match else None
        elif match and match["marks"].startswith(start[1]["marks"]) and not match["info"].strip():
            found.append(_fence(lines, start, number))
            start = None
    if start:
        found.append(_fence(lines, start, len(lines) + 1))
    return found


def _fence(lines: list[str], start: tuple[int, re.Match[str]], end: int) -> Fence:
    number, opening = start
    content = tuple(line.removeprefix(opening["indent"]) for line in lines[number : end - 1])
    return Fence(opening["info"].strip(), number + 1, content)


def sections(text: str, level: int = 2) -> dict[str, str]:
    """The text under each heading of one level, by the heading's words without its backticks."""
    parts = re.split(rf"^{'#' * level} +(.+)$", text, flags=re.MULTILINE)
    return {title.replace("`", "").strip(): body for title, body in zip(parts[1::2], parts[2::2], strict=True)}


def rows(text: str) -> list[list[str]]:
    """The cells of each table row, heads and rules left out."""
    lines = [line.strip() for line in text.splitlines()]
    table = [line.startswith("|") for line in lines]
    found: list[list[str]] = []
    for number, line in enumerate(lines):
        is_rule = set(line) <= set("|-: ")
        is_head = number + 1 < len(lines) and table[number + 1] and set(lines[number + 1]) <= set("|-: ")
        if table[number] and not is_rule and not is_head:
            found.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))])
    return found


def code_in(cell: str) -> list[str]:
    """What stands in backticks in a cell."""
    return re.findall(r"`([^`]+)`", cell)
