"""The stored rows of an app: looked up by their ids and by rights, each call held to what it declares."""

import asyncio
import contextlib
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, inspect, select, text, update
from sqlalchemy.orm import Session

from metier.domain.action import Effect
from metier.domain.principal import RIGHTS, Principal, Rights
from metier.errors import ActionError, EffectUndeclared
from metier.rows.app_rows import AppRows
from metier.rows.current import UNIT, session
from metier.rows.marks import ran

from .shop import Person, Repair, open_shop

READS: frozenset[Effect] = frozenset({"reads"})
CHANGES: frozenset[Effect] = frozenset({"changes"})
MIA, NOOR = Principal("mia@shop"), Principal("noor@shop")
WRITES = text("UPDATE repair SET note = 'x'")


@pytest.fixture
def rows(engine: Engine) -> AppRows:
    """The rows of the workshop."""
    return AppRows(engine)


def note(engine: Engine) -> str:
    """What stands on the repair, seen from outside."""
    with engine.connect() as connection:
        return connection.scalars(select(Repair.note)).one()


@pytest.fixture
def as_mia() -> Iterator[None]:
    """What runs here reads by the rights of two."""
    token = RIGHTS.set(Rights(NOOR, (NOOR, MIA)))
    yield
    RIGHTS.reset(token)


def test_row_of_the_open_call(rows: AppRows) -> None:
    """A row is that of the call's own session, so that what is done to it is kept; its id is a text (O43)."""
    with rows.held(CHANGES, key="t:c1"):
        row = rows.find(Repair, "1")
        assert isinstance(row, Repair)
        assert (row in session(), rows.id_of(row), rows.knows(Repair), rows.knows(str)) == (True, "1", True, False)
        row.note = "kept"
    assert note(rows.engine) == "kept"


def test_row_outside_of_calls_is_usable(rows: AppRows) -> None:
    """Where no call runs, a row comes loaded and on its own."""
    row = rows.find(Repair, "1")
    assert isinstance(row, Repair)
    assert (row.ticket, rows.told(row)["fault"]) == ("T-7", "brake")


@pytest.mark.usefixtures("as_mia")
def test_everybody_must_be_let_read(engine: Engine) -> None:
    """A row that one of those may not read by whose rights the work reads is as if it were not there (O43, O44, O73)."""
    asked: list[str] = []

    def may(who: Principal, row: Any) -> bool:
        asked.append(f"{who} {row.ticket}")
        return who is not MIA

    rows = AppRows(engine, may_read=may)
    assert (rows.find(Repair, "1"), rows.find(Repair, "99")) == (None, None)
    assert asked == ["noor@shop T-7", "mia@shop T-7"]


def test_without_rights_the_app_reads(engine: Engine) -> None:
    """The app's own code reads all (O125)."""
    assert AppRows(engine, may_read=lambda *_: False).find(Repair, "1") is not None


def test_row_left_behind_has_its_id(rows: AppRows) -> None:
    """A row that was committed and left by its session tells nothing more, but still has its id."""
    with Session(rows.engine) as own:
        row = own.scalars(select(Repair)).one()
        own.commit()
    assert rows.id_of(row) == "1"


def test_call_leaves_its_answer(rows: AppRows) -> None:
    """A call that changes rows leaves its mark with its answer, by which it is settled (O49)."""
    with rows.held(CHANGES, key="t:c1") as call:
        session().execute(WRITES)
        call.answer = {"noted": 1}

    async def settled() -> Any:
        settle = rows.settle(CHANGES)
        return settle and await settle({}, "t:c1")

    assert (asyncio.run(settled()).value, rows.settle(READS)) == ({"noted": 1}, None)
    rows.forget("t")
    assert not ran(rows.engine, "t:c1")


def hides(rows: AppRows) -> None:
    """Write in a call that only reads, and hide what came of it behind another error."""
    with rows.held(READS, key=""):
        try:
            session().execute(WRITES)
        finally:
            raise LookupError


def trips(rows: AppRows, path: Path) -> None:
    """Write a file in a call that changes nothing, and hide it likewise."""
    with rows.held(READS, key=""):
        try:
            path.write_text("x", encoding="utf-8")
        finally:
            raise LookupError


def test_what_is_hidden_is_told(rows: AppRows, tmp_path: Path) -> None:
    """What a call did beyond its declaration is what it fails by, whatever it raises instead (O42)."""
    with pytest.raises(EffectUndeclared, match="tried to"):
        hides(rows)
    with pytest.raises(EffectUndeclared, match="does not declare: open"):
        trips(rows, tmp_path / "file")
    assert (note(rows.engine), (tmp_path / "file").exists()) == ("", False)


def test_trip_takes_rows_back(rows: AppRows, tmp_path: Path) -> None:
    """A call that may change rows but sends something undeclared leaves no row changed (O49)."""

    def starts_a_program() -> None:
        with rows.held(CHANGES, key="t:c1"):
            session().execute(WRITES)
            with contextlib.suppress(EffectUndeclared):
                subprocess.run(["true"], check=True, cwd=tmp_path)

    with pytest.raises(EffectUndeclared, match="subprocess"):
        starts_a_program()
    assert (note(rows.engine), ran(rows.engine, "t:c1")) == ("", False)


def test_threads_outlive_their_call(rows: AppRows) -> None:
    """A pool's thread that a call started serves others afterwards: what it does then is no part of that call."""
    with ThreadPoolExecutor(1) as pool:
        with rows.held(READS, key=""):
            pool.submit(threading.get_ident).result()

        def writes() -> str:
            assert UNIT.get() is not None  # the context of the call that is over
            with Session(rows.engine) as own, own.begin():
                own.execute(update(Repair).values(note="later"))
            with pytest.raises(ActionError, match="No unit of work is open"):
                session()
            return "written"

        assert pool.submit(writes).result() == "written"
    assert note(rows.engine) == "later"


def test_reading_gives_usable_rows(rows: AppRows) -> None:
    """Rows come out of a reading unit loaded; changing one inside is refused."""
    with rows.reading() as unit:
        row = unit.session.scalars(select(Repair)).one()
    assert row.fault == "brake"
    with pytest.raises(ActionError, match="changed a row of Repair"), rows.reading() as unit:
        unit.session.scalars(select(Repair)).one().note = "x"


def test_marks_are_made_ready(tmp_path: Path) -> None:
    """The table of marks is made once, where it is missing."""
    engine = create_engine(f"sqlite:///{tmp_path / 'empty.db'}")
    rows = AppRows(engine)
    rows.entered()
    rows.entered()
    assert inspect(engine).get_table_names() == ["metier_done"]
    engine.dispose()


def test_rows_of_another_database(engine: Engine, tmp_path: Path) -> None:
    """Inside a call on one database, rows of another one are looked up in their own."""
    other = open_shop(tmp_path)
    with AppRows(engine).held(READS, key=""):
        found = AppRows(other).find(Person, "1")
        assert isinstance(found, Person)
        assert found.email == "mia@shop"
    other.dispose()
