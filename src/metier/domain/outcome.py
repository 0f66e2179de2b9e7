"""What comes back to whoever gave the work?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from .money import Dollars
from .proposal import StoredProposal
from .receipt import Receipt
from .task import State

Out = TypeVar("Out")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Out]):
    """How a job came out, with its result as what the skill hands back (O33)."""

    result: Out | None
    """The result that was accepted; none where the job did not end Done."""
    receipt: Receipt
    """The account of the task."""
    proposals: Sequence[StoredProposal] = ()
    """What waits for an answer, where the task waits."""

    @property
    def done(self) -> bool:
        """Whether the job ended with a result that was accepted."""
        return self.receipt.done

    @property
    def task(self) -> str:
        """The task's id, which is its receipt's."""
        return self.receipt.id

    @property
    def state(self) -> State:
        """Done, Failed, Stopped, Waiting or Refused."""
        return self.receipt.state

    @property
    def reason(self) -> str:
        """Why it ended, as a word."""
        return self.receipt.reason

    @property
    def cost(self) -> Dollars:
        """What it cost, in dollars."""
        return self.receipt.cost
