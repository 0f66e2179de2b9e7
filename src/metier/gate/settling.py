"""What became of a call that had begun when its process died?

Its late end says so, if its process woke up and wrote one; else the action's own hook is asked, else a person. It is
never success and never made again by itself.
"""

import traceback
from typing import Any

from ..domain.action import Action, Returned, Settled
from ..domain.call import Answered, Call
from ..domain.compact import compact
from ..domain.entry import Outcome
from ..domain.ports import TaskLog
from ..domain.task import Waits
from .asking import MOVED, Asking
from .past import Past

UNKNOWN = "Error: the process ended while this call ran. It may have taken effect, or not; that is not known."


class Settling:
    """Settles the calls of one task that had begun and have no end."""

    def __init__(self, *, task: str, log: TaskLog, asking: Asking, past: Past) -> None:
        self._task = task
        self._log = log
        self._asking = asking
        self._past = past

    async def settle(self, call: Call, action: Action) -> Answered | None:
        """How the call came out; none when it never took effect, or may be made again."""
        late = self._past.late.get(call.id)
        if late is not None:
            if late.entry.facts["outcome"] == "never_ran":
                self._again(call, "never_ran", "late")
                return None
            # The digest of its body is the record's own fact, and is taken anew.
            facts = {name: fact for name, fact in late.entry.facts.items() if name != "body"}
            self._log.note("ToolReturned", {**facts, "settled": "late"}, late.entry.body)
            return self._known(call, late.says)
        settled = await self._hook(call, action)
        if settled == "never_ran":
            self._again(call, "never_ran", "hook")
            return None
        if isinstance(settled, Returned):
            return self._answered(call, settled)
        return await self._ask(call, action)

    async def _hook(self, call: Call, action: Action) -> Settled:
        if action.settle is None:
            return "unknown"
        try:
            return await action.settle(self._past.arguments.get(call.id, {}), f"{self._task}:{call.id}")
        except Exception as error:  # noqa: BLE001 - a hook that fails has settled nothing; a person is asked
            words = "".join(traceback.format_exception_only(error)).strip()
            self._log.note("Fault", {"where": "settle", "call": call.id}, {"error": words})
            return "unknown"

    async def _ask(self, call: Call, action: Action) -> Answered | None:
        asked = await self._asking.ask(call, action, self._past.arguments.get(call.id, {}), unknown=True)
        reply = asked.reply
        if reply.answer in ("later", "nobody"):
            # Refusing the task would not tell anybody what became of the call: it waits for a person.
            return Answered(
                call, "waits", "gate.waits", UNKNOWN, ended=Waits("person", f"{UNKNOWN} {reply.reason}".strip())
            )
        if reply.answer == "yes":
            if await self._asking.holds(asked):
                self._again(call, "unknown", asked.proposal)
                self._past.renew(call.id, asked.version)
                return None
            known = self._stays_unknown(call, f"{UNKNOWN} It is not done again: {MOVED}", asked.proposal)
            self._asking.stale(call, asked)
            return known
        said = f"{reply.by} said: {reply.reason}" if reply.by else reply.reason
        text = f"{UNKNOWN} {said}" if reply.reason else UNKNOWN
        return self._stays_unknown(call, text, asked.proposal or "version")

    def _stays_unknown(self, call: Call, text: str, by: str) -> Answered:
        self._end(call, {"outcome": "unknown", "code": "unknown", "settled": by}, {"text": text})
        return self._known(call, Answered(call, "unknown", "unknown", text))

    def _answered(self, call: Call, returned: Returned) -> Answered:
        text = returned.text if returned.text is not None else _text(returned.value)
        outcome = "done" if returned.ok else "failed"
        facts = {**returned.facts, "outcome": outcome, "code": returned.code, "settled": "hook"}
        self._end(call, facts, {"text": text, "value": returned.value})
        return self._known(
            call, Answered(call, "done" if returned.ok else "failed", returned.code, text, returned.value)
        )

    def _again(self, call: Call, outcome: Outcome, by: str) -> None:
        """Let the call be made again, from its begin on."""
        self._past.open.discard(call.id)
        self._end(call, {"outcome": outcome, "code": "cut", "again": True, "settled": by}, {"text": ""})

    def _known(self, call: Call, answered: Answered) -> Answered:
        self._past.open.discard(call.id)
        self._past.answers[call.id] = answered
        return self._past.answer(call) or answered

    def _end(self, call: Call, facts: dict[str, Any], body: dict[str, Any]) -> None:
        self._log.note("ToolReturned", {"seconds": 0.0, **facts, "call": call.id}, body)


def _text(value: object) -> str:
    return value if isinstance(value, str) else compact(value)
