"""Turns of calls that change rows, in a database that takes one writer at a time."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine

from metier.domain.action import Effect
from metier.rows.app_rows import AppRows
from metier.rows.turns import Turns, turns_of

READS: frozenset[Effect] = frozenset({"reads"})
CHANGES: frozenset[Effect] = frozenset({"changes"})


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """A database with nothing in it."""
    made = create_engine(f"sqlite:///{tmp_path / 'app.db'}")
    yield made
    made.dispose()


async def takes(turns: Turns, name: str, had: list[str]) -> None:
    """Have one turn and say so."""
    async with turns.turn():
        had.append(name)
        await asyncio.sleep(0)
        had.append(name)


def test_first_come_first_served() -> None:
    """Each has the turn alone, in the order in which they came."""
    had: list[str] = []

    async def go() -> None:
        turns = Turns()
        await asyncio.gather(*(takes(turns, name, had) for name in "abc"))

    asyncio.run(go())
    assert "".join(had) == "aabbcc"


def test_who_is_cut_waits_no_more() -> None:
    """One that is cancelled while it waits, or just as its turn comes, keeps nobody else from it."""
    had: list[str] = []

    async def go() -> None:
        turns = Turns()
        async with turns.turn():
            waiting = [asyncio.create_task(takes(turns, name, had)) for name in "abc"]
            await asyncio.sleep(0)
            waiting[0].cancel()
            await asyncio.sleep(0)
        waiting[1].cancel()  # its turn has come, and it has not heard of that
        await asyncio.wait(waiting)
        assert [one.cancelled() for one in waiting] == [True, True, False]

    asyncio.run(go())
    assert "".join(had) == "cc"


def test_loops_wait_for_each_other() -> None:
    """The loops of several threads have the turn one after another."""
    turns = Turns()
    had: list[str] = []
    threads = [threading.Thread(target=asyncio.run, args=[takes(turns, name, had)]) for name in "abcdef"]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(had) == sorted("aabbccddeeff")
    assert had[::2] == had[1::2]


def test_closed_loop_is_passed_over() -> None:
    """A loop that was closed while somebody waited on it gets no turn."""
    turns = Turns()
    loop = asyncio.new_event_loop()
    waits = takes(turns, "gone", [])

    async def go() -> None:
        async with turns.turn():
            left = loop.create_task(waits)
            loop.call_soon(loop.stop)
            await asyncio.to_thread(loop.run_forever)
            await asyncio.to_thread(loop.close)
            assert not left.done()
        had: list[str] = []
        await takes(turns, "here", had)
        assert had == ["here", "here"]
        del left

    asyncio.run(go())


def test_one_line_for_each_database(engine: Engine) -> None:
    """All who share an engine stand in one line; calls that only read, and calls inside of others, in none."""
    rows, others = AppRows(engine), AppRows(engine)
    had: list[str] = []

    async def takes_turn(of: AppRows, effects: frozenset[Effect], name: str) -> None:
        async with of.turn(effects):
            had.append(name)

    async def go() -> None:
        async with rows.turn(CHANGES):
            waits = asyncio.create_task(takes_turn(others, CHANGES, "changes"))
            await takes_turn(others, READS, "reads")
        await waits
        with rows.held(CHANGES, key=""):
            await takes_turn(rows, CHANGES, "inside")

    asyncio.run(go())
    assert had == ["reads", "changes", "inside"]
    assert turns_of(create_engine("postgresql+psycopg://nobody@/none")) is None
