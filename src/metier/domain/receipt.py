"""What is the account of one task?"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .money import Dollars, Usage
from .task import GivenFile, State

_NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class SkillUsed:
    """A skill that a task loaded, read, ran or was given, with the digest of its files."""

    source: str
    name: str
    version: str
    digest: str


@dataclass(frozen=True, slots=True)
class CallCounts:
    """How many calls a task made and how they came out."""

    done: int = 0
    failed: int = 0
    refused: int = 0
    sent_back: int = 0
    proposed: int = 0
    approved: int = 0
    declined: int = 0
    stopped: int = 0
    """Cut in the middle: what they had done by then stays done."""
    never_ran: int = 0
    """Stopped after they were begun on the record and before anything was done."""
    unknown: int = 0
    """Begun and never ended: it is not known whether they took effect."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The account of one task: a fold of its entries (O89, O90). Its id is the task's."""

    id: str
    skill: SkillUsed
    giver: str
    state: State
    reason: str
    text: str
    """The reason as a sentence."""
    started: int
    """Nanoseconds since the epoch."""
    ended: int | None
    result: Any
    result_digest: str
    check: str
    """What judged the result; empty: nothing beyond its schema."""
    input_digest: str
    files: tuple[GivenFile, ...]
    model: str
    scripted: bool
    """Whether a script answered in the model's place."""
    model_calls: int
    usage: Usage
    cost: Dollars
    budget: Dollars | None
    priced: bool
    """Whether the model's price is known. If not, `cost` counts for nothing."""
    calls: CallCounts
    skills: tuple[SkillUsed, ...]
    """Every skill that was used, the task's own first."""
    confinement: tuple[str, ...]
    """The confinement that scripts really ran under, in plain words."""
    approvals: tuple[Mapping[str, Any], ...]
    """Who was asked for what, and what they answered. `stale` is true where a yes came too late to be carried out."""
    entries: int
    digest: str
    """The digest of the last entry, and so of the whole record of this task."""
    durability: str
    agent: str = ""
    """The agent that did it; empty: the app itself."""
    principal: str = ""
    """The agent's account: whose rights it acts with."""
    on_behalf_of: str = ""
    """The person for whom the giver gave it; empty: the giver."""
    sponsor: str = ""
    """Who answered for the agent at the time."""
    parent: str = ""
    """The task that handed this work on; empty: none did."""
    tries: int = 1
    """The number of its last try. Costs and counts go over all of them."""
    children: tuple[str, ...] = ()
    """The tasks that it handed work to and that have ended."""
    children_cost: Dollars = _NOTHING
    """What they cost, with their own children; `cost` is this task's alone."""

    @property
    def done(self) -> bool:
        """Whether the task ended with a result that was accepted."""
        return self.state == "Done"
