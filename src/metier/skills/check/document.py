"""What is looked at when a skill is checked: its file in parts, and its other files with their texts?"""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from ...domain.action import Miss
from ...domain.problem import Problem
from ...domain.skill import SkillFile
from ..fields import shown
from ..files import list_files
from ..frontmatter import Parts, parse, split
from ..head import decode, read_whole
from ..inside import read_inside
from ..reader import OTHER_CASES, SKILL_FILE
from ..skill_toml import FILE as SKILL_TOML
from ..skill_toml import read_toml
from ..yaml_loader import Loaded

LARGEST_TEXT = 1024 * 1024
"""Bytes of a file that is looked into."""
_MOST = 32 * 1024 * 1024
"""Bytes of one skill's files that are looked into, all together."""
_BOM = b"\xef\xbb\xbf"
_MARKDOWN = (".md", ".markdown")


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One skill folder as its rules see it. Every line of a text ends with a line feed alone."""

    folder: str
    bare: str
    """The folder's own name."""
    stored: str
    """How the skill's file is spelt."""
    text: str
    """The whole file, without a mark of byte order."""
    marked: bool
    """Whether a mark of byte order stands before it."""
    parts: Parts
    loaded: Loaded | None
    """The fields; None where there are none, or where the head is no YAML."""
    files: tuple[SkillFile, ...]
    texts: Mapping[str, str]
    """What stands in the other files that are text, by their names."""
    problems: tuple[Problem, ...] = ()
    """What was met while the other files were read."""

    @property
    def file(self) -> str:
        """The skill's file as problems name it."""
        return self.named(self.stored)

    def named(self, name: str) -> str:
        """A file of the skill as problems name it."""
        return f"{self.bare}/{name}"

    @property
    def body_line(self) -> int:
        """The line of the file on which the body begins."""
        return self.text.count("\n", 0, len(self.text) - len(self.parts.body)) + 1

    def line(self, key: str) -> int | None:
        """The line of a field."""
        at = self.loaded.lines.get(key) if self.loaded else None
        return None if at is None else at + self.parts.head_line - 1

    @property
    def head_lines(self) -> list[tuple[int, str]]:
        """The lines between the fences, each with its number in the file."""
        head = self.parts.head or ""
        return list(enumerate(head.split("\n"), self.parts.head_line))


def stored_name(folder: str) -> str:
    """How a folder spells the name of its skill's file, whatever its disk makes of cases; empty where it has none."""
    try:
        names = os.listdir(folder)
    except OSError:
        return ""
    return next((name for name in (SKILL_FILE, *OTHER_CASES) if name in names), "")


def read_document(folder: str) -> Document | None:
    """Read what a check looks at; None where the skill's file cannot be read, which the reader tells."""
    bare = shown(os.path.basename(os.path.abspath(folder)))
    stored = stored_name(folder)
    whole = read_whole(f"{folder}/{stored}", f"{bare}/{stored}") if stored else None
    if not isinstance(whole, str):
        return None
    text = _plain(whole)
    parts = split(text)
    loaded = None if parts.head is None else parse(parts.head)
    listing = list_files(folder, leave_out=_schemas(folder))
    texts, unread = _texts(folder, bare, listing.files)
    return Document(
        folder=folder,
        bare=bare,
        stored=stored,
        text=text,
        marked=_begins_with_bom(f"{folder}/{stored}"),
        parts=parts,
        loaded=loaded if isinstance(loaded, Loaded) else None,
        files=listing.files,
        texts=texts,
        problems=(*listing.problems, *unread),
    )


def is_markdown(name: str) -> bool:
    """Whether a file is Markdown by its name."""
    return name.lower().endswith(_MARKDOWN)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _begins_with_bom(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(_BOM)) == _BOM
    except OSError:
        return False


def _schemas(folder: str) -> frozenset[str]:
    if not os.path.lexists(f"{folder}/{SKILL_TOML}"):
        return frozenset()
    toml = read_toml(folder)
    return frozenset() if isinstance(toml, Problem) else toml.schema_names


def _texts(folder: str, bare: str, files: tuple[SkillFile, ...]) -> tuple[dict[str, str], list[Problem]]:
    """The files that are text; one that claims to be and is no UTF-8 is told."""
    texts: dict[str, str] = {}
    problems: list[Problem] = []
    left = _MOST
    for file in files:
        if file.size > min(LARGEST_TEXT, left):
            continue
        data = read_inside(folder, file.name, most=LARGEST_TEXT)
        if isinstance(data, Miss):
            continue
        left -= len(data)
        text = decode(data, f"{bare}/{file.name}")
        if isinstance(text, str):
            if "\0" not in text:
                texts[file.name] = _plain(text.removeprefix("\ufeff"))
        elif is_markdown(file.name):
            problems.append(Problem("encoding.not_utf8", text.file, text.cause, cure=text.cure, level="warning"))
    return texts, problems
