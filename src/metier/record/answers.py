"""What does a record answer, and how is it told what to do?"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Durability = Literal["ends", "power"]
"""What a commit survives: the end of this process (a task's end survives a power cut), or always a power cut."""

Clock = Callable[[], int]
"""The time in nanoseconds since the epoch."""


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One line of the list of tasks. It is written when a task begins and when it ends."""

    id: str
    skill: str
    source: str
    giver: str
    started: int
    """Nanoseconds since the epoch."""
    ended: int | None
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What came out when a task's entries and contents were checked against the chain."""

    ok: bool
    entries: int
    head: str
    """The digest of the last entry."""
    problems: tuple[str, ...]
    erased: int
    """How many entries had a body that was erased. The chain holds without them."""
    says: str
    """What this proves and what it does not, in plain words."""
