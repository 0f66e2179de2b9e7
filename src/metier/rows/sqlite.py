"""How is a SQLite connection held to reading, or to one transaction?

SQLite itself is asked: its authorizer judges each statement when it is prepared, however it was written and by whichever
way it came to the connection, and `query_only` stands behind it.
"""

import sqlite3
from collections.abc import Callable
from typing import Any

from .current import Unit

_READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
    sqlite3.SQLITE_SAVEPOINT,
}
_DOING = {
    sqlite3.SQLITE_INSERT: "insert into",
    sqlite3.SQLITE_UPDATE: "update",
    sqlite3.SQLITE_DELETE: "delete from",
    sqlite3.SQLITE_ATTACH: "attach or vacuum",
    sqlite3.SQLITE_DETACH: "detach",
    sqlite3.SQLITE_PRAGMA: "set the pragma",
    sqlite3.SQLITE_TRANSACTION: "begin or end the transaction itself with",
}
_ASKING = {
    "application_id",
    "collation_list",
    "compile_options",
    "data_version",
    "database_list",
    "encoding",
    "foreign_keys",
    "freelist_count",
    "function_list",
    "journal_mode",
    "page_count",
    "page_size",
    "query_only",
    "schema_version",
    "table_list",
    "user_version",
}
"""Pragmas that only ask, as long as they are given no value."""
_DESCRIBING = {"foreign_key_list", "index_info", "index_list", "index_xinfo", "table_info", "table_list", "table_xinfo"}
"""Pragmas whose value is the name of what they describe."""

_HARMLESS = {"read_uncommitted"}
"""SQLAlchemy sets it when an isolation level is chosen; outside of a shared cache it means nothing."""

Judge = Callable[[int, str | None, str | None, str | None, str | None], int]


def hold(connection: sqlite3.Connection, unit: Unit, *, reads: bool) -> dict[str, Any]:
    """Hold a connection to what the unit may do, and answer what `let_go` needs.

    An authorizer of the app's own on this connection is taken off, for SQLite has only one and does not tell it.
    """
    before: dict[str, Any] = {"query_only": _query_only(connection), "isolation_level": connection.isolation_level}
    if reads:
        connection.execute("PRAGMA query_only = ON")
        # What a connection has changed so far; a driver that was talked round shows in it.
        before["total_changes"] = connection.total_changes
    connection.set_authorizer(_reads_only(unit, own=connection is unit.own) if reads else _one_transaction(unit))
    return before


def let_go(connection: sqlite3.Connection, unit: Unit, before: dict[str, Any]) -> None:
    """Give a connection back as it was."""
    connection.set_authorizer(None)
    if not before["query_only"]:
        connection.execute("PRAGMA query_only = OFF")
    connection.isolation_level = before["isolation_level"]
    if connection.total_changes != before.get("total_changes", connection.total_changes):
        unit.refuse("The call wrote rows past its unit of work")


def begin(connection: sqlite3.Connection, *, writes: bool) -> None:
    """Begin the unit's transaction; one that changes takes the lock at once, so that it cannot fail half way for want of it."""
    # The driver of Python 3.11 begins at the first INSERT or UPDATE only: savepoints and DDL would stand alone.
    connection.isolation_level = None
    if not connection.in_transaction:
        connection.execute("BEGIN IMMEDIATE" if writes else "BEGIN")


def _query_only(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("PRAGMA query_only").fetchone()[0])


def _reads_only(unit: Unit, *, own: bool) -> Judge:
    def judge(doing: int, first: str | None, second: str | None, _database: str | None, _trigger: str | None) -> int:
        if doing in _READING or (doing == sqlite3.SQLITE_PRAGMA and _only_asks(first, second)):
            return sqlite3.SQLITE_OK
        if doing == sqlite3.SQLITE_TRANSACTION and (unit.moving or not own):
            return sqlite3.SQLITE_OK
        unit.refuse(f"A call that only reads tried to {_in_words(doing, first)}")
        return sqlite3.SQLITE_DENY

    return judge


def _one_transaction(unit: Unit) -> Judge:
    def judge(doing: int, first: str | None, _second: str | None, _database: str | None, _trigger: str | None) -> int:
        if doing != sqlite3.SQLITE_TRANSACTION or unit.moving:
            return sqlite3.SQLITE_OK
        unit.refuse(f"A call tried to {_in_words(doing, first)}")
        return sqlite3.SQLITE_DENY

    return judge


def _only_asks(pragma: str | None, value: str | None) -> bool:
    name = (pragma or "").lower()
    return name in _DESCRIBING or name in _HARMLESS or (name in _ASKING and value is None)


def _in_words(doing: int, first: str | None) -> str:
    if first in ("sqlite_master", "sqlite_temp_master"):
        return "change the schema"
    return f"{_DOING.get(doing, 'change the schema:')} {first or ''}".strip()
