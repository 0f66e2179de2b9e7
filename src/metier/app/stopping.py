"""How is a task stopped, with all that it handed on, and how one on which nobody works just now?"""

from contextlib import suppress

from ..domain.call import Call
from ..domain.entry import Entry
from ..domain.message import ToolCall
from ..domain.ports import TaskLog
from ..domain.task import Ended
from ..engine.port import Engine
from ..errors import TaskOver
from ..loop.turn import calls_of
from ..record import Record
from .earlier import Earlier

STOPPED = Ended("Stopped", "cancelled", "the task was stopped")
REASON = "the task was stopped before this call began"

MOST = 100_000
"""The newest tasks among which those of an agent are looked for that is stopped."""


async def stop_family(record: Record, engine: Engine, task: str, *, by: str) -> None:
    """Stop a task, and then the tasks that it handed on: a child's end must not wake it.

    Raises:
        TaskOver: it has ended.
    """
    await engine.stop(task, by=by)
    for child in record.children(task):
        with suppress(TaskOver):
            await engine.stop(child.id, by=by)


async def stop_agent(record: Record, engine: Engine, agent: str, *, by: str) -> None:
    """Stop every task of an agent that has not ended."""
    for row in record.tasks(limit=MOST):
        if row.agent == agent and row.ended is None:
            with suppress(TaskOver):
                await stop_family(record, engine, row.id, by=by)


def note_stop(log: TaskLog, earlier: Earlier) -> None:
    """Note the end of a stopped task, and first an answer to each call that never began.

    A call that had begun and has no end stays unknown: it is settled should the task go on.
    """
    for call in _unanswered(earlier):
        facts = {"call": call.id, "turn": call.turn, "action": call.action, "code": "cancelled", "rule": ""}
        log.note("Refused", facts, {"arguments": call.arguments, "reason": REASON})
    facts = {"ended": STOPPED.state, "reason": STOPPED.reason, "seconds": 0.0, "result": None}
    log.note("Stopped", facts, {"text": STOPPED.text, "result": None})


def _is_last(entry: Entry) -> bool:
    """Whether it tells what was called last: a new try has called nothing yet."""
    return entry.kind == "Retried" or (entry.kind == "ModelAnswered" and bool(entry.facts["ok"]))


def _unanswered(earlier: Earlier) -> list[Call]:
    past = earlier.past
    last = next((one for one in reversed(earlier.entries) if _is_last(one)), None)
    if last is None or last.kind == "Retried" or last.body is None:
        return []
    asked = [ToolCall(call["id"], call["name"], call["arguments"]) for call in last.body["calls"]]
    calls = calls_of(last.facts["turn"], asked, nth=earlier.nth)
    return [call for call in calls if past.answer(call) is None and call.id not in past.open]
