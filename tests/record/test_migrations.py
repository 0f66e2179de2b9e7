"""The triggers that hold the entries."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from metier.record import Record

ROW = "('t', 1, 'Done', 1, '{}', '{}', 'd')"


@pytest.fixture
def other(record: Record, path: str) -> Iterator[sqlite3.Connection]:
    """A connection of another program, with one entry in the record."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"INSERT INTO entry VALUES {ROW}")
        yield connection


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM entry",
        "UPDATE entry SET facts = '[]'",
        "UPDATE entry SET number = 2",
        "UPDATE entry SET task = 'u'",
        "UPDATE entry SET kind = 'Failed', body = NULL",
        "UPDATE entry SET at = 2",
        "UPDATE entry SET digest = 'e'",
        "UPDATE entry SET body = '[]'",
        f"INSERT OR REPLACE INTO entry VALUES {ROW}",
    ],
)
def test_entries_are_only_added(other: sqlite3.Connection, statement: str) -> None:
    """An entry is never changed, replaced or deleted (O89)."""
    with pytest.raises(sqlite3.IntegrityError, match="entries are never"):
        other.execute(statement)


def test_a_body_can_be_erased(other: sqlite3.Connection) -> None:
    """A body can be set to nothing, and never back."""
    other.execute("UPDATE entry SET body = NULL")
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        other.execute("UPDATE entry SET body = '{}'")
