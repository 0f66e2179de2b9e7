"""What does every call go through, whoever makes it?

One of the task's actions, arguments that fit, permits, a person where one must be asked, the world still what was
approved, begin, act, end. A refusal anywhere is an entry and an answer (design, section 3). A call that has come out on
the record is answered from there; one that was begun and has no end is settled first.
"""

import asyncio
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..actions.schema import check_for
from ..domain.action import Action, Effect, Miss, Narrowed, Returned
from ..domain.call import HAND_BACK, Answered, Call
from ..domain.compact import compact
from ..domain.entry import Outcome
from ..domain.message import Picture
from ..domain.near import there_is
from ..domain.permits import Judged, Permits
from ..domain.ports import Approver, TaskLog
from ..domain.proposal import Reply
from ..domain.task import Ended, Waits
from ..errors import RecordError
from .asking import MOVED, Asked, Asking
from .past import STALE, Past, refusal_text
from .permit import Permit, carry_out
from .settling import Settling
from .told_by_skill import NOTHING, ToldBySkill

READING: frozenset[Effect] = frozenset({"reads", "loads"})
"""What may share a commit: nothing outside is touched, so nothing is lost when it is not on the record yet."""

APPROVED = "approved:"
"""How the ground of an approved call begins; the proposal's id follows."""

_CUT: Mapping[Outcome, str] = {
    "stopped": "Error: the task was stopped while this call ran. What it had done by then stays done.",
    "never_ran": "Error: the task was stopped before this call did anything.",
}
"""What the model is told of a call that was cut, should the task go on."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a call was stopped before anything ran."""

    code: str
    reason: str
    rule: str = ""
    ended: Ended | None = None


class Path:
    """The one path of one task's calls."""

    def __init__(
        self,
        *,
        task: str,
        actions: Mapping[str, Action],
        log: TaskLog,
        permits: Permits,
        approver: Approver,
        past: Past | None = None,
        told: ToldBySkill = NOTHING,
    ) -> None:
        self.past = Past() if past is None else past
        self._goes_on = past is not None
        """Whether calls of an earlier run may be on the record."""
        self._task = task
        self._actions = actions
        self._log = log
        self._permits = permits
        self._judged: dict[Action, Judged] = {}
        self._begun: set[str] = set()
        self._asking = Asking(task=task, log=log, approver=approver, past=self.past, told=told)
        self._settling = Settling(task=task, log=log, asking=self._asking, past=self.past)

    async def take(self, call: Call) -> Answered:
        """Take one call all the way and answer how it came out. It raises only when it is cancelled."""
        if self._goes_on and (known := self.past.answer(call)) is not None:
            return known
        found = self._find(call)
        if isinstance(found, Refusal):
            return self.refuse(call, found)
        return await self.through(call, found.action, found.arguments)

    async def help(self, trouble: str, nth: int = 1) -> Reply | None:
        """Ask somebody for help with a job that is stuck, in the nth try of its task; see `Asking.help`."""
        return await self._asking.help(trouble, nth)

    def has_begun(self, call_id: str) -> bool:
        """Whether a call has a begin on the record."""
        return call_id in self._begun or call_id in self.past.open

    def refuse(self, call: Call, refusal: Refusal) -> Answered:
        """Put a refusal on the record and make it an answer."""
        if self._goes_on and (known := self.past.answer(call)) is not None:
            return known
        sent_back = call.action == HAND_BACK and refusal.ended is None
        facts: dict[str, Any] = {
            "call": call.id,
            "turn": call.turn,
            "action": call.action,
            "code": refusal.code,
            "rule": refusal.rule,
        }
        if refusal.ended is not None:
            facts["ends"] = {"state": refusal.ended.state, "reason": refusal.ended.reason}
        body = {"arguments": call.arguments, "reason": refusal.reason}
        self._log.note("SentBack" if sent_back else "Refused", facts, body)
        text = refusal_text(refusal.code, refusal.reason, sent_back=sent_back)
        return Answered(call, "sent_back" if sent_back else "refused", refusal.code, text, ended=refusal.ended)

    def _find(self, call: Call) -> Narrowed | Refusal:
        action = self._actions.get(call.action)
        if action is None:
            return Refusal("action.unknown", f"there is no {call.action!r} here.{there_is(call.action, self._actions)}")
        arguments = call.arguments
        if isinstance(arguments, str):
            return Refusal("arguments.json", f"the arguments are no JSON object: {arguments[:200]}")
        if faults := check_for(action.parameters)(arguments):
            return Refusal("arguments.schema", "; ".join(faults))
        if action.narrow is None:
            return Narrowed(action, arguments)
        narrowed = action.narrow(arguments)
        if isinstance(narrowed, Miss):
            return Refusal(narrowed.code, narrowed.reason)
        return narrowed

    async def through(self, call: Call, action: Action, arguments: Mapping[str, Any]) -> Answered:
        """Take a call of a known action, with arguments that fit, through permits, the person and the act."""
        if self._goes_on and (known := await self._from_the_record(call, action)) is not None:
            return known
        judged = self._judge(action)
        if judged.verdict in ("free", "alone"):
            permit = Permit(call, action, arguments, judged.verdict, judged.rule)
        else:
            asked = await self._ask(call, action, arguments, judged)
            if isinstance(asked, Answered):
                return asked
            permit = asked
        if action.digest_now is not None and await asyncio.to_thread(action.digest_now) != action.origin.digest:
            what = f"the files of skill {action.origin.name}" if action.origin.kind == "skill" else action.name
            reason = f"{what} changed since they were approved"
            return self.refuse(call, Refusal("skill.changed", reason, ended=Ended("Refused", "changed", reason)))
        return await self._carry(permit)

    async def _from_the_record(self, call: Call, action: Action) -> Answered | None:
        """How the call came out in an earlier run; none when it is to be made. What only reads is simply made again."""
        known = self.past.answer(call)
        if known is None and call.id in self.past.open and not action.effects <= READING:
            return await self._settling.settle(call, action)
        return known

    async def _ask(self, call: Call, action: Action, arguments: Mapping[str, Any], judged: Judged) -> Permit | Answered:
        """The permit, by a person's yes; or the answer that stands in its place."""
        if judged.verdict == "never":
            return self.refuse(call, Refusal("gate.never", f"{action.name} may never be done here", judged.rule))
        asked = await self._asking.ask(call, action, arguments)
        if asked.reply.answer == "later":
            return Answered(call, "waits", "gate.waits", asked.reply.reason, ended=_waits(asked))
        refusal = _no_yes(action, asked)
        if refusal is None and not await self._asking.holds(asked):
            self._asking.stale(call, asked)
            refusal = Refusal(STALE, MOVED)
        if refusal is not None:
            return self.refuse(call, refusal)
        return Permit(call, action, asked.arguments, f"{APPROVED}{asked.proposal}", judged.rule)

    def _judge(self, action: Action) -> Judged:
        """Permits do not change while a task runs, so each action is judged once."""
        judged = self._judged.get(action)
        if judged is None:
            judged = self._judged[action] = self._permits.judge(action)
        return judged

    async def _carry(self, permit: Permit) -> Answered:
        call, action = permit.call, permit.action
        self._note_begin(permit)
        hands = _Hands(self, permit, self._log, self._task)
        started = time.perf_counter()
        begun = False
        try:
            if not action.effects <= READING:
                await self._log.commit()
            begun = True
            returned = await carry_out(permit, hands)
        except (asyncio.CancelledError, RecordError) as cut:
            # Neither a cancel nor the record's trouble is an action's outcome (case 111).
            code = "record" if isinstance(cut, RecordError) else "cancelled"
            outcome: Outcome = "stopped" if begun else "never_ran"
            self._end(call, Returned(ok=False, code=code), outcome, started, _CUT[outcome])
            raise
        except Exception as error:  # noqa: BLE001 - whatever an app's function raises is its answer, never the runtime's end
            returned = _raised(action, error)
        waits = hands.waits or _waits_itself(returned)
        if waits is None:
            return self._come_out(call, returned, started)
        if not action.effects <= READING:
            # It would be begun, and so unknown, for as long as it waits.
            return self._come_out(call, _cannot_wait(action, waits), started)
        # Whatever the body made of it: a call inside has not come out, so neither has this one.
        return Answered(call, "waits", "gate.waits", waits.text, ended=waits)

    def _note_begin(self, permit: Permit) -> None:
        call = permit.call
        self._begun.add(call.id)
        facts = _begin_facts(permit)
        if call.id in self.past.begun:
            facts["try"] = self.past.begun[call.id] + 1
        self._log.note("ToolCalled", facts, {"arguments": permit.arguments})
        if permit.ground.startswith(APPROVED):
            self._log.carried_out(permit.ground.removeprefix(APPROVED))

    def _come_out(self, call: Call, returned: Returned, started: float) -> Answered:
        returned, text = _shown(returned)
        came: Literal["done", "sent_back", "failed"] = "done"
        if not returned.ok:
            came = "sent_back" if call.action == HAND_BACK and returned.ended is None else "failed"
        self._end(call, returned, came, started, text)
        if came == "sent_back":
            self._log.note("SentBack", {"call": call.id, "turn": call.turn, "code": returned.code}, {"reason": text})
        return Answered(call, came, returned.code, text, returned.value, returned.ended, returned.pictures)

    def _end(self, call: Call, returned: Returned, outcome: Outcome, started: float, text: str) -> None:
        facts = {
            **returned.facts,
            "call": call.id,
            "outcome": outcome,
            "code": returned.code,
            "seconds": round(time.perf_counter() - started, 6),
        }
        if returned.pictures:
            facts["pictures"] = [_picture_facts(picture) for picture in returned.pictures]
        body: dict[str, Any] = {"text": text}
        if call.parent is not None and returned.value is not None:
            body["value"] = (
                returned.value
            )  # the call that it was made in reads it, also when the task is taken up again
        if isinstance(returned.ended, Ended):
            facts["ends"] = {"state": returned.ended.state, "reason": returned.ended.reason}
            body["ends"] = returned.ended.text
        self._log.note("ToolReturned", facts, body)


class _Hands:
    """What the body of one call may do: make calls inside it, and keep contents."""

    __slots__ = ("_call", "_inner", "_log", "_may_wait", "_path", "_task", "waits")

    def __init__(self, path: Path, permit: Permit, log: TaskLog, task: str) -> None:
        self._path = path
        self._call = permit.call
        self._may_wait = permit.action.effects <= READING
        self._log = log
        self._task = task
        self._inner = 0
        self.waits: Waits | None = None
        """Set when a call inside waits for somebody."""

    @property
    def call_id(self) -> str:
        return self._call.id

    @property
    def key(self) -> str:
        return f"{self._task}:{self._call.id}"

    async def call(self, action: Action, arguments: Mapping[str, Any]) -> Answered:
        self._inner += 1
        call = Call(f"{self._call.id}.{self._inner}", action.name, arguments, self._call.turn, self._call.id)
        answered = await self._path.through(call, action, arguments)
        if isinstance(answered.ended, Waits):
            if not self._may_wait:
                # The outer call would be begun, and so unknown, for as long as somebody thinks.
                return self._path.refuse(call, Refusal("gate.cannot_wait", "nobody can be waited for inside this call"))
            self.waits = answered.ended
        return answered

    def keep(self, data: bytes) -> str:
        return self._log.keep(data)

    def keep_file(self, path: str) -> str:
        return self._log.keep_file(path)


def _begin_facts(permit: Permit) -> dict[str, Any]:
    call, action = permit.call, permit.action
    facts: dict[str, Any] = {
        "call": call.id,
        "turn": call.turn,
        "action": call.action,
        "target": action.name,
        "effects": sorted(action.effects) if len(action.effects) > 1 else list(action.effects),
        "parent": call.parent,
        "permit": permit.ground,
        "rule": permit.rule,
    }
    origin = action.origin
    if origin.kind == "skill":
        facts["skill"] = {
            "source": origin.source,
            "name": origin.name,
            "version": origin.version,
            "digest": origin.digest,
        }
    return facts


def _picture_facts(picture: Picture) -> Mapping[str, Any]:
    return {"digest": picture.digest, "length": len(picture.data), "media_type": picture.media_type}


def _fault(action: Action, arguments: Mapping[str, Any]) -> str:
    """What is wrong with arguments that a person edited, as it would be with the model's; empty when nothing is."""
    if faults := check_for(action.parameters)(arguments):
        return "; ".join(faults)
    narrowed = action.narrow(arguments) if action.narrow is not None else None
    return narrowed.reason if isinstance(narrowed, Miss) else ""


def _waits_itself(returned: object) -> Waits | None:
    """What a body waits for: its call is made anew when the task goes on."""
    ended = returned.ended if isinstance(returned, Returned) else None
    return ended if isinstance(ended, Waits) else None


def _cannot_wait(action: Action, waits: Waits) -> Returned:
    return Returned(
        text=f"{action.name} failed: it does more than read, so it cannot wait",
        ok=False,
        code="gate.cannot_wait",
        facts={"error": f"it waits for {waits.on}: {waits.text}"},
    )


def _waits(asked: Asked) -> Waits:
    return Waits("person", asked.reply.reason or f"proposal {asked.proposal} waits for an answer")


def _no_yes(action: Action, asked: Asked) -> Refusal | None:
    """Why an answer is no yes to this call; none if it is one."""
    reply = asked.reply
    if asked.untold:
        return Refusal("gate.version", reply.reason)
    if reply.answer == "nobody":
        return Refusal("gate.nobody", reply.reason, ended=Ended("Refused", "nobody_to_ask", reply.reason))
    if reply.answer != "yes":
        said = f": {reply.reason}" if reply.reason else ""
        return Refusal("gate.declined", f"{reply.by or 'somebody'} said no to {action.name}{said}", rule=reply.by)
    if reply.arguments is not None and (fault := _fault(action, asked.arguments)):
        return Refusal("arguments.edited", f"as edited, {fault}")
    return None


def _raised(action: Action, error: Exception) -> Returned:
    # The model is told the kind only: an exception's text may hold what it must not see (M72). The record has it whole.
    return Returned(
        value=None,
        text=f"{action.name} failed: {type(error).__name__}",
        ok=False,
        code="action.raised",
        facts={"error": "".join(traceback.format_exception_only(error)).strip()},
    )


def _shown(returned: Returned) -> tuple[Returned, str]:
    """The answer with the text that the model is shown; what is no JSON is a failure, never a printed object."""
    if returned.text is not None:
        return returned, returned.text
    value = returned.value
    if isinstance(value, str):
        return returned, value
    if type(value) is int:
        return returned, str(value)
    try:
        return returned, compact(value)
    except (TypeError, ValueError) as error:
        failed = Returned(ok=False, code="output.not_json", facts={"error": str(error)})
        return failed, f"the answer is no JSON: {error}"
