"""What does a record answer, and how is it told what to do?"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from ..domain.money import Dollars, Usage

Durability = Literal["ends", "power"]
"""What a commit survives: the end of this process (a task's end survives a power cut), or always a power cut."""

Clock = Callable[[], int]
"""The time in nanoseconds since the epoch."""


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One line of the list of tasks. It is written when a task begins, waits, is taken up, and ends."""

    id: str
    skill: str
    source: str
    giver: str
    started: int
    """Nanoseconds since the epoch."""
    ended: int | None
    state: str
    reason: str
    waits_for: str = ""
    """`person`, `time`, `worker`, `child:` with a task's id, or `agent:` with an agent's name; empty while somebody works on it."""
    wake_at: int | None = None
    """The moment at which it goes on at the latest, in nanoseconds since the epoch."""
    lease_until: int = 0
    """Until when its owner's word holds, in nanoseconds since the epoch; 0 while nobody works on it."""
    takeovers: int = 0
    """How many owners in a row came neither to a wait nor to an end."""
    stop: str = ""
    """Who asked for it to be stopped."""
    agent: str = ""
    """The agent that does it; empty: the app itself."""


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


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What one model was used for, for one skill, by one agent, on one day in UTC."""

    day: str
    """As `2026-11-30`."""
    skill: str
    model: str
    calls: int
    usage: Usage
    cost: Dollars
    agent: str = ""
    """Empty: the app itself."""

    def __add__(self, other: "ModelUse") -> "ModelUse":
        calls, usage, cost = self.calls + other.calls, self.usage + other.usage, self.cost + other.cost
        return replace(self, calls=calls, usage=usage, cost=cost)
