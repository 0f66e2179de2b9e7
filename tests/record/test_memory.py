"""Runs that leave no record."""

import asyncio
from hashlib import sha256
from pathlib import Path

import pytest

from metier.domain.entry import Entry
from metier.errors import RecordError, TaskMissing
from metier.record import MemoryLog, Record, open_record


@pytest.fixture
def unrecorded() -> Record:
    """A record without a file."""
    return open_record(None, clock=lambda: 5)


def _ended(record: Record, name: str) -> MemoryLog:
    log = record.begin_task(name, skill="s", source="", giver="Ada")
    assert isinstance(log, MemoryLog)
    log.note("Given", {"giver": "Ada"}, {"input": "x"})
    log.note("Done", {"ended": "Done", "reason": "answered"}, {"text": "Done.", "result": 7})
    asyncio.run(log.commit(power=True))
    record.end_task(name, state="Done", reason="answered")
    return log


def test_a_run_has_a_receipt(unrecorded: Record) -> None:
    """The account is the same, without a digest to hold it to."""
    _ended(unrecorded, "a")
    receipt = unrecorded.receipt("a")
    assert (receipt.state, receipt.result, receipt.giver, receipt.entries, receipt.digest) == ("Done", 7, "Ada", 2, "")
    assert [(row.id, row.state, row.ended) for row in unrecorded.tasks()] == [("a", "Done", 5)]


def test_the_head_is_the_files_head(unrecorded: Record, path: str) -> None:
    """Worked out when asked, the chain is the one that a file would hold."""
    with open_record(path, clock=lambda: 5) as record:
        stored = record.begin_task("a", skill="s", source="", giver="Ada")
        stored.note("Given", {"giver": "Ada"}, {"input": "x"})
        stored.note("Done", {"ended": "Done", "reason": "answered"}, {"text": "Done.", "result": 7})
        log = _ended(unrecorded, "a")
        assert log.head == stored.head
        assert log.entries_noted == stored.entries_noted


def test_a_watcher_is_told(unrecorded: Record) -> None:
    """Each entry is shown as it is noted."""
    seen: list[Entry] = []
    log = unrecorded.begin_task("a", skill="s", source="", giver="Ada", watch=seen.append)
    log.note("Given", {})
    assert seen == list(unrecorded.entries("a")) == [Entry("a", 1, "Given", 5, {}, None, "")]


def test_contents_are_only_named(unrecorded: Record, tmp_path: Path) -> None:
    """A content has its digest, and is not kept."""
    file = tmp_path / "a"
    file.write_bytes(b"data")
    log = unrecorded.begin_task("a", skill="s", source="", giver="Ada")
    digest = sha256(b"data").hexdigest()
    assert log.keep(b"data") == log.keep_file(str(file)) == digest
    for ask in (unrecorded.content, unrecorded.content_path):
        with pytest.raises(RecordError, match="not kept"):
            ask(digest)
    with pytest.raises(RecordError):
        log.keep_file(str(tmp_path / "none"))


def test_there_is_nothing_to_check(unrecorded: Record) -> None:
    """Verifying says so, and erasing lets go of the bodies."""
    _ended(unrecorded, "a")
    found = unrecorded.verify("a")
    assert (found.ok, found.entries) == (True, 2)
    assert "not recorded" in found.says
    assert unrecorded.erase("a") == 2
    assert [entry.body for entry in unrecorded.entries("a")] == [None, None]


def test_ids_and_answers_are_held(unrecorded: Record) -> None:
    """Ids are used once and found by their beginning; a yes lasts as long as the record."""
    _ended(unrecorded, "abc")
    assert unrecorded.find_task("a") == "abc"
    with pytest.raises(RecordError, match="already"):
        _ended(unrecorded, "abc")
    with pytest.raises(TaskMissing) as caught:
        unrecorded.find_task("acb")
    assert "abc" in caught.value.hint
    unrecorded.keep_yes("x", task="abc", number=1, by="Ada")
    assert (unrecorded.standing_yes("x"), unrecorded.standing_yes("y")) == (True, False)
