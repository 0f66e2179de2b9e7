"""What is one use of an action, and how did it come out?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from .task import Ended, Waits

if TYPE_CHECKING:
    # Declaring an action must not cost the import of messages and money.
    from .message import Picture

HAND_BACK = "hand_back"
"""The action that finishes a job with a typed result (O21)."""


@dataclass(frozen=True, slots=True)
class Call:
    """One use of an action by a model, a program, a person or a task."""

    id: str
    action: str
    arguments: Mapping[str, Any] | str
    """JSON data; or the text as it came where that is no JSON object."""
    turn: int
    parent: str | None = None
    """The call that it was made inside of."""


@dataclass(frozen=True, slots=True)
class Answered:
    """How a call came out: the model's answer is `text`, whatever happened."""

    call: Call
    outcome: Literal["done", "failed", "sent_back", "refused", "unknown", "waits"]
    """`waits`: it has not come out yet, and the run ends here; `unknown`: begun, and nobody knows what became of it."""
    code: str
    text: str
    value: Any = None
    ended: Ended | Waits | None = None
    """Set when the call's coming out ends the run: there was nobody to ask, its check broke, or somebody is waited for."""
    pictures: "Sequence[Picture]" = ()

    @property
    def ok(self) -> bool:
        """Whether the action did what it was called for."""
        return self.outcome == "done"
