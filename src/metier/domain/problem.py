"""What is wrong with a file, where, and what mends it?"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding about one file, as data: code, file, line, cause, cure."""

    code: str
    """A stable word such as `frontmatter.yaml` or `name.directory`."""
    file: str
    cause: str
    line: int | None = None
    """Counted from 1."""
    cure: str = ""
    level: Literal["error", "warning", "note"] = "error"

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        cure = f" ({self.cure})" if self.cure else ""
        return f"{place}: {self.level} {self.code}: {self.cause}{cure}"
