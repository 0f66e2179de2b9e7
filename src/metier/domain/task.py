"""In what state is a piece of work, and how can it end?"""

from dataclasses import dataclass
from typing import Any, Literal

State = Literal["Ready", "Running", "Waiting", "Done", "Failed", "Stopped", "Refused"]
"""The states of a task (O33). Ready: given, and nobody works on it yet. The last four are ends."""

RESUMABLE: frozenset[str] = frozenset({"Ready", "Running", "Waiting", "Stopped"})
"""The states from which a task can go on, whatever the reason."""

Reason = Literal[
    "handed_back",
    "answered",
    "max_turns",
    "stuck",
    "repeats",
    "budget",
    "spend_off",
    "seconds",
    "model",
    "fault",
    "cancelled",
    "nobody_to_ask",
    "declined",
    "unpriced",
    "changed",
]
"""Why a task ended: a closed set. The first two are Done."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: its state, the reason as a word and as a sentence, and the result if there is one."""

    state: Literal["Done", "Failed", "Stopped", "Refused"]
    reason: Reason
    text: str = ""
    result: Any = None
    """The result that the check accepted; for a task that did not end Done, the last one that fitted the schema."""


@dataclass(frozen=True, slots=True)
class Waits:
    """How a run ended before the task did: what the task waits for. It is a row of the record then, and no coroutine."""

    on: Literal["person", "time", "child", "agent", "worker", "mending"]
    """An answer; a moment; another task's end; that its agent works again; only somebody who goes on with it; or that what
    is missing is mended."""
    text: str = ""
    until: int | None = None
    """The moment to go on at the latest, in nanoseconds since the epoch."""
    child: str = ""
    """The task that is waited for."""
    agent: str = ""
    """The agent that is waited for."""


RunEnd = Ended | Waits
"""How one run of a task ended: the task ended with it, or waits."""


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file that a task was given: its name in the scratch folder, its digest and its length in bytes."""

    name: str
    digest: str
    length: int


def can_go_on(state: str, reason: str) -> bool:
    """Whether an ended task can go on: it was stopped, or its model could not be reached."""
    return state == "Stopped" or (state == "Failed" and reason == "model")
