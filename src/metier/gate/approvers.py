"""Who answers proposals when no person sits at a terminal?"""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ..domain.ports import Approver
from ..domain.proposal import Proposal, Reply

Answering = Callable[[Proposal], "bool | Reply | Awaitable[bool | Reply]"]
"""Code that answers proposals: yes, no, or a whole reply."""


@dataclass(frozen=True, slots=True)
class Yes:
    """Says yes to everything, for somebody who said so beforehand."""

    by: str

    async def answer(self, proposal: Proposal) -> Reply:
        """Yes, for all that the proposal's subject covers; not to what may have been done already."""
        if proposal.unknown:
            return Reply("later", self.by)
        if proposal.help:
            return Reply("nobody", "", f"{self.by} says yes, and that is no help")
        return Reply("yes", self.by, covers="subject" if proposal.subject else "call")


@dataclass(frozen=True, slots=True)
class Nobody:
    """Stands for nobody to ask: the task ends Refused, with the cure."""

    cure: str

    async def answer(self, proposal: Proposal) -> Reply:
        """Nobody, and what would serve."""
        return Reply("nobody", "", f"there is nobody to ask whether {proposal.words}. {self.cure}")


@dataclass(frozen=True, slots=True)
class Later:
    """Leaves every proposal on the record, where any process can answer it, now or in a week."""

    async def answer(self, proposal: Proposal) -> Reply:
        """Later, and how."""
        return Reply("later", "", f"it waits until somebody answers proposal {proposal.id}")


@dataclass(frozen=True, slots=True)
class Asks:
    """Lets code answer: a function, sync or async, of the proposal. An exception in it is a no."""

    function: Answering

    async def answer(self, proposal: Proposal) -> Reply:
        """What the function says."""
        name = getattr(self.function, "__name__", "code").replace("<lambda>", "code")
        said = self.function(proposal)
        if inspect.isawaitable(said):
            said = await said
        if isinstance(said, Reply):
            return said
        return Reply("yes" if said is True else "no", name, covers="subject" if proposal.subject else "call")


def approver_of(given: "Approver | Answering | None", *, cure: str) -> Approver:
    """An approver from what a caller gave: an approver, a function, or none."""
    if given is None:
        return Nobody(cure)
    return given if isinstance(given, Approver) else Asks(given)
