"""What stands in a skill folder's `skill.toml`, and on which lines?"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ..domain.action import Miss
from ..domain.problem import Problem
from .head import decode
from .inside import read_inside

FILE = "skill.toml"
LARGEST = 256 * 1024
"""Bytes of a skill.toml."""
WORDS = "text"
"""What `takes` and `hands_back` say for plain text instead of a schema's file."""

_HEADER = re.compile(r"\s*\[\s*([\w.\s-]+?)\s*\]\s*(?:#.*)?$")
_AT_LINE = re.compile(r"\(at line (\d+)")


@dataclass(frozen=True, slots=True)
class Toml:
    """A `skill.toml` as it was read: its tables, its text, and its name in problems."""

    tables: Mapping[str, Any]
    text: str
    file: str

    @property
    def job(self) -> Mapping[str, Any]:
        """The table `[job]`, empty where it is absent or no table."""
        job = self.tables.get("job")
        return job if isinstance(job, dict) else {}

    @property
    def schema_names(self) -> frozenset[str]:
        """The files that it names as schemas."""
        named = (self.job.get("takes"), self.job.get("hands_back"))
        return frozenset(name for name in named if isinstance(name, str) and name != WORDS)

    def line(self, key: str, *, table: str = "") -> int | None:
        """The line of a key of a table such as `job.stop`; None where it cannot be told."""
        now = ""
        for number, line in enumerate(self.text.split("\n"), 1):
            header = _HEADER.match(line)
            if header:
                now = header[1].replace(" ", "")
                if f"{table}.{key}".lstrip(".") == now:
                    return number
                continue
            left = line.partition("=")[0].strip().strip("\"'")
            if "=" in line and f"{now}.{left}".lstrip(".") == f"{table}.{key}".lstrip("."):
                return number
        return None


def read_toml(folder: str, *, file: str = FILE) -> Toml | Problem:
    """Read a folder's `skill.toml`. Numbers with a point are exact decimals. `file` is its name in problems."""
    import tomllib  # noqa: PLC0415 - few skills have a skill.toml, and a catalogue without one need not wait for this

    data = read_inside(folder, FILE, most=LARGEST)
    if isinstance(data, Miss):
        return Problem("declared.toml", file, data.reason)
    text = decode(data, file)
    if isinstance(text, Problem):
        return text
    try:
        return Toml(tomllib.loads(text, parse_float=Decimal), text, file)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        place = _AT_LINE.search(str(error))
        cause = f"this is no TOML: {error}"
        return Problem("declared.toml", file, cause, int(place[1]) if place else None)
