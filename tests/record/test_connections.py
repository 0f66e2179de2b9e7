"""The connections to the file."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from metier.errors import RecordError
from metier.record import Record
from metier.record.connections import Connections


@pytest.fixture
def connections(record: Record, path: str) -> Iterator[Connections]:
    """Connections to a record."""
    opened = Connections(path, patience=5)
    yield opened
    opened.close()


def _pragmas(connection: sqlite3.Connection) -> tuple[int, ...]:
    names = ("synchronous", "busy_timeout", "wal_autocheckpoint", "foreign_keys")
    return tuple(connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names)


def test_each_waits_as_it_should(connections: Connections) -> None:
    """The quick one waits for nothing; all others wait for other programs and for the disk."""
    assert _pragmas(connections.quick()) == (1, 0, 10_000, 0)
    assert _pragmas(connections.patient()) == (2, 5000, 1000, 0)
    with connections.use() as connection:
        assert _pragmas(connection) == (2, 5000, 1000, 0)


def test_one_use_follows_another(connections: Connections) -> None:
    """A connection is used again; within a use, another has one of its own."""
    with connections.use() as first, connections.use() as second:
        assert first is not second
    with connections.use() as third:
        assert third in (first, second)


def test_a_failed_change_leaves_nothing(connections: Connections) -> None:
    """What fails in the middle is undone, and the next use begins outside a transaction."""

    def change() -> None:
        with connections.changing() as connection:
            connection.execute("INSERT INTO yes VALUES ('x', 'a', 1, 1, 'Ada')")
            connection.execute("INSERT INTO nothing VALUES (1)")

    with pytest.raises(RecordError, match="cannot be used"):
        change()
    with connections.changing() as connection:
        assert connection.execute("SELECT count(*) FROM yes").fetchone() == (0,)


def test_a_left_transaction_is_not_handed_on(connections: Connections, path: str) -> None:
    """A use that leaves a transaction open holds nobody up."""
    with connections.use() as connection:
        connection.execute("BEGIN IMMEDIATE")
    with connections.changing() as other:
        assert other is not connection


def test_threads_share_the_connections(connections: Connections) -> None:
    """Many threads change and read at the same time; nothing is lost."""

    def change(number: int) -> None:
        with connections.changing() as connection:
            connection.execute("INSERT INTO yes VALUES (?, 'a', 1, 1, 'Ada')", (f"s{number}",))
        with connections.use() as connection:
            assert connection.execute("SELECT 1 FROM yes WHERE subject = ?", (f"s{number}",)).fetchone() == (1,)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(change, range(80)))
    with connections.use() as connection:
        assert connection.execute("SELECT count(*) FROM yes").fetchone() == (80,)


def test_nothing_is_used_after_the_close(connections: Connections) -> None:
    """Closing ends all connections, also one that is in use meanwhile."""
    with connections.use() as connection:
        connections.close()
    with pytest.raises(sqlite3.ProgrammingError):
        connection.execute("SELECT 1")
    for ask in (connections.quick, connections.patient, connections.use().__enter__):
        with pytest.raises(RecordError, match="is closed"):
            ask()
