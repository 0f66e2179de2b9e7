"""How is a person asked, and when does the answer count?

The proposal is on the record before it is shown, and the answer before it counts. One question at a time. An answer may
come from another process, while somebody is asked here or long after.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from ..domain.action import Action
from ..domain.call import Call
from ..domain.ports import Approver, TaskLog
from ..domain.proposal import Proposal, Reply
from .approvers import Nobody
from .past import HELP, Past, Put, help_call
from .told_by_skill import NOTHING, ToldBySkill

UNTOLD = "the skill could not tell the state that a yes would be for"

MOVED = "the yes came for a state that has moved on since; look at it again, and propose anew if it still fits"

LOOK = 1.0
"""Seconds between two looks for an answer that came from elsewhere, while somebody is asked here."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A proposal's id, the answer to it, and the arguments that it was answered for."""

    proposal: str
    reply: Reply
    arguments: Mapping[str, Any]
    version: str = ""
    """What the world was that was asked about; empty where no skill says so."""
    wide: bool = False
    """Whether it is an answer for all that the proposal's subject covers, whatever the world is by then."""
    untold: bool = False
    """Whether nobody was asked, since the skill could not tell what a yes would be for."""


class Asking:
    """The proposals of one task, and the wider answers that still hold."""

    def __init__(self, *, task: str, log: TaskLog, approver: Approver, past: Past, told: ToldBySkill = NOTHING) -> None:
        self._told = told
        self._task = task
        self._log = log
        self._approver = approver
        self._past = past
        self._count = past.asked
        self._covered = _still_covered(past)
        self._one_at_a_time = asyncio.Lock()

    async def ask(self, call: Call, action: Action, arguments: Mapping[str, Any], *, unknown: bool = False) -> Asked:
        """Ask about one call, unless an earlier answer covers it.

        Args:
            call: the call.
            action: what would be carried out.
            arguments: with what.
            unknown: whether the call had begun when its process died. No earlier answer covers that.
        """
        async with self._one_at_a_time:
            put = self._past.proposals.get((call.id, unknown))
            if put is not None and put.reply is not None:
                return _asked(put, put.reply, arguments)
            covered = self._covered.get(action.subject) if action.subject and not unknown else None
            if covered is not None:
                return replace(covered, arguments=arguments)
            proposal = self._proposal(call, action, arguments, unknown=unknown, known=put.id if put else "")
            if put is None:
                version = await self._told.version(self._log)
                if version is None:
                    return Asked("", Reply("no", "", UNTOLD), arguments, untold=True)
                names = await self._told.words(self._log, action.name, arguments)
                proposal = replace(proposal, version=version, names=names)
                self._put(proposal)
                await self._log.commit(power=True)
            else:
                proposal = replace(proposal, version=put.version, names=put.names)
            return await self._answered(proposal, await self._reply(proposal, asked_before=put is not None))

    async def holds(self, asked: Asked) -> bool:
        """Whether the world is still what a yes was given for, so that it may be carried out (O83)."""
        return asked.wide or await self._told.version(self._log) == asked.version

    def stale(self, call: Call, asked: Asked) -> None:
        """Put on the record that a yes came too late."""
        self._log.note("Stale", {"proposal": asked.proposal, "call": call.id}, {"reason": MOVED})
        self._log.stale(asked.proposal)

    async def help(self, trouble: str, nth: int = 1) -> Reply | None:
        """Ask for help with a job that is stuck; none where there is nobody to ask (O27, O31, O32).

        A yes holds the help as its reason. `later`: the proposal waits on the record.
        """
        if isinstance(self._approver, Nobody):
            return None
        async with self._one_at_a_time:
            call = help_call(nth)
            put = self._past.proposals.get((call, False))
            if put is None:
                self._count += 1
            words = f"this job may go on with your help: it is {trouble}"
            known = put.id if put else f"{self._task}.p{self._count}"
            proposal = Proposal(known, self._task, call, HELP, {}, (), words, help=True)
            if put is None:
                facts = {"proposal": proposal.id, "call": call}
                self._log.note("AskedForHelp", facts, {"arguments": {}, "words": words})
                self._log.propose(proposal)
                await self._log.commit(power=True)
            reply = await self._reply(proposal, asked_before=put is not None)
            if reply.answer == "later":
                return reply
            given = reply.answer == "yes" and bool(reply.reason.strip())
            said = "yes" if given else "no"
            facts = {"proposal": proposal.id, "call": call, "by": reply.by, "answer": said, "covers": "call"}
            self._log.note("Helped" if given else "Declined", facts, {"reason": reply.reason})
            await self._log.commit(power=True)
            return reply if given else None

    async def _answered(self, proposal: Proposal, reply: Reply) -> Asked:
        put = Put(proposal.id, proposal.subject, version=proposal.version)
        asked = _asked(put, reply, proposal.arguments)
        if reply.answer == "later" or (proposal.unknown and reply.answer == "nobody"):
            return asked
        facts = {"proposal": proposal.id, "by": reply.by, "answer": reply.answer, "covers": reply.covers}
        body: dict[str, Any] = {"reason": reply.reason}
        if reply.arguments is not None:
            body["arguments"] = reply.arguments
        self._log.note("Approved" if reply.answer == "yes" else "Declined", facts, body)
        await self._log.commit(power=True)
        if reply.answer == "yes" and asked.wide:
            self._covered[proposal.subject] = asked
        return asked

    def _proposal(
        self, call: Call, action: Action, arguments: Mapping[str, Any], *, unknown: bool, known: str
    ) -> Proposal:
        words = action.words(arguments) if action.words else f"{action.name} may be called"
        if unknown:
            words = f"{action.name} may be called again: it had begun when its process died, and may have taken effect"
        if not known:
            self._count += 1
        return Proposal(
            id=known or f"{self._task}.p{self._count}",
            task=self._task,
            call_id=call.id,
            action=action.name,
            arguments=arguments,
            effects=tuple(sorted(action.effects)),
            words=words,
            subject="" if unknown else action.subject,
            kept=action.kept and not unknown,
            confinement=action.confinement,
            unknown=unknown,
            parameters=action.parameters,
        )

    def _put(self, proposal: Proposal) -> None:
        facts: dict[str, Any] = {
            "proposal": proposal.id,
            "call": proposal.call_id,
            "action": proposal.action,
            "effects": list(proposal.effects),
            "subject": proposal.subject,
        }
        if proposal.unknown:
            facts["unknown"] = True
        if proposal.version:
            facts["version"] = proposal.version
        body = {"arguments": proposal.arguments, "words": proposal.words}
        self._log.note("Proposed", facts, {**body, "names": proposal.names} if proposal.names else body)
        self._log.propose(proposal)

    async def _reply(self, proposal: Proposal, *, asked_before: bool) -> Reply:
        """The answer that counts: the first that is stored, wherever it comes from."""
        if asked_before and (stored := await self._log.reply_to(proposal.id)) is not None:
            return stored
        asking = asyncio.ensure_future(self._answer(proposal))
        try:
            while not (await asyncio.wait({asking}, timeout=LOOK))[0]:
                if (stored := await self._log.reply_to(proposal.id)) is not None:
                    return stored
            reply = asking.result()
        finally:
            asking.cancel()
            with suppress(asyncio.CancelledError):
                await asking
        return reply if reply.answer in ("later", "nobody") else await self._log.answer(proposal.id, reply)

    async def _answer(self, proposal: Proposal) -> Reply:
        try:
            return await self._approver.answer(proposal)
        except Exception as error:  # noqa: BLE001 - an approver that fails has not said yes
            self._log.note("Fault", {"where": "approver"}, {"error": f"{type(error).__name__}: {error}"})
            return Reply("no", "approver", f"the approver failed ({type(error).__name__})")


def _asked(put: Put, reply: Reply, arguments: Mapping[str, Any]) -> Asked:
    found = arguments if reply.arguments is None else reply.arguments
    return Asked(put.id, reply, found, put.version, wide=reply.covers == "subject" and bool(put.subject))


def _still_covered(past: Past) -> dict[str, Asked]:
    """The wider answers of earlier runs of the task."""
    return {
        put.subject: Asked(put.id, put.reply, {}, wide=True)
        for put in past.proposals.values()
        if put.subject and put.reply is not None and put.reply.answer == "yes" and put.reply.covers == "subject"
    }
