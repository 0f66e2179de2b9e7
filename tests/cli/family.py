"""A family of tasks in a record: a foreman handed work on, and one of those it went to did so too."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from metier.domain.proposal import Proposal
from metier.domain.task import Waits
from metier.record import Record, TaskWriter, open_record

ROOT = "20261201-foreman"
DONE, FAILED, ASKS = f"{ROOT}.c2.1", f"{ROOT}.c2.2", f"{ROOT}.c4.1"
BUYER = f"{FAILED}.c1.1"
MODEL = {"name": "played", "priced": True}
SPENT = {"usage": {"input": 10, "output": 2, "cache_read": 0, "cache_write": 0}}


def made_family(project: Path) -> None:
    """Write the family into a project's record: the parent waits for a child, which asks a person."""
    with open_record(str(project / ".metier" / "record.sqlite")) as record:
        root = _begin(record, ROOT, "Foreman", {"on_behalf_of": "Bob", "budget": "1.00"})
        _pay(root, "0.0300")
        root.note("Retried", {"try": 2, "reason": "stuck"}, {"text": "It was sent back."})
        _hand_on(record, root, DONE, "0.0123", "Done")
        _hand_on(record, root, FAILED, "0.0400", "Failed")
        root.note("Approved", {"proposal": f"{ROOT}.p1", "action": "send_bill", "by": "Mara", "covers": "call"})
        root.note("Stale", {"proposal": f"{ROOT}.p1", "call": "c3.1"}, {"reason": "it was changed"})
        root.note("ToolCalled", {"call": "c4.1"})
        asks = _begin(record, ASKS, "Estimator", {"parent": ROOT})
        asks.propose(Proposal(f"{ASKS}.p1", ASKS, "c1.1", "pay", {}, ("sends",), "pay may be called"))
        asks.note("Paused", {"waits": "person"})
        record.pause_task(ASKS, Waits("person"))
        root.note("Paused", {"waits": "child"})
        record.pause_task(ROOT, Waits("child", child=ASKS))


def _begin(record: Record, task: str, agent: str, more: Mapping[str, Any]) -> TaskWriter:
    log = record.begin_task(task, skill="close_week", source="shop", giver="Ada", agent=agent)
    told = {"name": agent, "source": "shop", "principal": f"{agent}@shop", "sponsor": "Mara"}
    log.note("Given", {"giver": "Ada", "agent": told, "model": MODEL, "skill": {"name": "close_week"}, **more})
    log.note("Briefed", {})
    return log


def _pay(log: TaskWriter, cost: str) -> None:
    log.note("ModelCalled", {"turn": 1, "model": "played", "reserved": "0.5"})
    log.note("ModelAnswered", {"turn": 1, "ok": True, "cost": cost, **SPENT})


def _hand_on(record: Record, parent: TaskWriter, task: str, cost: str, state: str) -> None:
    call = task.removeprefix(f"{parent.task}.")
    parent.note("ToolCalled", {"call": call})
    child = _begin(record, task, "Estimator", {"parent": parent.task})
    _pay(child, cost)
    if task == FAILED:
        _hand_on(record, child, BUYER, "0.0010", "Failed")
        cost = "0.0410"
    child.note("Failed" if state == "Failed" else "Done", {"ended": state, "reason": "stuck"}, {"text": "It ended."})
    record.end_task(task, state=state, reason="stuck")
    parent.note("ToolReturned", {"call": call, "outcome": "done", "child": task, "cost": cost})
