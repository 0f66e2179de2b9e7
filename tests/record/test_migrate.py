"""Bringing an older record to the newest tables."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from metier.errors import RecordBusy, RecordError
from metier.record import Record, open_record
from metier.record.connections import Connections
from metier.record.migrate import migrate
from metier.record.schema import VERSIONS
from metier.record.upgrade import make_ready


@pytest.fixture
def connections(record: Record, path: str) -> Iterator[Connections]:
    """Connections to a record with one task."""
    record.begin_task("a", skill="s", source="", giver="Ada").note("Given", {"giver": "Ada"})
    opened = Connections(path, patience=0.05)
    yield opened
    opened.close()


def test_an_older_record_is_brought_up(connections: Connections, record: Record) -> None:
    """A record that is not of the newest version goes through the migrations, and keeps its entries."""
    make_ready(connections, versions=(*VERSIONS, "a later one"))
    with connections.use() as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(VERSIONS[-1],)]
    assert [entry.facts for entry in record.entries("a")] == [{"giver": "Ada"}]


def test_a_held_record_is_not_migrated(connections: Connections) -> None:
    """Another program that writes is waited for, and then told of."""
    with closing(sqlite3.connect(connections.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RecordBusy, match="held by another"):
            migrate(connections)


def test_an_unknown_version_is_refused(connections: Connections, record: Record, path: str) -> None:
    """A version that no migration knows is left as it is."""
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(RecordError, match="newest tables") as caught:
        migrate(connections)
    assert "--upgrade" in caught.value.hint
    with pytest.raises(RecordError, match="newer version"):
        open_record(path)
