"""One unit of work for each call: whole or not at all, and nothing beyond what is declared."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

import pytest
from sqlalchemy import Engine, create_engine, delete, event, insert, select, text, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session, sessionmaker

from metier.errors import ActionError, MetierError, SetupError
from metier.rows.current import Unit, session
from metier.rows.marks import ran
from metier.rows.unit import unit_of_work

from .acts import call
from .shop import Repair


def notes(engine: Engine) -> dict[str, str]:
    """What stands in the database, seen from outside of every unit of work."""
    with engine.connect() as connection:
        return {row.ticket: row.note for row in connection.execute(select(Repair.ticket, Repair.note))}


BEFORE = {"T-7": ""}
WRITES = text("UPDATE repair SET note = 'x'")


@contextmanager
def kept_whole(engine: Engine) -> Generator[None, None, None]:
    """The block raises an ActionError and writes nothing; the database serves others afterwards."""
    with pytest.raises(ActionError):
        yield
    assert notes(engine) == BEFORE
    with engine.begin() as connection:
        connection.execute(WRITES)
    assert notes(engine) == {"T-7": "x"}


def flushes(unit: Unit) -> None:
    unit.session.scalars(select(Repair)).one().note = "x"
    unit.session.flush()


def changes_and_leaves(unit: Unit) -> None:
    unit.session.scalars(select(Repair)).one().note = "x"


def adds(unit: Unit) -> None:
    unit.session.add(Repair(ticket="T-8", fault="bell"))


def deletes(unit: Unit) -> None:
    unit.session.delete(unit.session.scalars(select(Repair)).one())


def bulk(unit: Unit) -> None:
    unit.session.bulk_insert_mappings(Repair.__mapper__, [{"ticket": "T-8", "fault": "bell"}])


def core_insert(unit: Unit) -> None:
    unit.session.execute(insert(Repair).values(ticket="T-8", fault="bell", note=""))


def core_update(unit: Unit) -> None:
    unit.session.execute(update(Repair).values(note="x"))


def core_delete(unit: Unit) -> None:
    unit.session.execute(delete(Repair))


def many(unit: Unit) -> None:
    unit.session.connection().execute(insert(Repair), [{"ticket": t, "fault": "", "note": ""} for t in ("a", "b")])


def raw_text(unit: Unit) -> None:
    unit.session.execute(WRITES)


def raw_in_a_comment(unit: Unit) -> None:
    unit.session.execute(text("/* select */ UPDATE repair SET note = 'x' -- select"))


def raw_in_a_cte(unit: Unit) -> None:
    if unit.engine.dialect.name == "sqlite":
        unit.session.execute(text("WITH x AS (SELECT 1) INSERT INTO repair (ticket, fault, note) SELECT 'a', 'b', ''"))
    else:
        unit.session.execute(text("WITH x AS (DELETE FROM repair RETURNING id) SELECT * FROM x"))


def returning(unit: Unit) -> None:
    unit.session.execute(update(Repair).values(note="x").returning(Repair.id)).all()


def driver_sql(unit: Unit) -> None:
    unit.session.connection().exec_driver_sql("DELETE FROM repair")


def driver_cursor(unit: Unit) -> None:
    driver = unit.session.connection().connection.driver_connection
    assert driver is not None
    driver.cursor().execute("DELETE FROM repair")


def ddl(unit: Unit) -> None:
    unit.session.execute(text("CREATE TABLE other (id INTEGER)"))


def drop(unit: Unit) -> None:
    unit.session.execute(text("DROP TABLE repair"))


def temporary(unit: Unit) -> None:
    unit.session.execute(text("CREATE TEMPORARY TABLE other (id INTEGER)"))


def nested(unit: Unit) -> None:
    with unit.session.begin_nested():
        unit.session.execute(WRITES)


def after_a_commit(unit: Unit) -> None:
    unit.session.commit()
    unit.session.execute(WRITES)


def after_a_rollback(unit: Unit) -> None:
    unit.session.rollback()
    unit.session.execute(WRITES)
    unit.session.commit()


def second_connection(unit: Unit) -> None:
    with unit.engine.begin() as connection:
        connection.execute(WRITES)


def second_session(unit: Unit) -> None:
    with sessionmaker(unit.engine).begin() as other:
        other.execute(WRITES)


def second_autocommit(unit: Unit) -> None:
    with unit.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(WRITES)


def autocommit_in_a_cte(unit: Unit) -> None:
    with unit.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        raw_in_a_cte(Unit(unit.engine, writes=False, opened=Session(connection)))


def raw_connection(unit: Unit) -> None:
    with contextlib.closing(unit.engine.raw_connection()) as raw:
        raw.cursor().execute("UPDATE repair SET note = 'x'")
        raw.commit()


def in_a_thread(unit: Unit) -> None:
    raised: list[BaseException] = []

    def work() -> None:
        try:
            second_connection(unit)
        except BaseException as error:  # noqa: BLE001 - handed to the test
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    raise raised[0]


WAYS: list[Callable[[Unit], None]] = [
    flushes, changes_and_leaves, adds, deletes, bulk, core_insert, core_update, core_delete, many, raw_text,
    raw_in_a_comment, raw_in_a_cte, returning, driver_sql, ddl, drop, temporary, nested, after_a_commit,
    after_a_rollback, second_connection, second_session, second_autocommit, autocommit_in_a_cte, in_a_thread,
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_query_writes_nothing(engine: Engine, way: Callable[[Unit], None]) -> None:
    """Whatever way a call that only reads tries to write by, it raises our error and nothing is written (O42)."""
    with kept_whole(engine), unit_of_work(engine, writes=False) as unit:
        way(unit)


@pytest.mark.parametrize("way", [driver_cursor, raw_connection], ids=lambda way: way.__name__)
def test_a_driver_writes_nothing(engine: Engine, way: Callable[[Unit], None]) -> None:
    """The driver's own connection is held too; on PostgreSQL the error is the driver's."""
    error = ActionError if engine.dialect.name == "sqlite" else Exception
    with pytest.raises(error, match=r"only reads|read-only"), unit_of_work(engine, writes=False) as unit:
        way(unit)
    assert notes(engine) == BEFORE


@pytest.mark.parametrize("way", [raw_text, core_insert, second_connection, ddl], ids=lambda way: way.__name__)
def test_a_hidden_write_is_told(engine: Engine, way: Callable[[Unit], None]) -> None:
    """A query that swallows the error of its write fails all the same, and says which write it was."""

    def hidden(unit: Unit) -> None:
        with contextlib.suppress(Exception):
            way(unit)
        unit.session.rollback()

    with pytest.raises(ActionError, match="only reads tried to"):
        call(engine, hidden)
    assert notes(engine) == BEFORE


def test_a_query_reads(engine: Engine) -> None:
    """A query reads by ORM, Core, text and a second connection; a commit and a rollback of its session do no harm."""
    with unit_of_work(engine, writes=False) as unit:
        assert unit.session is session()
        assert unit.session.scalars(select(Repair.fault)).all() == ["brake"]
        unit.session.commit()
        assert unit.session.execute(text("SELECT ';' || ticket FROM repair -- ; DROP")).scalar() == ";T-7"
        unit.session.rollback()
        with unit.engine.connect() as connection:
            assert connection.scalar(text("WITH x AS (SELECT 1 AS a) SELECT a FROM x")) == 1


def test_a_change_is_kept(engine: Engine) -> None:
    """What a call changes is there when its block has ended, and not earlier (O49)."""
    with unit_of_work(engine, writes=True) as unit:
        changes_and_leaves(unit)
        unit.session.commit()
        with engine.connect() as other:
            assert other.scalar(select(Repair.note)) == ""
    assert notes(engine) == {"T-7": "x"}


@pytest.mark.parametrize("way", [flushes, after_a_commit, core_update, ddl, nested], ids=lambda way: way.__name__)
def test_a_call_that_raises_leaves_nothing(engine: Engine, way: Callable[[Unit], None]) -> None:
    """A call that raises half way leaves nothing, not even what it committed or made a table for (O47, O49)."""
    with pytest.raises(ZeroDivisionError):
        call(engine, way, lambda _: 1 / 0, writes=True, key="t:1")
    assert notes(engine) == BEFORE
    assert not ran(engine, "t:1")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE other (id INTEGER)"))


@pytest.mark.parametrize(
    "way",
    [second_connection, second_session, second_autocommit, in_a_thread],
    ids=lambda way: way.__name__,
)
def test_a_change_has_one_transaction(engine: Engine, way: Callable[[Unit], None]) -> None:
    """A call that changes rows cannot write by another connection, which would stand whatever became of the call."""
    with kept_whole(engine), unit_of_work(engine, writes=True) as unit:
        way(unit)


@pytest.mark.parametrize("statement", ["COMMIT", "ROLLBACK", "BEGIN", "/* x */ commit", "SELECT 1; COMMIT"])
def test_a_call_cannot_end_its_transaction(engine: Engine, statement: str) -> None:
    """A call that commits a part of its work by text fails, and the part is not kept."""
    if engine.dialect.name == "sqlite" and ";" in statement:
        pytest.skip("SQLite's driver takes one statement at a time")
    with kept_whole(engine), unit_of_work(engine, writes=True) as unit:
        unit.session.execute(WRITES)
        with contextlib.suppress(MetierError):
            unit.session.connection().exec_driver_sql(statement)


def test_a_connection_cannot_commit(engine: Engine) -> None:
    """Nor by the method of its connection."""
    with kept_whole(engine), unit_of_work(engine, writes=True) as unit:
        unit.session.execute(WRITES)
        unit.session.connection().commit()


def test_an_older_session_only_reads(engine: Engine) -> None:
    """A session of the app's own that was open before the call may read inside it, and not write."""
    with Session(engine) as older:
        assert older.scalar(select(Repair.fault)) == "brake"
        call(engine, lambda _: older.scalar(select(Repair.ticket)), writes=True)
        with pytest.raises(ActionError, match="past its unit"):
            call(engine, lambda _: older.execute(WRITES), writes=True)
    assert notes(engine) == BEFORE


def test_units_do_not_nest(engine: Engine) -> None:
    """A call inside a call may read in a unit of its own, and not change rows."""
    with unit_of_work(engine, writes=True) as outer:
        with unit_of_work(engine, writes=False) as inner:
            assert inner.session.scalar(select(Repair.fault)) == "brake"
        with pytest.raises(ActionError, match="inside another call"), unit_of_work(engine, writes=True):
            pass
        assert session() is outer.session


def test_a_unit_serves_a_worker_thread(engine: Engine) -> None:
    """A unit that is opened on the event loop serves a function in a worker thread, and two at once stay apart."""

    async def one(note: str) -> str:
        with unit_of_work(engine, writes=False):
            return await asyncio.to_thread(lambda: f"{session().scalar(select(Repair.fault))} {note}")

    async def both() -> list[str]:
        return list(await asyncio.gather(one("a"), one("b")))

    assert asyncio.run(both()) == ["brake a", "brake b"]


def test_a_session_ends_with_its_call(engine: Engine) -> None:
    """Outside of a call there is no session, and a unit that is over says so."""
    with unit_of_work(engine, writes=False) as unit:
        pass
    with pytest.raises(ActionError, match="is over"):
        _ = unit.session
    with pytest.raises(ActionError, match="No unit of work"):
        session()


def test_a_lost_answer_of_a_commit(engine: Engine) -> None:
    """Where the database committed and only its answer was lost, the call has come out well: its mark tells."""

    def loses(connection: object) -> None:
        driver = connection.connection.driver_connection  # type: ignore[attr-defined]
        driver.commit()
        raise OperationalError("COMMIT", {}, Exception("gone"), connection_invalidated=True)

    with unit_of_work(engine, writes=True, key="t:1") as unit:
        changes_and_leaves(unit)
        unit.session.flush()
        event.listen(engine, "commit", loses, once=True)
    assert notes(engine) == {"T-7": "x"}


def test_an_unfit_engine_is_told() -> None:
    """A database in memory, which all threads share or none, is refused with what to do."""
    engine = create_engine("sqlite://")
    with pytest.raises(SetupError, match="shares one connection"), unit_of_work(engine, writes=False):
        pass
    engine.dispose()
