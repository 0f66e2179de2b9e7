"""Opening files: new, of this version, newer, and no records at all."""

import contextlib
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import IO

import pytest
from sqlalchemy import create_engine, inspect

from metier.errors import MetierError, RecordError
from metier.record import Record, open_record
from metier.record.schema import VERSIONS
from metier.record.tables import metadata

SRC = str(Path(__file__).parents[2] / "src")
USE = """
import asyncio, sys
from metier.record import Record, open_record
async def work(record):
    log = record.begin_task("t", skill="s", source="", giver="Ada")
    log.note("Done", {"ended": "Done"}, {"text": "x" * 9000})
    await log.commit(power=True)
    record.end_task("t", state="Done", reason="answered")
with open_record(sys.argv[1]) as record:
    asyncio.run(work(record))
    record.keep_yes("x", task="t", number=1, by="Ada")
    assert record.find_task("t") == record.tasks()[0].id == record.receipt("t").id
    assert record.verify("t").ok and record.standing_yes("x") and record.erase("t") == 1
print(*sorted(name for name in sys.modules if name in ("alembic", "sqlalchemy", "metier.record.tables")))
"""
MAKE = """
import sys
from metier.record import open_record, store
for line in sys.stdin:
    open_record(line.strip()).close()
    print("made", flush=True)
"""


def _used_elsewhere(path: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", USE, path], capture_output=True, text=True, check=True, env={"PYTHONPATH": SRC}
    )
    return done.stdout.strip()


def test_a_current_record_needs_no_alchemy(record: Record, path: str) -> None:
    """A record of this version is opened, written, read and erased without SQLAlchemy and without alembic."""
    assert _used_elsewhere(path) == ""


def test_a_new_record_needs_no_alchemy(path: str) -> None:
    """The first run makes the record without them too."""
    assert _used_elsewhere(path) == ""


def test_an_unrecorded_run_needs_no_database() -> None:
    """The room can be used without importing SQLAlchemy."""
    code = "import sys; from metier.record import Record, open_record; open_record(None); print('sqlalchemy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONPATH": SRC})
    assert done.stdout == b"False\n"


def test_migrations_make_the_tables(record: Record, path: str) -> None:
    """The tables that the migrations make are the ones that the code writes."""
    engine = create_engine(f"sqlite:///{path}")
    found = inspect(engine)
    made = {
        name: [(column["name"], column["nullable"]) for column in found.get_columns(name)] for name in metadata.tables
    }
    engine.dispose()
    assert made == {
        name: [(column.name, bool(column.nullable)) for column in table.columns]
        for name, table in metadata.tables.items()
    }


def test_the_log_is_written_ahead(record: Record, path: str) -> None:
    """The file is in WAL mode, so that readers never wait."""
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert other.execute("SELECT version_num FROM alembic_version").fetchall() == [(VERSIONS[-1],)]


def test_a_folder_is_made(tmp_path: Path) -> None:
    """The record's folder need not be there; odd letters in its name do no harm."""
    open_record(str(tmp_path / "a b%d" / ".metier" / "record.db")).close()
    assert (tmp_path / "a b%d" / ".metier" / "record.db").is_file()


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    """A text is left as it is."""
    file = tmp_path / "notes.txt"
    file.write_text("Not a database at all. " * 100, encoding="utf-8")
    before = file.read_bytes()
    with pytest.raises(RecordError, match="no SQLite database"):
        open_record(str(file))
    assert file.read_bytes() == before


def test_a_database_of_something_else(path: str) -> None:
    """Another program's database is left as it is."""
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE songs (name)")
    before = Path(path).read_bytes()
    with pytest.raises(RecordError, match=r"no record of metier"):
        open_record(path)
    assert Path(path).read_bytes() == before


def test_a_record_of_a_newer_version(path: str) -> None:
    """A newer record is refused with the way to update."""
    open_record(path).close()
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(RecordError, match="newer version") as caught:
        open_record(path)
    assert "--upgrade" in caught.value.hint


@pytest.mark.parametrize("place", ["/proc/record.db", "/proc/none/record.db", "/dev/null/record.db"])
def test_a_folder_that_cannot_be_written(place: str) -> None:
    """A folder that takes no files, even from root."""
    with pytest.raises(RecordError) as caught:
        open_record(place)
    assert caught.value.hint


def test_opened_by_many_at_once(path: str) -> None:
    """Programs that make the same record at the same moment all get it."""
    errors: list[MetierError] = []

    def make() -> None:
        try:
            open_record(path).close()
        except MetierError as error:
            errors.append(error)

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_made_by_processes_at_once(tmp_path: Path) -> None:
    """Processes that make the same new record at the same moment all get it."""
    with contextlib.ExitStack() as stack:
        makers = [stack.enter_context(_maker()) for _ in range(3)]
        for number in range(40):
            for given, _ in makers:
                print(tmp_path / f"{number}.db", file=given, flush=True)
            assert [said.readline() for _, said in makers] == ["made\n"] * 3


@contextlib.contextmanager
def _maker() -> Generator[tuple[IO[str], IO[str]]]:
    """A process that opens each record whose path it is given, and says so."""
    command = [sys.executable, "-c", MAKE]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": SRC}
    ) as process:
        assert process.stdin
        assert process.stdout
        yield process.stdin, process.stdout
