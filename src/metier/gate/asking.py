"""How is a person asked, and when does the answer count?

The proposal is on the record before it is shown, and the answer before it counts. One question at a time.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..domain.action import Action
from ..domain.call import Call
from ..domain.ports import Approver, TaskLog
from ..domain.proposal import Proposal, Reply


@dataclass(frozen=True, slots=True)
class Asked:
    """A proposal's id and the answer to it."""

    proposal: str
    reply: Reply


class Asking:
    """The proposals of one task, and the wider answers that still hold."""

    def __init__(self, *, task: str, log: TaskLog, approver: Approver) -> None:
        self._task = task
        self._log = log
        self._approver = approver
        self._count = 0
        self._covered: dict[str, Asked] = {}
        self._one_at_a_time = asyncio.Lock()

    async def ask(self, call: Call, action: Action, arguments: Mapping[str, Any]) -> Asked:
        """Ask about one call, unless an earlier answer covers it."""
        async with self._one_at_a_time:
            covered = self._covered.get(action.subject) if action.subject else None
            if covered is not None:
                return covered
            proposal = self._propose(call, action, arguments)
            await self._log.commit(power=True)
            reply = await self._answer(proposal)
            facts = {"proposal": proposal.id, "by": reply.by, "answer": reply.answer, "covers": reply.covers}
            self._log.note("Approved" if reply.answer == "yes" else "Declined", facts, {"reason": reply.reason})
            await self._log.commit(power=True)
            asked = Asked(proposal.id, reply)
            if reply.answer == "yes" and reply.covers == "subject" and action.subject:
                self._covered[action.subject] = asked
            return asked

    def _propose(self, call: Call, action: Action, arguments: Mapping[str, Any]) -> Proposal:
        self._count += 1
        proposal = Proposal(
            id=f"{self._task}.p{self._count}",
            task=self._task,
            call_id=call.id,
            action=action.name,
            arguments=arguments,
            effects=tuple(sorted(action.effects)),
            words=action.words(arguments) if action.words else f"{action.name} may be called",
            subject=action.subject,
            kept=action.kept,
            confinement=action.confinement,
        )
        self._log.note(
            "Proposed",
            {
                "proposal": proposal.id,
                "call": call.id,
                "action": action.name,
                "effects": list(proposal.effects),
                "subject": proposal.subject,
            },
            {"arguments": arguments, "words": proposal.words},
        )
        return proposal

    async def _answer(self, proposal: Proposal) -> Reply:
        try:
            return await self._approver.answer(proposal)
        except Exception as error:  # noqa: BLE001 - an approver that fails has not said yes
            self._log.note("Fault", {"where": "approver"}, {"error": f"{type(error).__name__}: {error}"})
            return Reply("no", "approver", f"the approver failed ({type(error).__name__})")
