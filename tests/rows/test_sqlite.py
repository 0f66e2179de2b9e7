"""SQLite's own ways to write, past a connection that is held to reading."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError

from metier.errors import ActionError
from metier.rows.current import Unit
from metier.rows.unit import unit_of_work

from .acts import Act, call, driver_of, says
from .shop import Shelf

TRICKS = [
    "PRAGMA query_only = OFF",
    "PRAGMA main.query_only(0)",
    "pragma Query_Only=0",
    "PRAGMA user_version = 5",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA writable_schema = ON",
    "PRAGMA wal_checkpoint",
    "PRAGMA optimize",
    "ATTACH '{}' AS other",
    "REINDEX",
    "ANALYZE",
    "ALTER TABLE repair ADD COLUMN x",
    "CREATE VIEW v AS SELECT 1",
    "CREATE TRIGGER t AFTER INSERT ON repair BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE f USING fts5(x)",
    "EXPLAIN DELETE FROM repair",
    "REPLACE INTO repair (id, ticket, fault, note) VALUES (1, 'x', 'x', 'x')",
]
"""Each with the path of another file where it takes one."""


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Engine]:
    """An app's database in a file."""
    engine = create_engine(f"sqlite:///{tmp_path / 'app.db'}")
    Shelf.metadata.create_all(engine)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO repair (ticket, fault, note) VALUES ('T-7', 'brake', '')"))
    yield engine
    engine.dispose()


def outside(engine: Engine) -> contextlib.closing[sqlite3.Connection]:
    """A connection that metier knows nothing of."""
    return contextlib.closing(sqlite3.connect(str(engine.url.database)))


def dump(engine: Engine) -> list[str]:
    """All that the database holds, as SQL."""
    with outside(engine) as connection:
        return [*connection.iterdump(), str(connection.execute("PRAGMA user_version").fetchone())]


def runs_script(script: str) -> Act:
    """The act of handing a script to the driver."""
    return lambda unit: driver_of(unit).executescript(script)


@pytest.mark.parametrize("trick", TRICKS)
def test_a_trick_is_refused(shop: Engine, tmp_path: Path, trick: str) -> None:
    """A pragma, another file or a change of the schema is refused."""
    before = dump(shop)
    with pytest.raises(ActionError, match="only reads tried to"):
        call(shop, says(trick.format(tmp_path / "other.db")))
    assert dump(shop) == before
    assert not (tmp_path / "other.db").exists()


@pytest.mark.parametrize("statement", ["VACUUM", "VACUUM INTO '{}'"])
def test_a_vacuum_is_refused(shop: Engine, tmp_path: Path, statement: str) -> None:
    """SQLite itself refuses it in a transaction, and the authorizer on a connection without one."""
    text_of_it = statement.format(tmp_path / "other.db")
    with pytest.raises(DBAPIError, match="within a transaction"):
        call(shop, says(text_of_it))

    def by_another(_: Unit) -> None:
        with shop.connect().execution_options(isolation_level="AUTOCOMMIT") as second:
            second.exec_driver_sql(text_of_it)

    with pytest.raises(ActionError, match="vacuum"):
        call(shop, by_another)
    assert not (tmp_path / "other.db").exists()


def test_a_query_may_ask(shop: Engine) -> None:
    """What describes tables and only asks for settings is free, so SQLAlchemy's own looks work."""
    with unit_of_work(shop, writes=False) as unit:
        connection = unit.session.connection()
        assert connection.exec_driver_sql("PRAGMA query_only").scalar() == 1
        assert len(connection.exec_driver_sql("PRAGMA main.table_info('repair')").all()) == 5


def test_a_driver_script_is_refused(shop: Engine) -> None:
    """A script that ends the transaction first is held all the same, and so is a statement prepared before."""
    with shop.connect() as warm:
        warm.exec_driver_sql("UPDATE repair SET note = 'x'")
        warm.rollback()
    before = dump(shop)
    for script in ("COMMIT; UPDATE repair SET note = 'x'; COMMIT", "UPDATE repair SET note = 'x'"):
        with pytest.raises(ActionError):
            call(shop, runs_script(script))
    assert dump(shop) == before


def test_a_blob_is_not_opened_for_writing(shop: Engine) -> None:
    """The driver's way to write into one value is refused too."""
    with pytest.raises(sqlite3.DatabaseError):
        call(shop, lambda unit: driver_of(unit).blobopen("repair", "note", 1))


def test_a_driver_talked_round_is_told(shop: Engine) -> None:
    """A call that takes the authorizer off and writes is told after the fact: a line of docs/effects.md."""
    script = runs_script("PRAGMA query_only = OFF; UPDATE repair SET note = 'x'; COMMIT")
    with pytest.raises(ActionError, match="wrote rows past"):
        call(shop, lambda unit: driver_of(unit).set_authorizer(None), script)


def test_a_connection_comes_back_as_it_was(shop: Engine) -> None:
    """The pool's connection has the app's own settings after a call, whatever kind of call it was."""
    for writes in (False, True):
        with unit_of_work(shop, writes=writes):
            pass
        with shop.connect() as connection:
            driver = connection.connection.driver_connection
            assert driver is not None
            assert driver.isolation_level == ""
            assert connection.exec_driver_sql("PRAGMA query_only").scalar() == 0
            connection.exec_driver_sql("PRAGMA user_version = 7")


def test_an_app_that_begins_itself(tmp_path: Path) -> None:
    """An engine whose own events begin the transaction serves as well."""
    engine = create_engine(f"sqlite:///{tmp_path / 'app.db'}")
    event.listen(engine, "connect", lambda driver, _: setattr(driver, "isolation_level", None))
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    with unit_of_work(engine, writes=True) as unit:
        unit.session.execute(text("CREATE TABLE other (id INTEGER)"))
    with unit_of_work(engine, writes=False) as unit:
        assert unit.session.scalar(text("SELECT count(*) FROM other")) == 0
    engine.dispose()


def test_two_changes_wait_for_each_other(shop: Engine) -> None:
    """A call that changes has the lock from its beginning: another writer is refused at once, and not half way."""
    with unit_of_work(shop, writes=True), outside(shop) as other:
        other.execute("PRAGMA busy_timeout = 0")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
