"""One task's path for the tests of the gate, with actions that note when they run."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from metier.domain.action import Action, Effect, Hands
from metier.domain.call import Answered, Call
from metier.domain.entry import Entry
from metier.domain.permits import Permits
from metier.domain.proposal import Proposal, Reply
from metier.gate.approvers import approver_of
from metier.gate.path import Path
from metier.gate.told_by_skill import NOTHING
from metier.record import MemoryLog

ANYTHING: Mapping[str, Any] = {"type": "object"}


class Desk:
    """A path over some actions, the entries that it noted, and the actions that ran."""

    def __init__(self, *effects: Effect, answer: Any = "done", permits: Permits | None = None, **how: Any) -> None:
        self.ran: list[Mapping[str, Any]] = []
        self.asked: list[Proposal] = []
        self.said: Any = how.pop("said", None)
        approver = how.pop("approver", None if self.said is None else self._approve)
        self.log = MemoryLog("t")
        self.answer = answer
        told = how.pop("told", NOTHING)
        self.action = Action("act", "Acts.", how.pop("parameters", ANYTHING), self._body, frozenset(effects), **how)
        self.path = Path(
            task="t",
            actions={"act": self.action},
            log=self.log,
            permits=permits or Permits.proposes(),
            approver=approver_of(approver, cure="Bring somebody."),
            told=told,
        )

    def take(self, arguments: Mapping[str, Any] | str | None = None, *, action: str = "act") -> Answered:
        """One call through the path."""
        return asyncio.run(self.path.take(Call("c1.1", action, {} if arguments is None else arguments, 1)))

    @property
    def entries(self) -> list[Entry]:
        """What was noted."""
        return list(self.log.entries())

    @property
    def kinds(self) -> list[str]:
        """The kinds of what was noted."""
        return [entry.kind for entry in self.entries]

    async def _body(self, arguments: Mapping[str, Any], hands: Hands) -> Any:
        self.ran.append(arguments)
        return self.answer(arguments, hands) if callable(self.answer) else self.answer

    def _approve(self, proposal: Proposal) -> bool | Reply:
        self.asked.append(proposal)
        said = self.said(proposal) if callable(self.said) else self.said
        assert isinstance(said, bool | Reply)
        return said


@pytest.fixture
def desk() -> Callable[..., Desk]:
    """Makes a path over one action `act`."""
    return Desk
