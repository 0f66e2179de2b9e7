"""Is the file a record, and of this version?"""

import os
import sqlite3
import threading

from sqlalchemy import Connection, inspect, select
from sqlalchemy.exc import OperationalError

from ..errors import RecordError
from .connections import Connections
from .faults import file_fault
from .tables import VERSIONS, version

_ONE_AT_A_TIME = threading.Lock()
"""Alembic keeps what it works on in module globals: two threads at once would write into each other's file."""
_MIGRATIONS = os.path.join(os.path.dirname(__file__), "migrations")


def make_ready(connections: Connections) -> None:
    """Bring the file to the newest version of the tables; a new file begins there.

    Raises RecordError for a file that is no record, or a record of a newer version; neither is touched.
    """
    path = connections.path
    with connections.use() as connection:
        if _found(connection, path) == VERSIONS[-1]:
            return
        connection.exec_driver_sql("PRAGMA journal_mode = WAL")
    with connections.changing() as connection:
        # Another program may have done it meanwhile.
        if _found(connection, path) != VERSIONS[-1]:
            _migrate(connection)
    _sync_folder(path)


def _found(connection: Connection, path: str) -> str | None:
    """The version of the tables; none for an empty file."""
    found = _stored_version(connection)
    if found is None:
        if not inspect(connection).get_table_names():
            return None
        # Or another program made them a moment ago.
        found = _stored_version(connection)
    if found is None:
        raise RecordError(f"{path!r} is a database, but no record of metier.", hint="Name another file for the record.")
    if found not in VERSIONS:
        raise RecordError(
            f"The record {path!r} was written by a newer version of metier (tables {found}).",
            hint="Update with: pip install --upgrade metier",
        )
    return found


def _stored_version(connection: Connection) -> str | None:
    try:
        found = connection.execute(select(version.c.version_num)).scalar()
    except OperationalError as error:
        if getattr(error.orig, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR:
            raise
        return None  # there is no such table
    return None if found is None else str(found)


def _migrate(connection: Connection) -> None:
    from alembic.command import upgrade  # noqa: PLC0415  alembic takes 0.15 s to import, and is seldom needed
    from alembic.config import Config  # noqa: PLC0415  the same

    config = Config()
    config.set_main_option("script_location", _MIGRATIONS.replace("%", "%%"))
    config.attributes["connection"] = connection
    with _ONE_AT_A_TIME:
        upgrade(config, "head")


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
