"""What is waiting to be written?"""

from dataclasses import dataclass, field
from typing import Any

Row = tuple[Any, ...]


@dataclass(slots=True)
class Batch:
    """Rows of all tasks that go into one transaction, each list in the order in which they were added."""

    begins: list[Row] = field(default_factory=list[Row])
    entries: list[Row] = field(default_factory=list[Row])
    yeses: list[Row] = field(default_factory=list[Row])
    ends: list[Row] = field(default_factory=list[Row])

    def __bool__(self) -> bool:
        return bool(self.entries or self.begins or self.yeses or self.ends)

    def before(self, later: "Batch") -> "Batch":
        """This batch with a later one behind it."""
        return Batch(
            self.begins + later.begins,
            self.entries + later.entries,
            self.yeses + later.yeses,
            self.ends + later.ends,
        )
