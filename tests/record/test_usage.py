"""What models cost, summed up."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from metier.domain.money import Usage
from metier.record import ModelUse, Record, open_record

DAY = 86_400 * 1_000_000_000


@pytest.fixture(params=["file", "memory"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Record, list[int]]]:
    """A record of each kind with its clock."""
    now = [DAY]
    with open_record(str(tmp_path / "r.sqlite") if request.param == "file" else None, clock=lambda: now[0]) as record:
        yield record, now


def call(record: Record, task: str, *, agent: str = "", model: str = "m", ends: bool = True) -> None:
    """One model call of a task of its own."""
    log = record.begin_task(task, skill="s", source="", giver="Ada", agent=agent)
    log.note("ModelCalled", {"turn": 1, "model": model, "reserved": "0.5"})
    if ends:
        usage = {"input": 10, "output": 2, "cache_read": 0, "cache_write": 0}
        log.note("ModelAnswered", {"turn": 1, "ok": True, "usage": usage, "cost": "0.2"})


def test_by_day_skill_and_model(kept: tuple[Record, list[int]]) -> None:
    """Calls are summed by day, skill and model; what lies before a moment is left out."""
    record, now = kept
    call(record, "t1")
    call(record, "t2")
    now[0] = 2 * DAY
    call(record, "t3", model="other")
    later = ModelUse("1970-01-03", "s", "other", 1, Usage(10, 2), Decimal("0.2"))
    assert record.usage() == [ModelUse("1970-01-02", "s", "m", 2, Usage(20, 4), Decimal("0.4")), later]
    assert record.usage(since=2 * DAY) == [later]


def test_a_call_without_an_end_costs_its_reservation(kept: tuple[Record, list[int]]) -> None:
    """What was cut counts at what was set aside for it, between others and at the end."""
    record, _ = kept
    call(record, "t1", ends=False)
    call(record, "t2")
    call(record, "t3", ends=False)
    assert [(use.calls, use.cost) for use in record.usage()] == [(3, Decimal("1.2"))]


def test_by_agent(kept: tuple[Record, list[int]]) -> None:
    """What an agent used is told apart from what another one used, and the app itself."""
    record, _ = kept
    for task, agent in (("t1", "Writer"), ("t2", ""), ("t3", "Estimator"), ("t4", "Writer")):
        call(record, task, agent=agent)
    assert [(use.agent, use.calls) for use in record.usage()] == [("", 1), ("Estimator", 1), ("Writer", 2)]


def test_nothing_was_used(kept: tuple[Record, list[int]]) -> None:
    """A record without model calls tells of none."""
    assert kept[0].usage() == []
