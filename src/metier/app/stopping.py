"""How is a task stopped on which nobody works just now?"""

from ..domain.call import Call
from ..domain.message import ToolCall
from ..domain.ports import TaskLog
from ..domain.task import Ended
from ..loop.turn import calls_of
from .earlier import Earlier

STOPPED = Ended("Stopped", "cancelled", "the task was stopped")
REASON = "the task was stopped before this call began"


def note_stop(log: TaskLog, earlier: Earlier) -> None:
    """Note the end of a stopped task, and first an answer to each call that never began.

    A call that had begun and has no end stays unknown: it is settled should the task go on.
    """
    for call in _unanswered(earlier):
        facts = {"call": call.id, "turn": call.turn, "action": call.action, "code": "cancelled", "rule": ""}
        log.note("Refused", facts, {"arguments": call.arguments, "reason": REASON})
    facts = {"ended": STOPPED.state, "reason": STOPPED.reason, "seconds": 0.0, "result": None}
    log.note("Stopped", facts, {"text": STOPPED.text, "result": None})


def _unanswered(earlier: Earlier) -> list[Call]:
    past = earlier.past
    last = next((one for one in reversed(earlier.entries) if one.kind == "ModelAnswered" and one.facts["ok"]), None)
    if last is None or last.body is None:
        return []
    asked = [ToolCall(call["id"], call["name"], call["arguments"]) for call in last.body["calls"]]
    calls = calls_of(last.facts["turn"], asked, nth=earlier.nth)
    return [call for call in calls if past.answer(call) is None and call.id not in past.open]
