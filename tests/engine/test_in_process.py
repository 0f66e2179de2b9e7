"""What every engine must do: hand out each task once, to whoever is free, and hold nothing for one that waits."""

import asyncio
import gc
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from metier.domain.proposal import Proposal, Reply
from metier.domain.task import Waits
from metier.engine.in_process import InProcess
from metier.engine.port import Engine
from metier.errors import TaskMissing, TaskOver
from metier.record import Record, TaskWriter, open_record

MANY = 10_000
PATIENCE = 30.0
Step = Callable[[TaskWriter], Awaitable[Waits | None]]
"""What is done with a task in one run; it ends then, or waits."""


async def ends(_: TaskWriter) -> Waits | None:
    """Nothing is left to do."""
    return None


@dataclass
class Workshop:
    """A record, what is done with its tasks, and whatever engine hands them out."""

    path: Path
    records: list[Record] = field(default_factory=list[Record])
    step: Step = ends
    runs: list[str] = field(default_factory=list[str])
    leaving: bool = False

    def record(self) -> Record:
        """The record, as one more process opens it."""
        opened = open_record(str(self.path))
        self.records.append(opened)
        return opened

    def engine(self, record: Record, **how: Any) -> Engine:
        """An engine over the record."""

        async def run(task: str) -> bool:
            try:
                log = record.take_up(task)
            except TaskOver:
                return False
            if log is None:
                return False
            self.runs.append(task)
            if log.stop_asked:
                await self._end(record, log, "Stopped")
                return True
            log.lease.interrupt = partial(_cancel, asyncio.current_task())
            try:
                waits = await self.step(log)
            except asyncio.CancelledError:
                await self._end(record, log, "Stopped")
                return True
            if waits is None:
                await self._end(record, log, "Done")
            else:
                log.note("Paused", {"waits": waits.on})
                record.pause_task(task, waits)
                await log.commit(power=True)
            return True

        def leave() -> None:
            self.leaving = True

        return InProcess(record, run, leave=leave, poll=0.02, **how)

    async def _end(self, record: Record, log: TaskWriter, state: str) -> None:
        log.note("Done" if state == "Done" else "Stopped", {"ended": state, "reason": "answered"})
        record.end_task(log.task, state=state, reason="answered")
        await log.commit(power=True)


def _cancel(run: "asyncio.Task[Any] | None") -> None:
    if run is not None:
        run.cancel()


def give(record: Record, task: str, waits: Waits | None = None, *, proposes: bool = False) -> str:
    """Put a task on the record, ready or waiting."""
    log = record.begin_task(task, skill="s", source="", giver="Ada")
    log.note("Given", {})
    if proposes:
        log.propose(Proposal(f"{task}.p1", task, "c1", "act", {}, ("changes",), "it acts"))
    record.pause_task(task, waits or Waits("worker"))
    return task


@asynccontextmanager
async def serving(engine: Engine) -> AsyncGenerator[asyncio.Event]:
    """The engine at work; it has left when the block is over."""
    leaving = asyncio.Event()
    work = asyncio.ensure_future(engine.serve(leaving))
    try:
        yield leaving
    finally:
        leaving.set()
        await asyncio.wait_for(work, PATIENCE)


async def until(true: Callable[[], bool]) -> None:
    """Wait until it is so."""
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - what is waited for may be another process's
            await asyncio.sleep(0.005)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Workshop]:
    """A workshop of one test."""
    made = Workshop(tmp_path / "record.sqlite")
    yield made
    for record in made.records:
        record.close()


def test_submitted_begins_here(shop: Workshop) -> None:
    """A task that is submitted begins at once, and whoever waits for it has its row."""

    async def story() -> None:
        record = shop.record()
        engine = shop.engine(record)
        async with serving(engine):
            engine.submit(give(record, "t"))
            assert (await asyncio.wait_for(engine.wait("t"), PATIENCE)).state == "Done"

    asyncio.run(story())
    assert shop.runs == ["t"]


def test_submitted_elsewhere_is_found(shop: Workshop) -> None:
    """A task that another process put on the record is found by the next look, and both see its end."""

    async def story() -> None:
        here, there = shop.record(), shop.record()
        async with serving(shop.engine(here)):
            give(there, "t")
            assert (await asyncio.wait_for(shop.engine(there).wait("t"), PATIENCE)).state == "Done"

    asyncio.run(story())
    assert shop.runs == ["t"]


def test_each_task_is_had_once(shop: Workshop) -> None:
    """Two workers with the same tasks never work on one of them both; the oldest begin first."""

    async def story() -> None:
        one, other = shop.record(), shop.record()
        tasks = [give(one, f"t{nth:02}") for nth in range(40)]
        async with serving(shop.engine(one)), serving(shop.engine(other)):
            await until(lambda: all(one.row(task).ended is not None for task in tasks))

    asyncio.run(story())
    assert Counter(shop.runs).most_common(1)[0][1] == 1
    assert len(shop.runs) == 40
    assert shop.runs[0] in ("t00", "t01")


def test_no_more_at_once_than_allowed(shop: Workshop) -> None:
    """A worker has no more tasks at once than it was told."""
    now: list[int] = [0, 0]

    async def busy(_: TaskWriter) -> Waits | None:
        now[0] += 1
        now[1] = max(now)
        await asyncio.sleep(0.01)
        now[0] -= 1
        return None

    async def story() -> None:
        shop.step, record = busy, shop.record()
        tasks = [give(record, f"t{nth}") for nth in range(12)]
        async with serving(shop.engine(record, at_once=3)):
            await until(lambda: all(record.row(task).ended is not None for task in tasks))

    asyncio.run(story())
    assert (now, len(shop.runs)) == ([0, 3], 12)


def test_wait_ends_where_a_person_is_asked(shop: Workshop) -> None:
    """Whoever waits for a task is told when it waits for a person; the answer, from anywhere, lets it go on."""

    async def story() -> None:
        record, elsewhere = shop.record(), shop.record()
        engine = shop.engine(record)
        give(record, "t", Waits("person"), proposes=True)
        async with serving(engine):
            assert (await engine.wait("t")).waits_for == "person"
            assert shop.runs == []
            elsewhere.answer("t.p1", Reply("yes", "Ada"))
            await until(lambda: record.row("t").ended is not None)

    asyncio.run(story())
    assert shop.runs == ["t"]


def test_moment_is_waited_for(shop: Workshop) -> None:
    """A task that waits for a moment begins when it has come, and not before."""

    async def story() -> int:
        record = shop.record()
        moment = time.time_ns() + 200_000_000
        give(record, "t", Waits("time", until=moment))
        async with serving(shop.engine(record)):
            assert (await asyncio.wait_for(shop.engine(record).wait("t"), PATIENCE)).state == "Done"
        assert (record.row("t").ended or 0) >= moment
        return moment

    asyncio.run(story())


def test_child_is_waited_for(shop: Workshop) -> None:
    """A task that waits for another begins when that has ended, however it ended."""

    async def story() -> None:
        record = shop.record()
        give(record, "child")
        give(record, "parent", Waits("child", child="child"))
        async with serving(shop.engine(record)):
            await asyncio.wait_for(shop.engine(record).wait("parent"), PATIENCE)

    asyncio.run(story())
    assert shop.runs == ["child", "parent"]


@pytest.mark.parametrize("waits", [Waits("worker"), Waits("person"), Waits("time", until=1 << 62)])
def test_stop_of_what_nobody_works_on(shop: Workshop, waits: Waits) -> None:
    """A task that waits is stopped here and now, without a worker; a second stop says that it is over."""

    async def story() -> None:
        record = shop.record()
        engine = shop.engine(record)
        give(record, "t", waits)
        assert (await asyncio.wait_for(engine.stop("t", by="Ada"), PATIENCE)).state == "Stopped"
        with pytest.raises(TaskOver):
            await engine.stop("t", by="Ada")
        with pytest.raises(TaskMissing):
            await engine.stop("none", by="Ada")

    asyncio.run(story())


async def _for_ever(_: TaskWriter) -> Waits | None:
    await asyncio.Event().wait()
    return None


def test_stop_reaches_another_process(shop: Workshop) -> None:
    """A task that another process works on is stopped there, and the row says so."""

    async def story() -> None:
        shop.step, here, there = _for_ever, shop.record(), shop.record()
        give(here, "t")
        async with serving(shop.engine(here)):
            await until(lambda: bool(shop.runs))
            assert (await asyncio.wait_for(shop.engine(there).stop("t", by="Ada"), PATIENCE)).state == "Stopped"

    asyncio.run(story())
    assert shop.runs == ["t"]


def test_what_runs_goes_on_elsewhere(shop: Workshop) -> None:
    """A worker that leaves lets its tasks come to their next step; another one goes on with them."""

    async def step(_: TaskWriter) -> Waits | None:
        if len(shop.runs) > 1:
            return None
        await until(lambda: shop.leaving)
        return Waits("worker")

    async def story() -> None:
        shop.step, here, there = step, shop.record(), shop.record()
        give(here, "t")
        async with serving(shop.engine(here)):
            await until(lambda: bool(shop.runs))
        assert there.row("t").state == "Ready"
        async with serving(shop.engine(there)):
            await until(lambda: there.row("t").ended is not None)

    asyncio.run(story())
    assert shop.runs == ["t", "t"]


def test_nothing_is_left_running(shop: Workshop) -> None:
    """When a worker has left, nothing of it runs on, and no lease of it is held."""

    async def story() -> None:
        record = shop.record()
        async with serving(shop.engine(record)):
            give(record, "t")
            await until(lambda: record.row("t").ended is not None)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert record.row("t").lease_until == 0

    asyncio.run(story())


def test_many_that_wait_are_rows_only(shop: Workshop) -> None:
    """Ten thousand waiting tasks are rows: a worker makes no coroutine of them and takes none of them up."""
    record = shop.record()
    for nth in range(MANY):
        give(record, f"w{nth}", [Waits("person"), Waits("time", until=1 << 62)][nth % 2])

    async def story() -> tuple[int, int]:
        async with serving(shop.engine(record)):
            give(record, "first")
            await until(lambda: record.row("first").ended is not None)
            gc.collect()
            before = len(gc.get_objects())
            give(record, "last")
            await until(lambda: record.row("last").ended is not None)
            gc.collect()
            return len(asyncio.all_tasks()), len(gc.get_objects()) - before

    tasks, grown = asyncio.run(story())
    assert shop.runs == ["first", "last"]
    assert (tasks < 10, grown < 500) == (True, True), (tasks, grown)
    assert record.ready() == []
