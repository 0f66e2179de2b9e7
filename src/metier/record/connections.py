"""How is the file reached?"""

import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager

from ..errors import RecordError
from .faults import database_fault

_PAGES = 10_000
"""Pages that the log may grow by before a quick commit moves them itself. A patient one does so at 1,000."""

_IDLE = 4
"""Connections for a short time that are kept for the next use."""


def _as_written(data: bytes) -> str:
    # A damaged text must reach `verify`, which names it.
    return data.decode("utf-8", "surrogateescape")


class Connections:
    """The connections to one SQLite file, two of them kept: a quick one and a patient one.

    The quick one never waits for a lock or for the disk, so it may be used on an event loop's thread. The patient one,
    like all others, waits for both.
    """

    def __init__(self, path: str, *, patience: float) -> None:
        self.path = path
        self.patience = patience
        self._lock = threading.Lock()
        """Guards what is kept. Never held while the database works."""
        self._idle: list[sqlite3.Connection] = []
        self._quick: sqlite3.Connection | None = None
        self._patient: sqlite3.Connection | None = None
        self._closed = False

    def quick(self) -> sqlite3.Connection:
        """The connection that never waits."""
        if self._quick is None:
            with self._faults():
                quick = self._new()
                for pragma in ("synchronous = NORMAL", "busy_timeout = 0", f"wal_autocheckpoint = {_PAGES}"):
                    quick.execute(f"PRAGMA {pragma}").close()
            self._quick = quick
        return self._quick

    def patient(self) -> sqlite3.Connection:
        """The connection that waits for other programs, and at a commit for the disk."""
        if self._patient is None:
            with self._faults():
                self._patient = self._new()
        return self._patient

    @contextmanager
    def use(self) -> Generator[sqlite3.Connection]:
        """A connection for a short time. Raises RecordError for all that the database raises."""
        with self._faults():
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                connection = self._new()
            try:
                yield connection
            finally:
                self._give_back(connection)

    @contextmanager
    def changing(self) -> Generator[sqlite3.Connection]:
        """A connection in a transaction that holds the write lock; committed at the end, or nothing of it."""
        with self.use() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                connection.rollback()
                raise

    def open(self) -> sqlite3.Connection:
        """A new connection, the caller's own to close. Raises sqlite3.Error."""
        connection = sqlite3.connect(self.path, timeout=self.patience, isolation_level=None, check_same_thread=False)
        try:
            connection.text_factory = _as_written
            connection.execute("PRAGMA synchronous = FULL").close()
        except BaseException:
            connection.close()
            raise
        return connection

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            self._closed = True
            kept = [one for one in (self._quick, self._patient, *self._idle) if one is not None]
            self._quick = self._patient = None
            self._idle.clear()
        with self._faults():
            for connection in kept:
                connection.close()

    def _new(self) -> sqlite3.Connection:
        if self._closed:
            raise RecordError(f"The record {self.path!r} is closed.", hint="Open it again.")
        return self.open()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            if not self._closed and not connection.in_transaction and len(self._idle) < _IDLE:
                self._idle.append(connection)
                return
        connection.close()

    @contextmanager
    def _faults(self) -> Generator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise database_fault(self.path, error) from error
