"""Looking at the leases that are held, between writes."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from metier.domain.task import Waits
from metier.record import Record, open_record

LIMIT = 30
"""Seconds after which a test gives up."""


@pytest.fixture
def other(record: Record, path: str) -> Iterator[Record]:
    """The same record in another process."""
    with open_record(path) as opened:
        yield opened


def _begin(record: Record, task: str = "t") -> Any:
    return record.begin_task(task, skill="s", source="", giver="Ada")


def _until(true: Callable[[], bool]) -> None:
    while not true():
        time.sleep(0.01)


async def _interrupted(log: Any, meanwhile: Callable[[], Awaitable[object]]) -> None:
    """Return when the owner, which writes nothing, is interrupted."""
    told = asyncio.Event()
    log.lease.interrupt = told.set
    await log.commit()
    await meanwhile()
    await asyncio.wait_for(told.wait(), LIMIT)


def test_a_stop_reaches_an_idle_owner(record: Record, other: Record) -> None:
    """An owner that waits for something else is told of a stop by another process (O72)."""

    async def work() -> None:
        log = _begin(record)
        await _interrupted(log, lambda: asyncio.to_thread(other.ask_stop, "t", by="Bob"))
        assert (log.stop_asked, log.lease.lost) == ("Bob", False)

    asyncio.run(work())


def test_a_loss_reaches_an_idle_owner(path: str, other: Record) -> None:
    """An owner whose task was taken is told, though it writes nothing."""

    def take() -> None:
        while other.take_up("t") is None:
            time.sleep(0.01)

    async def work(record: Record) -> None:
        log = _begin(record)
        await _interrupted(log, lambda: asyncio.to_thread(take))
        assert log.lease.lost

    with open_record(path, lease=0.3) as record:
        asyncio.run(work(record))


def test_an_idle_owner_keeps_its_task(path: str, other: Record) -> None:
    """The lease of an owner that writes nothing is renewed while its loop runs."""

    async def work(record: Record) -> None:
        log = _begin(record)
        await log.commit()
        first = log.lease.until
        await asyncio.to_thread(_until, lambda: log.lease.until > first)
        assert other.tasks()[0].lease_until == log.lease.until
        assert await asyncio.to_thread(other.take_up, "t") is None

    with open_record(path, lease=3.0) as record:
        asyncio.run(asyncio.wait_for(work(record), LIMIT))


def test_a_busy_writer_does_not_hide_a_stop(record: Record, other: Record) -> None:
    """While a batch waits elsewhere, the look at the leases is taken on a thread of its own."""

    async def work() -> None:
        log = _begin(record)
        writer = record._writer  # type: ignore[attr-defined]  # held as it is while a batch waits for the disk

        async def stop() -> None:
            writer._flushing.acquire()
            await asyncio.to_thread(other.ask_stop, "t", by="Bob")

        try:
            await _interrupted(log, stop)
        finally:
            writer._flushing.release()

    asyncio.run(work())


def test_a_task_taken_up_on_a_thread(record: Record) -> None:
    """The beat finds the loop that the owner works on when it says how it is interrupted."""

    async def work() -> None:
        _begin(record)
        record.pause_task("t", Waits("worker"))
        log = await asyncio.to_thread(record.take_up, "t")
        assert log is not None
        assert log.lease.loop is None
        log.lease.interrupt = lambda: None
        assert list(record._beat._timers) == [asyncio.get_running_loop()]  # type: ignore[attr-defined]  # no way to see a timer

    asyncio.run(work())


def test_no_timer_without_a_lease(record: Record) -> None:
    """With the last task of a loop its timer is gone; a loop that has ended is forgotten."""
    timers = record._beat._timers  # type: ignore[attr-defined]  # no other way to see a timer

    async def work(*, end: bool) -> None:
        for name in ("a", "b"):
            _begin(record, f"{name}-{end}")
        assert len(timers) == 1
        if end:
            for name in ("a", "b"):
                record.end_task(f"{name}-{end}", state="Done", reason="answered")
            assert timers == {}

    asyncio.run(work(end=True))
    asyncio.run(work(end=False))
    gone = list(timers)
    asyncio.run(work(end=False) if not gone else _again(record))
    assert gone[0] not in timers


async def _again(record: Record) -> None:
    _begin(record, "c")
