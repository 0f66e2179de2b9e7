"""Bringing an older record to the newest tables."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from metier.domain.proposal import Reply
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


@pytest.fixture
def old(tmp_path: Path) -> str:
    """A record as the first version wrote it, with a task that is done and one whose process died."""
    return _written(tmp_path, "0001")


def _written(folder: Path, version: str) -> str:
    place = folder / f"{version}.db"
    with closing(sqlite3.connect(place)) as first:
        first.execute("PRAGMA journal_mode = WAL")
        first.executescript(Path(__file__).with_name(f"record_{version}.sql").read_text(encoding="utf-8"))
    return str(place)


def _rows(place: str) -> list[object]:
    with closing(sqlite3.connect(place)) as other:
        tasks = other.execute("SELECT id, skill, source, giver, started, ended, state, reason FROM task").fetchall()
        return [tasks, *(other.execute(f"SELECT * FROM {table}").fetchall() for table in ("entry", "yes"))]


def test_the_first_version_is_kept_whole(old: str) -> None:
    """A record of version 0001 opens with every row as it was, and verifies; what was cut can be taken up."""
    before = _rows(old)
    with open_record(old) as record:
        assert _rows(old) == before
        assert [(record.verify(task).ok, record.verify(task).entries) for task in ("done", "cut")] == [
            (True, 4),
            (True, 2),
        ]
        assert record.receipt("done").result == 7
        assert record.standing_yes("scripts of x")
        assert record.ready() == ["cut"]
        log = record.take_up("cut")
        assert log is not None
        assert (log.lease.token, log.entries_noted, log.receipt().calls.unknown) == (1, 2, 1)


def test_the_second_version_is_kept_whole(tmp_path: Path) -> None:
    """A record of version 0002 opens with every row as it was: its tasks are no agent's, and a question still waits."""
    place = _written(tmp_path, "0002")
    before = _rows(place)
    with open_record(place) as record:
        assert _rows(place) == before
        assert [(row.id, row.state, row.agent) for row in record.tasks()] == [
            ("asks", "Waiting", ""),
            ("done", "Done", ""),
        ]
        assert (record.verify("done").ok, record.receipt("done").tries, record.seats()) == (True, 1, [])
        assert [(use.agent, use.calls) for use in record.usage()] == [("", 1)]
        assert record.answer("asks.p1", Reply("yes", "Ada")).proposal.version == ""
        assert record.ready() == ["asks"]


def test_a_record_in_use_is_migrated(old: str) -> None:
    """A program that has the file open and reads does no harm, and goes on with its own statements afterwards."""
    with closing(sqlite3.connect(old, isolation_level=None)) as program:
        program.execute("BEGIN")
        assert program.execute("SELECT count(*) FROM entry").fetchone() == (6,)
        open_record(old).close()
        assert program.execute("SELECT count(*) FROM entry").fetchone() == (6,)
        program.execute("COMMIT")
        program.execute(
            "INSERT INTO task (id, skill, source, giver, started, ended, state, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            ("old", "s", "", "Ada", 1, None, "Running", ""),
        )
    with open_record(old) as record:
        assert record.ready() == ["old", "cut"]


def test_a_writer_is_waited_for(old: str) -> None:
    """A program that writes is waited for; it must let go before the patience ends."""
    with closing(sqlite3.connect(old, isolation_level=None, check_same_thread=False)) as program:
        program.execute("BEGIN IMMEDIATE")
        with pytest.raises(RecordBusy, match="held by another"):
            open_record(old, patience=0.05)
        timer = threading.Timer(0.2, program.execute, ["COMMIT"])
        timer.start()
        open_record(old, patience=30).close()
        timer.join()
    with open_record(old) as record:
        assert record.verify("done").ok
