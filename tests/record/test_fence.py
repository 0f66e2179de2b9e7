"""What an owner may still write when its lease has run out, was lost, or grows old."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from metier.domain.proposal import Proposal, Reply
from metier.errors import LeaseLost, RecordBusy, RecordError, TaskMissing
from metier.record import Record, TaskRow, open_record

SHORT = 0.05


@pytest.fixture
def frozen(path: str) -> Iterator[Record]:
    """A record of a process whose leases run out at once."""
    with open_record(path, lease=SHORT) as opened:
        yield opened


@pytest.fixture
def other(path: str) -> Iterator[Record]:
    """The same record in another process."""
    with open_record(path) as opened:
        yield opened


def _begin(record: Record, task: str = "t") -> Any:
    return record.begin_task(task, skill="s", source="", giver="Ada")


def _taken(record: Record, task: str = "t") -> Any:
    """The task, once its lease has run out."""
    while (log := record.take_up(task)) is None:
        time.sleep(0.01)
    return log


def _until(true: Callable[[], bool]) -> None:
    while not true():
        time.sleep(0.01)


def _row(record: Record) -> TaskRow:
    (row,) = record.tasks()
    return row


def test_a_lease_that_ran_out_is_taken(frozen: Record, other: Record) -> None:
    """Another process takes the task up when its lease has run out, and not before; the chain goes on."""
    log = _begin(frozen)
    log.note("Given", {"n": 1})
    after = _taken(other)
    assert time.time_ns() > log.lease.until
    after.note("Resumed", {})
    assert other.verify("t").ok
    assert [entry.kind for entry in other.entries("t")] == ["Given", "Resumed"]
    assert frozen.take_up("t") is None


def test_a_stale_writer_moves_nothing(frozen: Record, other: Record) -> None:
    """Its entries are late, and its proposals, its end and its standing yes are dropped."""

    async def write() -> None:
        stale = _begin(frozen)
        await stale.commit()
        after = await asyncio.to_thread(_taken, other)
        stale.note("Done", {"ended": "Done"}, {"text": "x" * 9000})
        stale.propose(Proposal("t.p1", "t", "c1", "pay", {}, (), ""))
        frozen.keep_yes("x", task="t", number=1, by="Ada")
        frozen.end_task("t", state="Done", reason="answered")
        with pytest.raises(LeaseLost):
            await stale.commit(power=True)
        after.note("Resumed", {})
        await after.commit()

    asyncio.run(write())
    assert [(note.number, note.kind) for note in other.late("t")] == [(1, "Done")]
    assert (_row(other).state, other.verify("t").problems, other.standing_yes("x")) == ("Running", (), False)
    with pytest.raises(TaskMissing):
        other.proposal("t.p1")


def test_one_lost_task_harms_no_other(frozen: Record, other: Record) -> None:
    """In a batch of two tasks the one that is held is written whole."""

    async def write() -> None:
        lost, held = _begin(frozen, "lost"), _begin(frozen, "held")
        await held.commit()
        await asyncio.to_thread(_taken, other, "lost")
        for number in range(3):
            lost.note("Given", {"n": number})
            held.note("Given", {"n": number})
        await held.commit()
        with pytest.raises(LeaseLost):
            await lost.commit()

    asyncio.run(write())
    assert [entry.facts for entry in other.entries("held")] == [{"n": 0}, {"n": 1}, {"n": 2}]
    assert list(other.entries("lost")) == []
    assert [note.facts for note in other.late("lost")] == [{"n": 0}, {"n": 1}, {"n": 2}]


def test_a_frozen_owner_that_nobody_missed(frozen: Record) -> None:
    """A lease that ran out and was not taken is renewed by the next write."""

    async def write() -> None:
        log = _begin(frozen)
        await log.commit()
        await asyncio.to_thread(_until, lambda: time.time_ns() > log.lease.until)
        log.note("Given", {})
        await log.commit()
        assert _row(frozen).lease_until == log.lease.until > time.time_ns() - 1e9

    asyncio.run(write())
    assert len(list(frozen.entries("t"))) == 1


def test_nothing_begins_under_an_old_lease(path: str) -> None:
    """A commit with nothing to write renews a lease of which half has gone by."""

    async def work(record: Record) -> None:
        log = _begin(record)
        await log.commit()
        first = log.lease.until
        _until(log.lease.is_old)  # on the loop's own thread, as if it was frozen: no beat renews it
        await log.commit()
        assert not log.lease.is_old()
        assert _row(record).lease_until == log.lease.until > first

    with open_record(path, lease=3.0) as record:
        asyncio.run(work(record))


def test_an_owner_waits_for_the_lock(path: str, other: Record) -> None:
    """While another program holds the file the commit fails, and nothing is lost or taken; afterwards it is written."""

    async def write(record: Record) -> None:
        log = _begin(record)
        await log.commit()
        with closing(sqlite3.connect(path, isolation_level=None)) as program:
            program.execute("BEGIN IMMEDIATE")
            log.note("Given", {})
            with pytest.raises(RecordBusy, match="held by another"):
                await log.commit()
            program.execute("COMMIT")
        await log.commit()
        assert not log.lease.lost

    with open_record(path, patience=0.05) as record:
        asyncio.run(write(record))
    assert len(list(other.entries("t"))) == 1


@pytest.mark.parametrize("what", ["begin", "answer", "take_up", "ask_stop"])
def test_a_locked_record_says_so(path: str, what: str) -> None:
    """Each write that somebody waits for is told in clear words when another program holds the file."""
    with open_record(path, patience=0.05) as record, closing(sqlite3.connect(path, isolation_level=None)) as program:
        _begin(record).propose(Proposal("t.p1", "t", "c1", "pay", {}, (), ""))
        record.let_go("t")
        writes: dict[str, Callable[[], object]] = {
            "begin": lambda: _begin(record, "u"),
            "answer": lambda: record.answer("t.p1", Reply("yes", "Ada")),
            "take_up": lambda: record.take_up("t"),
            "ask_stop": lambda: record.ask_stop("t", by="Ada"),
        }
        program.execute("BEGIN IMMEDIATE")
        with pytest.raises(RecordBusy) as caught:
            writes[what]()
        assert caught.value.hint
        program.execute("ROLLBACK")


def test_a_full_disk_loses_no_lease(path: str, frozen: Record) -> None:
    """When the file cannot grow the note says so; with space again all is written, by the same owner."""
    _begin(frozen).note("Given", {})
    frozen.let_go("t")
    with open_record(path) as record:
        quick = record._connections.quick()  # type: ignore[attr-defined]  # the file's own limit stands for a full disk
        pages = quick.execute("PRAGMA max_page_count").fetchone()[0]
        quick.execute("PRAGMA max_page_count = 1")
        log = _taken(record)
        with pytest.raises(RecordError, match="disk is full") as caught:
            log.note("Resumed", {}, {"text": "x" * 4000, "more": "y" * 4000})
        assert caught.value.hint
        quick.execute(f"PRAGMA max_page_count = {pages}")
        log.note("Done", {})
        assert [entry.kind for entry in record.entries("t")] == ["Given", "Resumed", "Done"]
        assert not log.lease.lost
