"""In what state is a piece of work, and how can it end?"""

from dataclasses import dataclass
from typing import Any, Literal

State = Literal["Running", "Waiting", "Done", "Failed", "Stopped", "Refused"]
"""The states of a task (O33). The last four are ends."""

Reason = Literal[
    "handed_back",
    "answered",
    "max_turns",
    "stuck",
    "repeats",
    "budget",
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
class GivenFile:
    """A file that a task was given: its name in the scratch folder, its digest and its length in bytes."""

    name: str
    digest: str
    length: int
