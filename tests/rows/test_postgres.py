"""PostgreSQL's own ways to write, past a transaction that only reads."""

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from metier.errors import ActionError
from metier.rows.statement import beginnings
from metier.rows.unit import unit_of_work

TRICKS = [
    "ROLLBACK; BEGIN READ WRITE; DELETE FROM repair; COMMIT",
    "SET TRANSACTION READ WRITE",
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
    "SET default_transaction_read_only = off",
    "RESET ALL",
    "DO $$ BEGIN DELETE FROM repair; END $$",
    "COPY (SELECT 1) TO '/tmp/metier-never-written'",
    "PREPARE p AS DELETE FROM repair",
    "EXECUTE p",
    "SELECT 1 -- ;\n; COMMIT",
    "TRUNCATE repair",
    "GRANT ALL ON repair TO PUBLIC",
    "NOTIFY it",
    "LOCK TABLE repair",
    "SELECT * FROM repair FOR UPDATE",
    "SELECT nextval('repair_id_seq')",
    "EXPLAIN ANALYZE DELETE FROM repair",
    "WITH x AS (UPDATE repair SET note = 'x' RETURNING id) SELECT * FROM x",
]

TEXTS = {
    "select 1": ["SELECT"],
    " ( SELECT 1 )": ["SELECT"],
    "/* a; b */ SELECT ';' ; -- x; y\n commit ;": ["SELECT", "COMMIT"],
    "SELECT $a$ ; COMMIT $a$, E'\\'; COMMIT', \"x;COMMIT\"": ["SELECT"],
    "ROLLBACK TO SAVEPOINT a": ["ROLLBACK TO"],
    "rollback work to a": ["ROLLBACK TO"],
    "ROLLBACK": ["ROLLBACK"],
    "PREPARE TRANSACTION 'x'": ["PREPARE TRANSACTION"],
    "PREPARE x AS SELECT 1": ["PREPARE"],
    "SET TRANSACTION READ WRITE": ["SET TRANSACTION"],
    "": [],
    "'x'": [],
}


@pytest.mark.parametrize(("sql", "expected"), TEXTS.items())
def test_beginnings_are_read(sql: str, expected: list[str]) -> None:
    """Each statement's first word is read, past comments and all that is quoted."""
    assert beginnings(sql) == expected


@pytest.mark.parametrize("engine", ["postgres"], indirect=True)
@pytest.mark.parametrize("trick", TRICKS)
def test_a_trick_is_refused(engine: Engine, trick: str) -> None:
    """What would end the transaction, change its kind, write, or leave the database is refused."""
    with pytest.raises(ActionError), unit_of_work(engine, writes=False) as unit:
        unit.session.connection().exec_driver_sql(trick)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT note FROM repair")) == ""


@pytest.mark.parametrize("engine", ["postgres"], indirect=True)
def test_the_server_holds_it(engine: Engine) -> None:
    """A setting that is changed by a function of a SELECT is refused by the server itself."""
    off = text("SELECT set_config('transaction_read_only', 'off', false)")
    with pytest.raises(DBAPIError, match="inside a read-only"), unit_of_work(engine, writes=False) as unit:
        unit.session.execute(off)


@pytest.mark.parametrize("engine", ["postgres"], indirect=True)
@pytest.mark.parametrize("writes", [False, True])
def test_a_lost_connection_is_told(engine: Engine, *, writes: bool) -> None:
    """A server that hangs up in the middle of a call fails that call only; the pool serves the next one."""
    with pytest.raises(DBAPIError), unit_of_work(engine, writes=writes) as unit:
        unit.session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    with unit_of_work(engine, writes=writes) as unit:
        assert unit.session.scalar(text("SELECT fault FROM repair")) == "brake"


@pytest.mark.parametrize("engine", ["postgres"], indirect=True)
def test_a_connection_comes_back_as_it_was(engine: Engine) -> None:
    """After a call that only reads, the pool's connections write again."""
    with unit_of_work(engine, writes=False) as unit, unit.engine.connect() as second:
        second.execute(text("SELECT 1"))
    with engine.connect() as one, engine.connect().execution_options(isolation_level="AUTOCOMMIT") as two:
        assert one.execute(text("UPDATE repair SET note = 'x'")).rowcount == 1
        one.rollback()
        assert two.execute(text("UPDATE repair SET note = 'y'")).rowcount == 1
