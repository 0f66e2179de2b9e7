"""What does every call go through, whoever makes it?

One of the task's actions, arguments that fit, permits, a person where one must be asked, the world still what was
approved, begin, act, end. A refusal anywhere is an entry and an answer (design, section 3).
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
from ..domain.ports import Approver, TaskLog
from ..domain.task import Ended
from ..errors import RecordError
from .asking import Asking
from .permit import Permit, carry_out
from .permits import Judged, Permits

READING: frozenset[Effect] = frozenset({"reads", "loads"})
"""What may share a commit: nothing outside is touched, so nothing is lost when it is not on the record yet."""


_LEAD = {"gate.": "Refused"}
"""How an answer to a refused call begins, by the start of its code: what was not allowed reads unlike what was wrong."""


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
        self, *, task: str, actions: Mapping[str, Action], log: TaskLog, permits: Permits, approver: Approver
    ) -> None:
        self._actions = actions
        self._log = log
        self._permits = permits
        self._judged: dict[Action, Judged] = {}
        self._begun: set[str] = set()
        self._asking = Asking(task=task, log=log, approver=approver)

    async def take(self, call: Call) -> Answered:
        """Take one call all the way and answer how it came out. It raises only when it is cancelled."""
        found = self._find(call)
        if isinstance(found, Refusal):
            return self.refuse(call, found)
        return await self.through(call, found.action, found.arguments)

    def has_begun(self, call_id: str) -> bool:
        """Whether a call has a begin on the record."""
        return call_id in self._begun

    def refuse(self, call: Call, refusal: Refusal) -> Answered:
        """Put a refusal on the record and make it an answer."""
        sent_back = call.action == HAND_BACK and refusal.ended is None
        self._log.note(
            "SentBack" if sent_back else "Refused",
            {"call": call.id, "turn": call.turn, "action": call.action, "code": refusal.code, "rule": refusal.rule},
            {"arguments": call.arguments, "reason": refusal.reason},
        )
        text = refusal.reason if sent_back else f"{_LEAD.get(refusal.code[:5], 'Error')}: {refusal.reason}"
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
        judged = self._judge(action)
        if judged.verdict == "never":
            return self.refuse(call, Refusal("gate.never", f"{action.name} may never be done here", judged.rule))
        ground: str = judged.verdict
        if ground == "proposed":
            asked = await self._asking.ask(call, action, arguments)
            if asked.reply.answer != "yes":
                return self.refuse(call, _declined(action, asked.reply.answer, asked.reply.by, asked.reply.reason))
            ground = f"approved:{asked.proposal}"
        if action.digest_now is not None and await asyncio.to_thread(action.digest_now) != action.origin.digest:
            what = f"the files of skill {action.origin.name}" if action.origin.kind == "skill" else action.name
            reason = f"{what} changed since they were approved"
            return self.refuse(call, Refusal("skill.changed", reason, ended=Ended("Refused", "changed", reason)))
        return await self._carry(Permit(call, action, arguments, ground, judged.rule))

    def _judge(self, action: Action) -> Judged:
        """Permits do not change while a task runs, so each action is judged once."""
        judged = self._judged.get(action)
        if judged is None:
            judged = self._judged[action] = self._permits.judge(action)
        return judged

    async def _carry(self, permit: Permit) -> Answered:
        call, action = permit.call, permit.action
        self._begun.add(call.id)
        self._log.note("ToolCalled", _begin_facts(permit), {"arguments": permit.arguments})
        started = time.perf_counter()
        begun = False
        try:
            if not action.effects <= READING:
                await self._log.commit()
            begun = True
            returned = await carry_out(permit, _Hands(self, call, self._log))
        except (asyncio.CancelledError, RecordError) as cut:
            # Neither a cancel nor the record's trouble is an action's outcome (case 111).
            code = "record" if isinstance(cut, RecordError) else "cancelled"
            self._end(call, Returned(ok=False, code=code), "stopped" if begun else "never_ran", started, "")
            raise
        except Exception as error:  # noqa: BLE001 - whatever an app's function raises is its answer, never the runtime's end
            returned = _raised(action, error)
        returned, text = _shown(returned)
        outcome: Literal["done", "sent_back", "failed"] = "done"
        if not returned.ok:
            outcome = "sent_back" if call.action == HAND_BACK and returned.ended is None else "failed"
        self._end(call, returned, outcome, started, text)
        if outcome == "sent_back":
            self._log.note("SentBack", {"call": call.id, "turn": call.turn, "code": returned.code}, {"reason": text})
        return Answered(call, outcome, returned.code, text, returned.value, returned.ended, returned.pictures)

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
        self._log.note("ToolReturned", facts, {"text": text})


class _Hands:
    """What the body of one call may do: make calls inside it, and keep contents."""

    __slots__ = ("_call", "_inner", "_log", "_path")

    def __init__(self, path: Path, call: Call, log: TaskLog) -> None:
        self._path = path
        self._call = call
        self._log = log
        self._inner = 0

    @property
    def call_id(self) -> str:
        return self._call.id

    async def call(self, action: Action, arguments: Mapping[str, Any]) -> Answered:
        self._inner += 1
        call = Call(f"{self._call.id}.{self._inner}", action.name, arguments, self._call.turn, self._call.id)
        return await self._path.through(call, action, arguments)

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


def _declined(action: Action, answer: str, by: str, reason: str) -> Refusal:
    if answer == "nobody":
        return Refusal("gate.nobody", reason, ended=Ended("Refused", "nobody_to_ask", reason))
    said = f": {reason}" if reason else ""
    return Refusal("gate.declined", f"{by or 'somebody'} said no to {action.name}{said}", rule=by)


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
