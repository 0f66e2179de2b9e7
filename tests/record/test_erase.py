"""Taking a task's contents out of the record."""

from hashlib import sha256
from pathlib import Path

import pytest

from metier.errors import RecordError
from metier.record import Record

SECRET = "the secret word " * 400
SHARED = "the shared words " * 400


def _task(record: Record, name: str, *texts: str) -> None:
    log = record.begin_task(name, skill="s", source="", giver="Ada")
    log.note("Given", {"giver": "Ada"}, {"input": texts[0], "small": "a small secret"})
    log.note("ToolReturned", {"stdout": {"digest": log.keep(texts[-1].encode()), "length": len(texts[-1])}})
    log.note("Done", {"ended": "Done"}, {"text": "Done."})
    record.end_task(name, state="Done", reason="answered")


def test_erased_bodies_are_gone_and_verify(record: Record) -> None:
    """Bodies and contents go, facts stay, and the chain holds (design, section 6)."""
    _task(record, "a", SECRET)
    assert record.erase("a") == 2
    entries = list(record.entries("a", whole=True))
    assert [entry.body for entry in entries] == [None, None, None]
    assert entries[0].facts["giver"] == "Ada"
    found = record.verify("a")
    assert (found.ok, found.erased) == (True, 2)
    assert "2 of them" in found.says
    assert record.receipt("a").state == "Done"


def test_no_byte_of_it_is_left(record: Record, path: str) -> None:
    """Neither the file, nor the log beside it, nor the folder of contents holds what was erased."""
    _task(record, "a", SECRET)
    record.erase("a")
    folder = Path(path).parent
    left = [file for file in folder.rglob("*") if file.is_file() and b"secret" in file.read_bytes()]
    assert left == []
    assert Path(path).is_file()


def test_contents_of_others_stay(record: Record) -> None:
    """A content that another task names, in a body or in its facts, stays."""
    _task(record, "a", SHARED, SECRET)
    _task(record, "b", SHARED)
    record.erase("a")
    assert record.verify("b").ok
    assert record.content(sha256(SHARED.encode()).hexdigest()) == SHARED.encode()
    with pytest.raises(RecordError, match="holds no content"):
        record.content(sha256(SECRET.encode()).hexdigest())


def test_a_task_at_work_is_not_erased(record: Record) -> None:
    """Nothing is taken from under a task that is being written."""
    record.begin_task("a", skill="s", source="", giver="Ada")
    with pytest.raises(RecordError, match="has not ended"):
        record.erase("a")
