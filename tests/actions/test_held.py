"""Calls of actions that are held to what they declare, each in a unit of work of its own."""

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select, text
from sqlalchemy.orm import Session

from metier.actions.function import action, action_of
from metier.actions.rows import NO_ROWS, Rows
from metier.domain.action import Returned
from metier.domain.principal import RIGHTS, Principal, Rights
from metier.errors import ActionError, EffectUndeclared
from metier.rows.app_rows import AppRows
from metier.rows.current import session
from metier.rows.marks import ran
from metier.rows.predicates import count
from metier.rows.unrowed import Unrowed

from ..rows.shop import Repair, open_shop
from .hands import NoHands

STOPPED = "it did what it does not declare, and was stopped"
MANY = 20
"""More calls at once than the loop has threads for, and more than a pool has connections."""


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """A workshop in a file."""
    made = open_shop(tmp_path)
    yield made
    made.dispose()


@pytest.fixture
def rows(engine: Engine) -> AppRows:
    """Its rows."""
    return AppRows(engine)


class Hands(NoHands):
    """Hands of a call with a key of its own."""

    def __init__(self, call: int) -> None:
        self.key = f"t:c{call}"


async def called(function: Callable[..., Any], rows: Rows, *, nth: int = 1, **arguments: Any) -> Any:
    """What an action answers."""
    return await action_of(function, rows=rows).body(arguments, Hands(nth))


def answer(function: Callable[..., Any], rows: Rows, **arguments: Any) -> Any:
    """The same, where no loop runs."""
    return asyncio.run(called(function, rows, **arguments))


def note(engine: Engine) -> str:
    """What stands on the repair, seen from outside."""
    with Session(engine) as own:
        return own.scalars(select(Repair.note)).one()


@action("Write a note on the repair", changes=True)
def note_repair(repair: Repair, words: str) -> str:
    """In a thread."""
    repair.note += words
    return f"Noted on {repair.ticket}."


@action("Write a note on the repair, in a while", changes=True)
async def note_slowly(repair: Repair, words: str) -> str:
    """On the loop, with the database's lock held while others have their turn there."""
    repair.note += words
    await asyncio.sleep(0.001)
    session().flush()
    await asyncio.sleep(0.001)
    return f"Noted on {repair.ticket}."


@action("Read the note", query=True)
async def read_slowly(repair: Repair) -> str:
    """On the loop, in a while."""
    await asyncio.sleep(0.05)
    return repair.note


@action("Write and then fail", changes=True)
def fails(repair: Repair) -> str:
    """Fail half way."""
    repair.note = "half"
    session().flush()
    raise LookupError(repair.ticket)


@action("Write and then fail, on the loop", changes=True)
async def fails_slowly(repair: Repair) -> str:
    """Fail half way."""
    repair.note = "half"
    await asyncio.sleep(0)
    session().flush()
    raise LookupError(repair.ticket)


@action("Promise a number", changes=True)
def breaks_its_word(repair: Repair) -> int:
    """Answer something else."""
    repair.note = "half"
    return repair.ticket  # type: ignore[return-value]  # what is wrong with it


@pytest.mark.parametrize("function", [note_repair, note_slowly])
def test_call_is_one_unit_of_work(rows: AppRows, function: Callable[..., Any]) -> None:
    """A call that comes out is kept whole, with its answer beside its mark (O43, O49)."""
    assert answer(function, rows, repair="1", words="x") == "Noted on T-7."

    async def settled() -> Any:
        settle = action_of(function, rows=rows).settle
        return settle and await settle({}, "t:c1")

    assert (note(rows.engine), asyncio.run(settled()).value) == ("x", "Noted on T-7.")


@pytest.mark.parametrize("function", [fails, fails_slowly])
def test_call_that_fails_leaves_nothing(rows: AppRows, function: Callable[..., Any]) -> None:
    """A call that raises half way leaves no row changed and no mark (O49)."""
    with pytest.raises(LookupError):
        answer(function, rows, repair="1")
    assert (note(rows.engine), ran(rows.engine, "t:c1")) == ("", False)


def test_answer_that_is_none_leaves_nothing(rows: AppRows) -> None:
    """A call whose answer is not what it promised has failed, so what it did to rows is taken back (O49)."""
    returned = answer(breaks_its_word, rows, repair="1")
    assert (returned.ok, returned.code, note(rows.engine)) == (False, "output.schema", "")


@pytest.mark.parametrize("function", [note_repair, note_slowly])
def test_row_that_is_not_there(rows: AppRows, function: Callable[..., Any]) -> None:
    """An id that is not there and one that may not be read are one answer, and nothing runs (O43, O44)."""
    mia = Principal("mia")
    locked = AppRows(rows.engine, may_read=lambda *_: False)
    token = RIGHTS.set(Rights(mia, (mia,)))
    missed = [answer(function, one, repair="1" if one is locked else "99", words="x") for one in (rows, locked)]
    RIGHTS.reset(token)
    assert [(one.code, one.text) for one in missed] == [
        ("row.missing", 'there is no Repair "99"'),
        ("row.missing", 'there is no Repair "1"'),
    ]
    assert (note(rows.engine), ran(rows.engine, "t:c1")) == ("", False)


def test_query_that_writes_fails(rows: AppRows, tmp_path: Path) -> None:
    """A query that writes rows or files fails, whatever it hides, and nothing is written (O42)."""

    @action(query=True)
    def writes_rows() -> str:
        with contextlib.suppress(Exception):
            session().execute(text("UPDATE repair SET note = 'x'"))
        return "as if nothing had been"

    @action(query=True)
    async def writes_a_file() -> str:
        with contextlib.suppress(EffectUndeclared):
            (tmp_path / "file").write_text("x", encoding="utf-8")
        return "as if nothing had been"

    for function, where in ((writes_rows, (rows,)), (writes_a_file, (rows, Unrowed()))):
        for one in where:
            returned = answer(function, one)
            assert (returned.code, returned.text) == ("effect.undeclared", STOPPED)
            assert "update" in returned.facts["undeclared"] or "open" in returned.facts["undeclared"]
    assert (note(rows.engine), (tmp_path / "file").exists()) == ("", False)


def test_nothing_is_held_without_an_app(tmp_path: Path) -> None:
    """An action that is made for no app is held to nothing."""

    @action(query=True)
    def writes() -> int:
        return (tmp_path / "file").write_text("x", encoding="utf-8")

    assert (answer(writes, NO_ROWS), action_of(writes).settle) == (1, None)


def run_at_once(*calls: Callable[[], Awaitable[Any]]) -> list[Any]:
    """What calls answer that are made at once, each in a task of its own on one loop."""

    async def go() -> list[Any]:
        async with asyncio.timeout(60):
            return await asyncio.gather(*(asyncio.ensure_future(one()) for one in calls))

    return asyncio.run(go())


@pytest.mark.parametrize("functions", [(note_slowly,), (note_repair,), (note_slowly, note_repair)], ids=len)
def test_many_calls_change_rows_at_once(tmp_path: Path, functions: tuple[Callable[..., Any], ...]) -> None:
    """Calls of many tasks on one loop that change rows have their turns, and none needs the database's patience (O49)."""
    engine = open_shop(tmp_path, patience=0)
    rows = AppRows(engine)

    def one(nth: int) -> Callable[[], Awaitable[Any]]:
        function = functions[nth % len(functions)]
        return lambda: called(function, rows, nth=nth, repair="1", words=".")

    assert run_at_once(*map(one, range(MANY))) == ["Noted on T-7."] * MANY
    assert note(engine) == "." * MANY
    engine.dispose()


def test_many_calls_read_at_once(rows: AppRows) -> None:
    """More calls read at once than there are threads and connections: each waits for those before it, not for itself."""
    reads = [lambda: called(read_slowly, rows, repair="1") for _ in range(MANY)]
    writes = [lambda: called(note_slowly, rows, nth=0, repair="1", words="x")]
    answers = run_at_once(*reads, *writes)
    assert (answers[-1], set(answers[:-1]) <= {"", "x"}) == ("Noted on T-7.", True)


def test_loop_goes_on_while_a_call_waits(rows: AppRows) -> None:
    """The loop serves others while a call waits for a lock that somebody else has (O49)."""

    async def go() -> tuple[bool, str]:
        with Session(rows.engine) as other:
            other.add(Repair(ticket="T-8", fault="bell"))
            other.flush()
            waits = asyncio.create_task(called(note_slowly, rows, repair="1", words="x"))
            for _ in range(20):
                await asyncio.sleep(0.005)
            waited = not waits.done()
            other.rollback()
        return waited, await waits

    assert asyncio.run(go()) == (True, "Noted on T-7.")


@pytest.mark.parametrize("moments", range(12))
def test_call_that_is_cut(rows: AppRows, moments: int) -> None:
    """A call that is cancelled, at whatever moment, is kept whole or leaves nothing, and holds nobody up (O49)."""

    async def go() -> None:
        others = [asyncio.create_task(called(note_slowly, rows, nth=nth, repair="1", words=".")) for nth in (2, 3)]
        cut = asyncio.create_task(called(note_slowly, rows, repair="1", words="x"))
        for _ in range(moments):
            await asyncio.sleep(0.001)
        cut.cancel()
        cut.cancel()
        await asyncio.wait([cut])
        await asyncio.gather(*others)

    asyncio.run(go())
    kept = note(rows.engine)
    assert kept.replace("x", "") == ".."
    assert ran(rows.engine, "t:c1") == ("x" in kept)


def test_call_inside_of_a_call(rows: AppRows) -> None:
    """A call that changes rows inside another one is refused, and does not wait for itself."""

    @action(changes=True)
    async def outer(repair: Repair) -> str:
        with pytest.raises(ActionError, match="cannot run inside another"):
            await called(note_slowly, rows, nth=2, repair="1", words="x")
        assert await called(read_slowly, rows, repair="1") == ""
        return repair.ticket

    assert answer(outer, rows, repair="1") == "T-7"


def test_rights_and_context_reach_the_function(rows: AppRows) -> None:
    """A function runs with the context of its call, sync in a thread of its own and async on the loop."""
    seen: list[tuple[bool, bool, int]] = []

    def look() -> None:
        rights = RIGHTS.get()
        here = threading.current_thread() is threading.main_thread()
        seen.append((rights is not None and rights.acts.id == "mia", here, count(Repair)))

    @action(query=True)
    def in_a_thread() -> None:
        look()

    @action(query=True)
    async def on_the_loop() -> None:
        look()

    token = RIGHTS.set(Rights(Principal("mia"), ()))
    assert [answer(one, rows) for one in (in_a_thread, on_the_loop)] == [None, None]
    RIGHTS.reset(token)
    assert seen == [(True, False, 1), (True, True, 1)]


def test_failed_answer_keeps_nothing(rows: AppRows) -> None:
    """A function that answers that it failed has failed, so nothing of it is kept; one that came out is (O49)."""

    @action(changes=True)
    def says(repair: Repair, ok: bool) -> Returned:
        repair.note += str(ok)
        return Returned(text="so it is", ok=ok, code="" if ok else "own")

    assert [answer(says, rows, repair="1", ok=ok).code for ok in (False, True)] == ["own", ""]
    assert note(rows.engine) == "True"
