"""How does a task go on from one of its steps with another model?

A new task is put on the record that holds all that came before the step: what it was given, what its model said and what its
calls answered. It goes on from there like a task that was left, with another model: nothing of that is done or paid for again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..domain.entry import Entry
from ..domain.task import Waits
from ..errors import InputInvalid, TaskError
from ..gate.approvers import Later
from ..record import Record, TaskRow
from .agents.assigning import For, agency_of
from .agents.finding import agent_of
from .earlier import Earlier, earlier_of
from .house import FLAG
from .running import paused
from .taking_up import assignment_again

if TYPE_CHECKING:
    from .metier import Metier

_NOT_TAKEN = frozenset({"Paused", "Resumed"})
"""What tells of the old task's runs, and not of its work."""

TAKEN = "taken"
"""The fact that marks an entry as taken from another task: what it cost was paid there."""


def copy_to(app: "Metier", task: str, step: int, *, model: str) -> str:
    """Put a new task on the record that stands where an old one stood before one of its model calls, and answer its id.

    Whoever calls gives it: for an agent's task that is whoever is signed in, as with any other work for it.

    Args:
        app: the open app.
        task: the old task's id.
        step: the model call to go on from, from 1, as `metier replay` counts them.
        model: the name of its model; the old one's own if empty.

    Raises:
        InputInvalid: the task has no such step.
        TaskError: its contents were erased, or it handed work on before that step.
        SkillError: its skill is not here, or is not what it was.
        SetupError: its model is not to be had here.
        NotAllowed: who is signed in may not give the agent work, or it does not work.
    """
    record = app.record
    earlier = earlier_of(record, task)
    kept = _before(earlier.entries, step)
    if any("child" in entry.facts for entry in kept if entry.kind == "ToolReturned"):
        raise TaskError(
            f"The task {task} handed work on before step {step}, and a child has one parent.",
            hint="Go on from an earlier step, or give the task again.",
        )
    facts = {**_facts(earlier.given), **_who_gives(app, earlier), "from": {"task": task, "step": step}}
    given = replace(earlier.given, facts=facts, body=_given(earlier.given.body or {}, model))
    new_task = app.new_id()
    # Whatever is missing is told before anything is begun.
    assignment_again(new_task, replace(earlier, given=given), app.house, approver=Later())
    _put(record, new_task, record.row(task), [given if entry.kind == "Given" else entry for entry in kept])
    return new_task


def _who_gives(app: "Metier", earlier: Earlier) -> Mapping[str, Any]:
    """Who gives the new task, and the agent's part in it as it is now."""
    told = earlier.given.facts.get("agent")
    if told is None:
        return {"giver": app.house.user}
    giver = app.doors.somebody()
    behalf = earlier.given.facts.get("on_behalf_of")
    person = giver if behalf is None else app.house.somebody(behalf)
    agent = agent_of(app.house.agents, f"{told['source']}.{told['name']}")
    return {"giver": giver.id, **agency_of(app.house, agent, For(giver, person)).told()}


def _put(record: Record, task: str, old: TaskRow, kept: Sequence[Entry]) -> None:
    giver = kept[0].facts["giver"]
    log = record.begin_task(task, skill=old.skill, source=old.source, giver=giver, agent=old.agent)
    try:
        for entry in kept:
            log.note(entry.kind, entry.facts if entry.kind == "Given" else _facts(entry), entry.body)
        # Whoever called goes on with it at once; a worker of the record must not be quicker.
        waits = Waits("mending", "it goes on from a step of another task")
        log.note(*paused(waits))
        record.pause_task(task, waits)
    finally:
        record.let_go(task)


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


def _facts(entry: Entry) -> dict[str, Any]:
    """The facts of an entry in the new task."""
    facts = {**entry.facts}
    facts.pop("body", None)  # the digest of the body, which the record adds itself
    if entry.kind == "Given":
        facts.pop("parent", None)  # nobody handed the new task on
        return facts
    facts[TAKEN] = True
    for amount in facts.keys() & {"cost", "reserved"}:
        facts[amount] = "0"
    if "covers" in facts:
        facts["covers"] = "call"  # a wider yes was given until the end of the old task
    return facts


def _given(body: Mapping[str, Any], model: str) -> Mapping[str, Any]:
    how = dict(body.get("how") or {})
    if model:
        how["model"] = {"name": model, "origin": FLAG}
    return {**body, "how": how}
