"""The tables of a new record, held to the migrations."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from metier.record import Record, open_record, schema
from metier.record.connections import Connections
from metier.record.migrate import migrate


def _made(path: str) -> list[tuple[str, ...]]:
    """Everything that is in a file: tables, indexes and triggers, in words, and the version."""
    with closing(sqlite3.connect(path)) as other:
        rows = other.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master").fetchall()
        rows += other.execute("SELECT 'version', version_num FROM alembic_version").fetchall()
    return [tuple(_words(text) for text in row) for row in rows]


def _words(text: str) -> str:
    return " ".join(text.split()).replace("( ", "(").replace(" )", ")")


def test_a_new_record_is_what_migrations_make(record: Record, path: str, tmp_path: Path) -> None:
    """Tables, indexes, triggers and the version are the same, in the same order."""
    connections = Connections(str(tmp_path / "migrated.db"), patience=1)
    migrate(connections)
    connections.close()
    assert _made(path) == _made(connections.path)


def test_each_version_is_a_migration() -> None:
    """The versions are the migrations' files, oldest first."""
    folder = Path(schema.__file__).parent / "migrations" / "versions"
    assert sorted(name[:4] for name in os.listdir(folder) if name.endswith(".py")) == list(schema.VERSIONS)


def test_a_migrated_record_is_used(tmp_path: Path) -> None:
    """What the migrations made is written and read like any other."""
    connections = Connections(str(tmp_path / "migrated.db"), patience=1)
    migrate(connections)
    connections.close()
    with open_record(connections.path) as record:
        record.begin_task("a", skill="s", source="", giver="Ada").note("Given", {})
        assert record.verify("a").entries == 1
