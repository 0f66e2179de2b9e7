"""Is the file a record, and of this version?"""

import os
import sqlite3
import time
from collections.abc import Sequence

from ..errors import RecordError
from .connections import Connections
from .faults import file_fault
from .schema import NEWEST, SCHEMA, VERSIONS
from .statements import FIND_VERSION, MARK_VERSION

_AGAIN = 0.002
"""Seconds between two tries to put a new file into WAL mode."""


def make_ready(connections: Connections, *, versions: Sequence[str] = VERSIONS) -> None:
    """Bring the file to the newest version of the tables; a new file begins there.

    Raises RecordError for a file that is no record, or a record of a newer version; neither is touched.
    """
    path, newest = connections.path, versions[-1]
    with connections.use() as connection:
        found = _found(connection, path, versions)
        if found == newest:
            return
        _write_ahead(connection, connections.patience)
    if found is None:
        found = _make(connections, versions)
    if found != newest:
        from .migrate import migrate  # noqa: PLC0415 - SQLAlchemy and alembic take 0.3 s to import; seldom needed

        migrate(connections)
    _sync_folder(path)


def _write_ahead(connection: sqlite3.Connection, patience: float) -> None:
    # SQLite does not wait here: of two programs that both read the new file, each would wait for the other.
    limit = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").close()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > limit:
                raise
        else:
            return
        time.sleep(_AGAIN)


def _make(connections: Connections, versions: Sequence[str]) -> str:
    """Make the tables, and answer their version."""
    with connections.changing() as connection:
        found = _found(connection, connections.path, versions)
        if found is not None:
            return found  # another program made them meanwhile
        for statement in SCHEMA:
            connection.execute(statement)
        connection.execute(MARK_VERSION, (NEWEST,))
    return NEWEST


def _found(connection: sqlite3.Connection, path: str, versions: Sequence[str]) -> str | None:
    """The version of the tables; none for an empty file."""
    found = _stored_version(connection)
    if found is None:
        if connection.execute("SELECT name FROM sqlite_master").fetchone() is None:
            return None
        # Or another program made them a moment ago.
        found = _stored_version(connection)
    if found is None:
        raise RecordError(f"{path!r} is a database, but no record of metier.", hint="Name another file for the record.")
    if found not in versions:
        raise RecordError(
            f"The record {path!r} was written by a newer version of metier (tables {found}).",
            hint="Update with: pip install --upgrade metier",
        )
    return found


def _stored_version(connection: sqlite3.Connection) -> str | None:
    try:
        row = connection.execute(FIND_VERSION).fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
            raise
        return None  # there is no such table
    return None if row is None else str(row[0])


def _sync_folder(path: str) -> None:
    folder = os.path.dirname(path) or "."
    try:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise file_fault(folder, error) from error
