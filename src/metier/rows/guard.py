"""What is every connection of an app's engine held to while a unit of work is open?

The unit's own connection changes what the call declares, in one transaction. Any other connection of the same engine only
reads: what it wrote would stand whatever becomes of the call.
"""

import sqlite3
from typing import Any
from weakref import WeakSet

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.interfaces import ExceptionContext
from sqlalchemy.pool import ManagesConnection, SingletonThreadPool, StaticPool

from ..errors import SetupError
from . import postgres, sqlite
from .current import Unit, open_unit
from .refusal import undeclared
from .statement import READING, SAVEPOINTS, TRANSACTIONS, beginnings
from .tripwire import set_aside

KNOWN = ("sqlite", "postgresql")
_HELD = "metier_held"
_READ_ONLY_TRANSACTION = "25006"
"""PostgreSQL's SQLSTATE for a write in a read-only transaction."""
_SURELY_READING = {"SELECT", "SHOW", "VALUES"}
_BEGINNING = 120

_guarded: WeakSet[Engine] = WeakSet()


def guard(engine: Engine) -> None:
    """Watch an engine's connections from now on. Where no unit of work is open it costs the look at one variable.

    Raises:
        SetupError: the engine cannot keep a unit of work apart from other work.
    """
    if engine in _guarded:
        return
    if engine.dialect.name not in KNOWN:
        raise SetupError(
            f"Units of work know SQLite and PostgreSQL, and not {engine.dialect.name}.",
            hint="Keep the rows that agents work on in one of the two.",
        )
    if isinstance(engine.pool, SingletonThreadPool | StaticPool):
        raise SetupError(
            "The app's database shares one connection, so a unit of work cannot be kept apart.",
            hint="Use a file in the place of a database in memory.",
        )
    watch = _Watch(engine)
    event.listen(engine, "do_connect", _connect)
    event.listen(engine, "checkout", watch.taken)
    event.listen(engine, "checkin", watch.given_back)
    event.listen(engine, "commit", watch.before_commit)
    event.listen(engine, "before_cursor_execute", watch.before_execute)
    event.listen(engine, "handle_error", watch.told)
    _guarded.add(engine)


def hold(holder: ManagesConnection, unit: Unit, *, reads: bool) -> None:
    """Hold a connection to what the unit may do on it."""
    if _HELD in holder.info:
        return
    driver: Any = holder.driver_connection
    before: dict[str, Any] = {}
    if isinstance(driver, sqlite3.Connection):
        before = sqlite.hold(driver, unit, reads=reads)
    elif reads:
        postgres.hold(unit.engine.dialect, driver, own=driver is unit.own)
    holder.info[_HELD] = (unit, before, reads)


def let_go(holder: ManagesConnection) -> None:
    """Give a connection back as it was; one that cannot be is closed."""
    held = holder.info.pop(_HELD, None)
    driver: Any = holder.driver_connection
    if held is None or driver is None:
        return
    unit, before, reads = held
    dialect = unit.engine.dialect
    try:
        if isinstance(driver, sqlite3.Connection):
            sqlite.let_go(driver, unit, before)
        elif reads:
            postgres.let_go(dialect, driver, own=driver is unit.own)
    except dialect.loaded_dbapi.Error as error:
        holder.invalidate(error)


class _Watch:
    """What is done at the events of one engine."""

    def __init__(self, engine: Engine) -> None:
        self._pool_of = engine

    def _unit(self) -> Unit | None:
        unit = open_unit()
        return unit if unit is not None and unit.engine.pool is self._pool_of.pool else None

    def taken(self, _driver: Any, record: ManagesConnection, _proxy: Any) -> None:
        """A connection is taken from the pool, by whatever way."""
        unit = self._unit()
        if unit is not None and not unit.opening:
            hold(record, unit, reads=True)

    def given_back(self, _driver: Any, record: ManagesConnection) -> None:
        """A connection comes back into the pool."""
        let_go(record)

    def before_commit(self, connection: Connection) -> None:
        """A transaction is about to be committed: the unit's own is committed at its end only."""
        unit = self._unit()
        if unit is not None and unit.writes and not unit.moving and _is_own(unit, connection):
            _refuse(unit, "A call tried to commit a part of its work")

    def before_execute(self, connection: Connection, _cursor: Any, statement: str, *_: Any) -> None:
        """A statement is about to be sent."""
        unit = self._unit()
        if unit is None or unit.moving:
            return
        if _HELD not in connection.info:
            _judge_older(unit, statement)
        elif connection.dialect.name == "postgresql":
            _judge_text(unit, statement, writes=unit.writes and _is_own(unit, connection))

    def told(self, context: ExceptionContext) -> BaseException | None:
        """The database refused a statement: say why in our words."""
        unit = self._unit()
        if unit is None:
            return None
        error = context.original_exception
        if isinstance(error, sqlite3.Error) and unit.refusals and "authoriz" in str(error):
            return undeclared(unit.refusals[-1])
        if getattr(error, "sqlstate", None) == _READ_ONLY_TRANSACTION or "readonly database" in str(error):
            what = f"A call that only reads tried to write: {_beginning(context.statement or str(error))}"
            unit.refuse(what)
            return undeclared(what)
        return None


def _connect(dialect: Any, _record: Any, arguments: Any, options: Any) -> Any:
    # The pool grows while a call runs: that is the app's own database, and no effect.
    with set_aside():
        return dialect.connect(*arguments, **options)


def _judge_older(unit: Unit, statement: str) -> None:
    """A connection that was opened before the call, by a session of the app's own that lives on."""
    if not all(one in _SURELY_READING for one in beginnings(statement)):
        _refuse(unit, f"A call tried to write past its unit of work: {_beginning(statement)}")


def _judge_text(unit: Unit, statement: str, *, writes: bool) -> None:
    for one in beginnings(statement):
        if one in TRANSACTIONS:
            _refuse(unit, f"A call tried to begin or end a transaction itself: {_beginning(statement)}")
        if not writes and one not in READING and one not in SAVEPOINTS:
            _refuse(unit, f"A call that only reads tried to write: {_beginning(statement)}")


def _refuse(unit: Unit, what: str) -> None:
    unit.refuse(what)
    raise undeclared(what)


def _is_own(unit: Unit, connection: Connection) -> bool:
    return connection.connection.driver_connection is unit.own


def _beginning(statement: str) -> str:
    line = " ".join(statement.split())
    return line if len(line) <= _BEGINNING else f"{line[:_BEGINNING]}…"
