"""How does a task go on from one of its steps with another model?

A new task is put on the record that holds all that came before the step: what it was given, what its model said and what its
calls answered. It goes on from there like a task that was left, with another model: nothing of that is done or paid for again.
"""

from collections.abc import Mapping
from typing import Any

from ..domain.entry import Entry
from ..domain.task import Waits
from ..errors import InputInvalid, TaskError
from ..record import Record
from .earlier import earlier_of
from .running import paused

_NOT_TAKEN = frozenset({"Paused", "Resumed"})
"""What tells of the old task's runs, and not of its work."""


def copy_to(record: Record, task: str, step: int, new_task: str, *, model: str) -> str:
    """Put a new task on the record that stands where an old one stood before one of its model calls.

    Args:
        record: the record.
        task: the old task's id.
        step: the model call to go on from, from 1, as `metier replay` counts them.
        new_task: the new task's id.
        model: the name of its model; the old one's own if empty.

    Raises:
        InputInvalid: the task has no such step.
        TaskError: its contents were erased, or it handed work on before that step.
    """
    earlier = earlier_of(record, task)
    kept = _before(earlier.entries, step)
    if any("child" in entry.facts for entry in kept if entry.kind == "ToolReturned"):
        raise TaskError(
            f"The task {task} handed work on before step {step}, and a child has one parent.",
            hint="Go on from an earlier step, or give the task again.",
        )
    row = record.row(task)
    log = record.begin_task(new_task, skill=row.skill, source=row.source, giver=row.giver, agent=row.agent)
    try:
        for entry in kept:
            facts, body = {**entry.facts}, entry.body
            facts.pop("body", None)  # the digest of the body, which the record adds itself
            if entry.kind == "Given":
                facts["from"] = {"task": task, "step": step}
                body = _given(body or {}, model)
            log.note(entry.kind, facts, body)
        ready = Waits("worker", f"it goes on from step {step} of {task}")
        log.note(*paused(ready))
        record.pause_task(new_task, ready)
    finally:
        record.let_go(new_task)
    return new_task


def _before(entries: tuple[Entry, ...], step: int) -> list[Entry]:
    """The entries before a model call."""
    calls = [entry.number for entry in entries if entry.kind == "ModelCalled"]
    if not 1 <= step <= len(calls):
        raise InputInvalid(
            f"The task has {len(calls)} steps, and no step {step}.",
            hint="Name one of them: metier replay tells how many there are.",
        )
    before = (entry for entry in entries if entry.number < calls[step - 1])
    return [entry for entry in before if entry.kind not in _NOT_TAKEN and "ended" not in entry.facts]


def _given(body: Mapping[str, Any], model: str) -> Mapping[str, Any]:
    how = dict(body.get("how") or {})
    if model:
        how["model"] = {"name": model, "origin": "--model"}
    return {**body, "how": how}
