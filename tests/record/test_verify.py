"""Checking a task's entries, bodies and contents."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from metier.errors import RecordBroken
from metier.record import Record, Verified

TRIGGERS = ("entry_is_never_deleted", "entry_is_never_changed", "entry_is_never_replaced")


@pytest.fixture
def task(record: Record) -> str:
    """A task of six entries with a content in a body and one in the facts."""
    log = record.begin_task("task-1", skill="s", source="", giver="Ada")
    log.note("Given", {"files": [{"name": "a.csv", "digest": log.keep(b"a,b\n"), "length": 4}]})
    log.note("ModelCalled", {"turn": 1})
    log.note("ModelAnswered", {"turn": 1}, {"text": "large " * 1000})
    log.note("ToolCalled", {"call": "c1", "turn": 1}, {"arguments": {"n": 1}})
    log.note("ToolReturned", {"call": "c1", "outcome": "done"}, {"value": 2})
    log.note("Done", {"ended": "Done", "reason": "answered"})
    record.end_task("task-1", state="Done", reason="answered")
    return "task-1"


def _alter(path: str, *statements: str) -> None:
    """Change the file as its owner can."""
    with closing(sqlite3.connect(path)) as other, other:
        for name in TRIGGERS:
            other.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            other.execute(statement)


def test_what_was_written_verifies(record: Record, task: str) -> None:
    """An untouched task holds, and what that proves is said."""
    found = record.verify(task)
    assert (found.ok, found.entries, found.problems, found.erased) == (True, 6, (), 0)
    assert found.head == record.receipt(task).digest
    assert "no proof against somebody who may write to the file" in found.says


ALTERED = [
    (["UPDATE entry SET facts = replace(facts, ':1', ':2') WHERE number = 4"], ["Entry 4 was changed"]),
    (["UPDATE entry SET facts = CAST(x'7bff7d' AS TEXT) WHERE number = 2"], ["Entry 2 was changed"]),
    (["UPDATE entry SET kind = 'Fault' WHERE number = 2"], ["Entry 2 was changed"]),
    (["UPDATE entry SET at = at + 1 WHERE number = 1"], ["Entry 1 was changed"]),
    (["UPDATE entry SET digest = '0' WHERE number = 3"], ["Entry 3 was changed"]),
    (["UPDATE entry SET body = replace(body, '2', '3') WHERE number = 5"], ["body of entry 5 was changed"]),
    (["UPDATE entry SET body = '{}' WHERE number = 2"], ["body of entry 2 was changed"]),
    (["DELETE FROM entry WHERE number = 1"], ["Entry 1 is missing"]),
    (["DELETE FROM entry WHERE number IN (2, 3)"], ["Entries 2 to 3 are missing"]),
    (["DELETE FROM entry WHERE number = 6"], ["last entries are missing"]),
    (["DELETE FROM entry"], ["last entries are missing"]),
    (["UPDATE entry SET number = 0 WHERE number = 1"], ["Entry 0 has a number", "Entry 1 is missing"]),
    (
        [f"UPDATE entry SET number = {to} WHERE number = {number}" for number, to in ((2, 9), (4, 2), (9, 4))],
        [f"Entry {number} was changed or moved" for number in (2, 3, 4, 5)],
    ),
    (["UPDATE task SET state = 'Failed'"], ["says Failed, the last entry Done"]),
    (["DELETE FROM task"], ["does not name this task"]),
]


@pytest.mark.parametrize(("statements", "words"), ALTERED)
def test_each_change_is_named(record: Record, path: str, task: str, statements: list[str], words: list[str]) -> None:
    """What was changed, dropped or swapped is found and named, and nothing else."""
    _alter(path, *statements)
    found = record.verify(task)
    assert not found.ok
    assert len(found.problems) == len(words)
    assert all(word in problem for word, problem in zip(words, found.problems, strict=True))


@pytest.mark.parametrize("number", [1, 3])
def test_a_changed_content_is_named(record: Record, task: str, number: int) -> None:
    """A content that was changed or lost is named, with the entry that it belongs to."""
    entry = list(record.entries(task))[number - 1]
    digest = entry.body["text"]["$content"] if entry.body else entry.facts["files"][0]["digest"]
    place = Path(record.content_path(digest))
    data = place.read_bytes()
    place.write_bytes(b"b" + data[1:])
    assert _only(record.verify(task)) == f"The content {digest[:12]} that entry {number} names was changed."
    place.unlink()
    assert _only(record.verify(task)) == f"The content {digest[:12]} that entry {number} names is missing."


def _only(found: Verified) -> str:
    (problem,) = found.problems
    return problem


def test_damaged_texts_are_no_entries(record: Record, path: str, task: str) -> None:
    """Reading stops at a text that is no JSON, and says how to see what is left."""
    _alter(path, "UPDATE entry SET facts = CAST(x'7bff7d' AS TEXT) WHERE number = 2")
    with pytest.raises(RecordBroken, match="Entry 2") as caught:
        list(record.entries(task))
    assert "verify" in caught.value.hint
