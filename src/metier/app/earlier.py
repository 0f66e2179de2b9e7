"""What is on the record of a task that is taken up again?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..domain.entry import Entry
from ..domain.task import GivenFile
from ..errors import TaskError
from ..gate.past import Past, past_of
from ..record import Record


@dataclass(frozen=True, slots=True)
class Earlier:
    """The earlier runs of one task: their entries, and what became of their calls."""

    given: Entry
    """What the task was given."""
    briefed: Entry | None
    """What its model was told first; none when no run came so far."""
    entries: tuple[Entry, ...]
    past: Past
    content_path: Callable[[str], str]
    """Where a content of the record lies."""

    @property
    def how(self) -> Mapping[str, Any]:
        """How the task was given."""
        how: Mapping[str, Any] = (self.given.body or {}).get("how") or {}
        return how

    @property
    def files(self) -> list[GivenFile]:
        """The files that came with it."""
        return [GivenFile(one["name"], one["digest"], one["length"]) for one in self.given.facts["files"]]

    @property
    def nth(self) -> int:
        """Which try of the task the last run was at."""
        return max((entry.facts["try"] for entry in self.entries if entry.kind == "Retried"), default=1)

    @property
    def loads(self) -> int:
        """How often the code of its model was loaded."""
        return sum(call.startswith("c0.") for call in self.past.begun)


def earlier_of(record: Record, task: str) -> Earlier:
    """The earlier runs of a task.

    Raises:
        TaskError: its process died before the task was given whole, or its contents were erased.
    """
    entries = tuple(record.entries(task, whole=True))
    given = next((entry for entry in entries if entry.kind == "Given"), None)
    if given is None:
        raise TaskError(f"The task {task} was never given whole: its process died first.", hint="Give it again.")
    if given.body is None:
        raise TaskError(f"What the task {task} was given has been erased.", hint="Give it again.")
    briefed = next((entry for entry in entries if entry.kind == "Briefed"), None)
    past = past_of(entries, record.late(task), content=record.content)
    return Earlier(given, briefed, entries, past, record.content_path)
