"""How is the file reached?"""

import sqlite3
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from sqlalchemy import URL, Connection, create_engine, event
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql import ClauseElement

from ..errors import RecordError
from .faults import database_fault

_PAGES = 10_000
"""Pages that the log may grow by before a quick commit moves them itself. A patient one does so at 1,000."""


def _as_written(data: bytes) -> str:
    # A damaged text must reach `verify`, which names it.
    return data.decode("utf-8", "surrogateescape")


def _prepare(driver: sqlite3.Connection, _: object) -> None:
    driver.text_factory = _as_written
    driver.execute("PRAGMA synchronous = FULL").close()


class Connections:
    """The connections to one SQLite file, two of them kept: a quick one and a patient one.

    The quick one never waits for a lock or for the disk, so it may be used on an event loop's thread. The patient one,
    like all others, waits for both.
    """

    def __init__(self, path: str, *, patience: float) -> None:
        self.path = path
        self.engine = create_engine(
            URL.create("sqlite", database=path), isolation_level="AUTOCOMMIT", connect_args={"timeout": patience}
        )
        event.listen(self.engine, "connect", _prepare)
        # Kept beside the drivers' own connections, which would be closed with them.
        self._kept: list[Connection] = []
        self._quick: sqlite3.Connection | None = None
        self._patient: sqlite3.Connection | None = None
        self._closed = False

    def quick(self) -> sqlite3.Connection:
        """The driver's connection that never waits."""
        if self._quick is None:
            quick = self._keep()
            for pragma in ("synchronous = NORMAL", "busy_timeout = 0", f"wal_autocheckpoint = {_PAGES}"):
                quick.execute(f"PRAGMA {pragma}").close()
            self._quick = quick
        return self._quick

    def patient(self) -> sqlite3.Connection:
        """The driver's connection that waits for other programs, and at a commit for the disk."""
        if self._patient is None:
            self._patient = self._keep()
        return self._patient

    @contextmanager
    def use(self) -> Generator[Connection]:
        """A connection for a short time. Raises RecordError for all that the database raises."""
        self._check_open()
        try:
            with self.engine.connect() as connection:
                yield connection
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise database_fault(self.path, error) from error

    @contextmanager
    def changing(self) -> Generator[Connection]:
        """A connection in a transaction that holds the write lock; committed at the end, or nothing of it."""
        with self.use() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.exec_driver_sql("ROLLBACK")
                raise
            connection.exec_driver_sql("COMMIT")

    def statement(self, element: ClauseElement) -> "Statement":
        """A statement as the driver takes it."""
        return Statement(element, self)

    def close(self) -> None:
        """Close all connections."""
        self._closed = True
        try:
            while self._kept:
                self._kept.pop().close()
            self._quick = self._patient = None
            self.engine.dispose()
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise database_fault(self.path, error) from error

    def _check_open(self) -> None:
        if self._closed:
            raise RecordError(f"The record {self.path!r} is closed.", hint="Open it again.")

    def _keep(self) -> sqlite3.Connection:
        self._check_open()
        try:
            connection = self.engine.connect()
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise database_fault(self.path, error) from error
        self._kept.append(connection)
        driver = connection.connection.driver_connection
        if driver is None:
            raise RecordError(f"The record {self.path!r} has no connection.", hint="Open it again.")
        return cast("sqlite3.Connection", driver)


class Statement:
    """One statement, compiled once for the driver: SQLAlchemy's way costs more than the write itself."""

    def __init__(self, element: ClauseElement, connections: Connections) -> None:
        compiled = element.compile(dialect=connections.engine.dialect)
        self.text = str(compiled)
        self._order: list[str] = list(getattr(compiled, "positiontup", None) or ())

    def row(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """The values in the order of the statement's places."""
        return tuple(values[name] for name in self._order)
