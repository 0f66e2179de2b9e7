"""`metier verify`: is the record whole, and does it still end where it did?"""

import sqlite3
from contextlib import closing

import pytest

from .conftest import Project


@pytest.fixture
def done(project: Project) -> Project:
    """A project with one task that is done."""
    assert project.run("run", "greet", "--yes").code == 0
    return project


def change(project: Project, statement: str) -> None:
    """Change the record behind metier's back, past the triggers that forbid it."""
    with closing(sqlite3.connect(project.folder / ".metier" / "record.sqlite")) as record:
        for (trigger,) in record.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            record.execute(f"DROP TRIGGER {trigger}")
        assert record.execute(statement).rowcount > 0
        record.commit()


def test_record_defends_itself(done: Project) -> None:
    """The tables themselves refuse a change of an entry, whoever makes it."""
    with closing(sqlite3.connect(done.folder / ".metier" / "record.sqlite")) as record:
        with pytest.raises(sqlite3.IntegrityError, match="never changed"):
            record.execute("UPDATE entry SET facts = '{}'")
        with pytest.raises(sqlite3.IntegrityError, match="never deleted"):
            record.execute("DELETE FROM entry")


def test_whole_record_verifies(done: Project) -> None:
    """A whole record exits 0, with its head and what that proves."""
    ran = done.run("verify", done.task())
    head = done.receipt()["digest"]
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == f"whole: {done.receipt()['entries']} entries, head sha256:{head}"
    assert len(ran.out.splitlines()) > 1


@pytest.mark.parametrize("column", ["facts", "body"])
def test_changed_byte_is_found(done: Project, column: str) -> None:
    """One byte changed in an entry is found: exit 9, and the entry is named."""
    place = f"number = (SELECT max(number) FROM entry WHERE {column} LIKE '%greet%')"
    change(done, f"UPDATE entry SET {column} = replace({column}, 'greet', 'Greet') WHERE {place}")
    ran = done.run("verify", done.task())
    assert (ran.code, ran.out.splitlines()[0].split(":")[0]) == (9, "BROKEN")
    assert "entry " in ran.out.splitlines()[1]
    assert done.run("verify", done.task(), "--json").json["verified"]["ok"] is False


def test_lost_entry_is_found(done: Project) -> None:
    """A missing entry is found."""
    change(done, "DELETE FROM entry WHERE number = 3")
    assert done.run("verify", done.task()).code == 9


def test_head_kept_elsewhere(done: Project) -> None:
    """`--head` holds the record to a head that was kept, whole or its beginning, as the receipt shows it."""
    task, head = done.task(), done.receipt()["digest"]
    for kept in (head, f"sha256:{head}", head[:16], f"sha256:{head[:16]}"):
        assert done.run("verify", task, "--head", kept).code == 0
    ran = done.run("verify", task, "--head", "0" * 64)
    assert ran.code == 9
    assert "does not end with the head that you kept" in ran.out
    assert done.run("verify", task, "--head", "0" * 64, "--json").json["head_is_kept"] is False


@pytest.mark.parametrize("head", ["", "a", "sha256:"])
def test_short_head_proves_nothing(done: Project, head: str) -> None:
    """A head too short to mean anything is never taken as kept."""
    assert done.run("verify", done.task(), "--head", head).code != 0


def test_unknown_task_is_told(done: Project) -> None:
    """A task that is not there exits 4."""
    ran = done.run("verify", "nothing")
    assert ran.code == 4
    assert "[M302]" in ran.err


@pytest.mark.needs("setpriv")
def test_read_only_record_says_so(done: Project) -> None:
    """In a folder that may only be read the record cannot be opened: exit 7, with the file and what to do."""
    task = done.task()
    for words in (["verify", task], ["tasks"], ["run", "greet", "--yes"]):
        ran = done.locked(*words)
        assert (ran.code, ran.out) == (7, "")
        assert "record.sqlite" in ran.err.splitlines()[0]
        assert ran.err.splitlines()[1].startswith("hint: ")
    assert done.locked("list").code == 0
    assert done.locked("show", "greet").code == 0
