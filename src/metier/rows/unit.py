"""How does one call work on rows: whole, or not at all (O47, O49)?"""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from ..errors import ActionError, EffectUndeclared
from . import marks, sqlite
from .current import UNIT, Unit, open_unit
from .guard import guard, hold, let_go
from .refusal import undeclared
from .tripwire import inherited


@contextmanager
def unit_of_work(
    engine: Engine, *, writes: bool, key: str = "", sessions: Callable[..., Session] = Session
) -> Generator[Unit, None, None]:
    """Give one call a session of its own. It commits when the block ends, and leaves nothing when the block raises.

    A call that does not write gets a session that only reads: flush, bulk, Core, raw SQL, DDL and every other
    connection of the same engine raise and write nothing. `session.commit()` and `session.rollback()` inside the block
    mean a savepoint.

    Args:
        engine: the app's database, SQLite in a file or PostgreSQL.
        writes: whether the call declares that it changes something.
        key: the call's key, `task:call`. A call that writes leaves its mark under it, in the same transaction.
        sessions: what makes a session, such as the app's sessionmaker.

    Raises:
        ActionError: the call did what it does not declare, even if it hid that; or it stands in another call's unit.
        SetupError: the engine cannot keep a unit of work apart from other work.
    """
    if writes and open_unit() is not None:
        raise ActionError(
            "A call that changes rows cannot run inside another call's unit of work.",
            hint="Make the inner one a plain function, or a call of its own.",
        )
    guard(engine)
    unit = Unit(engine, writes=writes, key=key)
    token = UNIT.set(unit)
    try:
        with inherited(), _connected(unit) as connection:
            yield from _in_session(unit, connection, sessions)
    except EffectUndeclared:
        raise
    except Exception as error:
        # What was refused is the cause; what came after it, such as a transaction that is in pieces, is not.
        _tell_refusals(unit, error)
        raise
    finally:
        unit.over = True
        UNIT.reset(token)
    _tell_refusals(unit)


def _in_session(unit: Unit, connection: Connection, sessions: Callable[..., Session]) -> Generator[Unit, None, None]:
    begun = marks.begun(connection, unit.key) if unit.writes and unit.key else marks.NONE
    with sessions(bind=connection, join_transaction_mode="create_savepoint") as session:
        unit.opened = session
        try:
            yield unit
            _look_for_changes(unit, session)
            _tell_refusals(unit)
            session.commit()
        finally:
            unit.opened = None
    _tell_refusals(unit)
    if unit.writes:
        _commit(unit, connection, begun)


@contextmanager
def _connected(unit: Unit) -> Generator[Connection, None, None]:
    """The unit's own connection, with its transaction begun; rolled back unless it was committed."""
    unit.opening = True
    connection = unit.engine.connect()
    try:
        unit.opening = False
        unit.own = connection.connection.driver_connection
        hold(connection.connection, unit, reads=not unit.writes)
        _begin(unit, connection)
        yield connection
    finally:
        unit.moving = True
        _end(connection)
        unit.moving = False


def _end(connection: Connection) -> None:
    """Give the connection back with nothing open on it: what was not committed is gone."""
    try:
        connection.rollback()
        if not connection.invalidated:
            # SQLAlchemy may think that it is over, where the call tried to commit a part.
            connection.connection.rollback()
            let_go(connection.connection)
    finally:
        connection.close()


def _begin(unit: Unit, connection: Connection) -> None:
    unit.moving = True
    connection.begin()
    if connection.dialect.name == "sqlite":
        sqlite.begin(unit.own, writes=unit.writes)
    unit.moving = False


def _look_for_changes(unit: Unit, session: Session) -> None:
    """A row that a call changed and did not write is a write all the same, if the call only reads."""
    if unit.writes:
        return
    for row in (*session.new, *session.dirty, *session.deleted):
        if row in session.new or row in session.deleted or session.is_modified(row):
            unit.refuse(f"A call that only reads changed a row of {type(row).__name__}")


def _tell_refusals(unit: Unit, cause: Exception | None = None) -> None:
    if unit.refusals:
        raise undeclared(unit.refusals[0]) from cause


def _commit(unit: Unit, connection: Connection, begun: int) -> None:
    unit.moving = True
    if unit.key:
        marks.leave(connection, unit.key, unit.answer, begun=begun)
    try:
        connection.commit()
    except DBAPIError as error:
        # The database may have committed and only its answer was lost: the mark tells.
        if not (unit.key and error.connection_invalidated and marks.ran(unit.engine, unit.key)):
            raise
