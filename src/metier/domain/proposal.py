"""What is a person asked, and what may they answer?"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Proposal:
    """One call that waits for an answer (O81). An approval request is the same object."""

    id: str
    task: str
    call_id: str
    action: str
    """What would be carried out, such as `expense-report/scripts/validate.py`."""
    arguments: Mapping[str, Any]
    effects: tuple[str, ...]
    words: str
    """The call in plain words."""
    subject: str = ""
    """What a wider yes would cover, such as `scripts of skill expense-report@<digest>`; empty: this call only."""
    confinement: str = ""
    """Under what confinement it would run, in plain words; empty for what runs no code."""
    kept: bool = False
    """Whether a yes is kept for later tasks, as long as the subject is the same."""
    unknown: bool = False
    """Whether it is about a call that had begun when its process died: a yes lets it be done again, a no leaves it."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """JSON Schema that edited arguments must fit (O86)."""
    names: str = ""
    """The rows that it touches, in plain words, as the skill names them (O19)."""
    version: str = ""
    """What the work's world was when it was proposed, as the skill tells it; a yes holds for that only (O18, O83)."""
    help: bool = False
    """Whether it asks for help with a job that is stuck: the reason of a yes is the help, and a no ends the job (O27)."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An approver's answer. It counts once it is on the record."""

    answer: Literal["yes", "no", "nobody", "later"]
    """`nobody`: there is nobody to ask; the task ends Refused with `reason` as the cure. `later`: the proposal waits on
    the record, and the task with it, until somebody answers."""
    by: str
    """Who answered: a person's name, a rule's name, or a flag."""
    reason: str = ""
    covers: Literal["call", "subject"] = "call"
    """This exact call, once; or everything under the proposal's subject, until the task ends."""
    arguments: Mapping[str, Any] | None = None
    """The arguments as the approver edited them; none: as they were proposed (O86)."""


ProposalState = Literal["Pending", "Approved", "Declined", "Done", "Stale", "Withdrawn"]
"""What became of a proposal (O81). Done: it was approved and its call was begun. Stale: it was approved, and by then the
world was no longer what it was made for."""


@dataclass(frozen=True, slots=True)
class StoredProposal:
    """A proposal as any process with the record sees it, with what became of it."""

    proposal: Proposal
    state: ProposalState
    made: int
    """Nanoseconds since the epoch."""
    reply: Reply | None = None
    """The answer, once there is one."""
    answered: int | None = None
    """Nanoseconds since the epoch."""
