"""What is one entry of the record?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal[
    "Given",
    "Briefed",
    "ModelCalled",
    "ModelAnswered",
    "ToolCalled",
    "ToolReturned",
    "Refused",
    "SentBack",
    "Proposed",
    "Approved",
    "Declined",
    "Stale",
    "AskedForHelp",
    "Helped",
    "Paused",
    "Resumed",
    "Fault",
    "Cleared",
    "Retried",
    "HandedBack",
    "Done",
    "Failed",
    "Stopped",
]
"""The kinds of entries (O91). A task's end carries the fact `ended`: its state. `Paused` ends a run that waits, and
`Resumed` begins the next one, after an end too: a stopped task can go on. `Retried` begins another try of a task that
failed, and `Stale` is a yes that came when the work's world was no longer what was approved."""

Outcome = Literal["done", "failed", "sent_back", "never_ran", "unknown", "stopped"]
"""How a call that had begun came out. A begin without an end is unknown; it is written when nobody could settle it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One numbered, chained entry of one task."""

    task: str
    number: int
    """From 1, without gaps."""
    kind: Kind
    at: int
    """Nanoseconds since the epoch, UTC."""
    facts: Mapping[str, Any]
    """Small plain JSON that the chain is taken over: who, what, how long, how much, and digests."""
    body: Mapping[str, Any] | None
    """The contents: arguments, results, texts. None when there were none, or when they were erased."""
    digest: str
    """SHA-256 over the previous entry's digest and this entry's facts."""
