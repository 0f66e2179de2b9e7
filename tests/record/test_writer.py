"""Writing in batches: grouping, what survives, and waiting for other programs."""

import asyncio
import contextlib
import sqlite3
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

import pytest

from metier.errors import RecordBusy, RecordError
from metier.record import Record, open_record
from metier.record.connections import Connections
from metier.record.contents import Contents
from metier.record.statements import ADD_ENTRY
from metier.record.writer import Writer

SRC = str(Path(__file__).parents[2] / "src")


def _begin(record: Record, task: str) -> Any:
    return record.begin_task(task, skill="s", source="", giver="Ada")


def _stored(path: str) -> list[tuple[str, int]]:
    """What another program sees."""
    with closing(sqlite3.connect(path)) as other:
        return other.execute("SELECT task, number FROM entry ORDER BY rowid").fetchall()


@contextlib.contextmanager
def _held(path: str) -> Generator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


def test_one_commit_writes_all_tasks(record: Record, path: str) -> None:
    """A commit of one task writes what all tasks noted, in the order in which they noted it."""

    async def write() -> list[tuple[str, int]]:
        a, b = _begin(record, "a"), _begin(record, "b")
        a.note("Given", {})
        b.note("Given", {})
        a.note("Done", {})
        before = _stored(path)
        await b.commit()
        return before

    assert asyncio.run(write()) == []
    assert _stored(path) == [("a", 1), ("b", 1), ("a", 2)]


def test_notes_are_written_without_a_commit(record: Record, path: str) -> None:
    """On an event loop notes are written soon; without one they are written at once."""

    async def write() -> None:
        _begin(record, "a").note("Given", {})
        for _ in range(5000):
            await asyncio.sleep(0.001)
            if _stored(path):
                break

    asyncio.run(write())
    _begin(record, "b").note("Given", {})
    assert _stored(path) == [("a", 1), ("b", 1)]


@pytest.mark.parametrize("durability", ["ends", "power"])
def test_every_durability_writes(path: str, durability: Literal["ends", "power"]) -> None:
    """Quick and power commits may follow each other in any order, also with nothing to write."""

    async def write(record: Record) -> None:
        log = _begin(record, "a")
        for power in (False, True, True, False, False, True):
            log.note("Given", {"kept": log.keep(b"data")})
            await log.commit()
            await log.commit(power=power)

    with open_record(path, durability=durability) as record:
        asyncio.run(write(record))
        assert record.verify("a").ok
    assert len(_stored(path)) == 6


def test_power_commits_of_many_tasks_share_the_disk(record: Record) -> None:
    """Many tasks that end together are all written, each whole."""

    async def one(name: str) -> None:
        log = _begin(record, name)
        for _ in range(3):
            log.note("Given", {})
            await asyncio.sleep(0)
        await log.commit(power=True)

    async def write() -> None:
        await asyncio.gather(*(one(f"task-{number}") for number in range(50)))

    asyncio.run(write())
    assert all(record.verify(f"task-{number}").entries == 3 for number in range(50))


def test_a_commit_survives_the_process(path: str) -> None:
    """What was committed is there after the process died without a word."""
    code = f"""
import asyncio, os
from metier.record import Record, open_record
async def main():
    log = open_record({path!r}).begin_task("a", skill="s", source="", giver="Ada")
    log.note("Given", {{}})
    log.note("Briefed", {{}}, {{"system": "x"}})
    await log.commit()
    os._exit(7)
asyncio.run(main())
"""
    assert subprocess.run([sys.executable, "-c", code], check=False, env={"PYTHONPATH": SRC}).returncode == 7
    with open_record(path) as record:
        assert [entry.kind for entry in record.entries("a")] == ["Given", "Briefed"]
        assert record.verify("a").ok


@pytest.mark.parametrize("power", [False, True])
def test_a_lock_is_waited_for_off_the_loop(record: Record, path: str, *, power: bool) -> None:
    """While another program holds the record the loop goes on; the entry is written after it."""

    async def write() -> int:
        log, turns = _begin(record, "a"), 0
        with _held(path) as other:
            log.note("Given", {})
            commit = asyncio.create_task(log.commit(power=power))
            while turns < 20:
                await asyncio.sleep(0.001)
                turns += 1
            assert not commit.done()
            other.execute("COMMIT")
            await commit
        return turns

    assert asyncio.run(write()) == 20
    assert _stored(path) == [("a", 1)]


def test_busy_beyond_the_limit_loses_nothing(path: str) -> None:
    """After the limit the commit fails with RecordBusy; what was noted is written by the next one, in order."""

    async def write(record: Record) -> None:
        log = _begin(record, "a")
        with _held(path) as other:
            log.note("Given", {})
            with pytest.raises(RecordBusy, match="held by another"):
                await log.commit()
            log.note("Done", {})
            other.execute("COMMIT")
        await log.commit()

    with open_record(path, patience=0.05) as record:
        asyncio.run(write(record))
        assert _stored(path) == [("a", 1), ("a", 2)]
        assert record.verify("a").ok


def test_a_cancelled_commit_still_lands(record: Record, path: str) -> None:
    """Who waits for a commit may be cancelled; others that wait with them are not, and the entries are written."""

    async def write() -> None:
        log = _begin(record, "a")
        with _held(path) as other:
            log.note("Given", {})
            first, second = asyncio.create_task(log.commit()), asyncio.create_task(log.commit())
            await asyncio.sleep(0.01)
            first.cancel()
            other.execute("COMMIT")
            await second
        assert first.cancelled()

    asyncio.run(write())
    assert _stored(path) == [("a", 1)]


def test_a_full_disk_loses_nothing(record: Record, path: str) -> None:
    """When the file cannot grow the commit fails with a cure; with space again all is written."""
    connections = Connections(path, patience=1)
    writer = Writer(connections, Contents(f"{path}.contents"))
    pages = connections.quick().execute("PRAGMA max_page_count").fetchone()[0]

    async def write() -> None:
        writer.add(ADD_ENTRY, ("a", 1, "Given", 1, "{}", "x" * 100_000, "d"))
        connections.quick().execute("PRAGMA max_page_count = 1")
        with pytest.raises(RecordError, match="disk is full") as caught:
            await writer.commit(power=False)
        assert caught.value.hint
        connections.quick().execute(f"PRAGMA max_page_count = {pages}")
        writer.add(ADD_ENTRY, ("a", 2, "Done", 1, "{}", None, "d"))
        await writer.commit(power=False)

    asyncio.run(write())
    writer.close()
    connections.close()
    assert _stored(path) == [("a", 1), ("a", 2)]


def test_two_programs_write_two_tasks(path: str) -> None:
    """Two processes write at the same time, each its own task."""
    code = f"""
import asyncio, sys
from metier.record import Record, open_record
async def main(record):
    log = record.begin_task(sys.argv[1], skill="s", source="", giver="Ada")
    for _ in range(200):
        log.note("Given", {{}})
        await log.commit()
    await log.commit(power=True)
with open_record({path!r}) as record:
    asyncio.run(main(record))
"""
    open_record(path).close()
    names = ("a", "b")
    running = [subprocess.Popen([sys.executable, "-c", code, name], env={"PYTHONPATH": SRC}) for name in names]
    assert [process.wait(timeout=60) for process in running] == [0, 0]
    with open_record(path) as record:
        assert [(record.verify(name).ok, record.verify(name).entries) for name in names] == [(True, 200)] * 2


def test_threads_with_loops_of_their_own(record: Record) -> None:
    """A record may serve several event loops at once."""

    async def write(name: str) -> None:
        log = _begin(record, name)
        for number in range(30):
            log.note("Given", {})
            await log.commit(power=number % 10 == 0)

    def run(name: str) -> None:
        asyncio.run(write(name))

    async def all_three() -> None:
        await asyncio.gather(*(asyncio.to_thread(run, name) for name in "abc"))

    asyncio.run(all_three())
    assert [record.verify(name).entries for name in "abc"] == [30, 30, 30]


def test_closing_writes_what_was_noted(path: str) -> None:
    """Closing is the last commit; afterwards nothing can be written."""

    async def write(record: Record) -> None:
        log = _begin(record, "a")
        log.note("Given", {})
        record.close()
        record.close()
        log.note("Done", {})
        with pytest.raises(RecordError, match="is closed"):
            await log.commit()

    asyncio.run(write(open_record(path)))
    assert _stored(path) == [("a", 1)]
