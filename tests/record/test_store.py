"""A record in a file: tasks, standing answers, receipts."""

import asyncio
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from metier.errors import RecordError, TaskMissing
from metier.record import Record, TaskRow, open_record


@pytest.fixture
def ticking(path: str) -> Iterator[Record]:
    """A record whose clock ticks once a reading."""
    ticks = count(1)
    with open_record(path, clock=lambda: next(ticks)) as opened:
        yield opened


def _task(record: Record, name: str, *, ended: bool = True) -> None:
    log = record.begin_task(name, skill="invoice", source="app", giver="Ada")
    if ended:
        log.note("Done", {"ended": "Done", "reason": "answered"}, {"text": "Done.", "result": "x" * 9000})
        record.end_task(name, state="Done", reason="answered")


def test_tasks_are_listed_newest_first(ticking: Record) -> None:
    """The list shows how far each task is."""
    _task(ticking, "a")
    _task(ticking, "b", ended=False)
    running = TaskRow("b", "invoice", "app", "Ada", 4, None, "Running", "", lease_until=ticking.tasks()[0].lease_until)
    assert ticking.tasks() == [running, TaskRow("a", "invoice", "app", "Ada", 1, 3, "Done", "answered")]
    assert ticking.tasks(limit=1) == [running]


def test_an_id_is_used_once(record: Record, path: str) -> None:
    """A task's id is new, in this process and in all others."""
    _task(record, "a", ended=False)
    with pytest.raises(RecordError, match="already"):
        _task(record, "a")
    with open_record(path) as other, pytest.raises(RecordError, match="already"):
        _task(other, "a")


@pytest.mark.parametrize("task", ["", "a\nb", "\x00"])
def test_an_id_is_one_printable_line(record: Record, task: str) -> None:
    """An id that could be mistaken for something else is refused."""
    with pytest.raises(RecordError, match="no id"):
        _task(record, task)


def test_a_task_is_found_by_its_beginning(record: Record) -> None:
    """As much of an id as is unique is enough; a whole id always is."""
    for name in ("ab1", "ab12", "cd34", "%"):
        _task(record, name)
    assert [record.find_task(prefix) for prefix in ("c", "ab1", "ab12", "%")] == ["cd34", "ab1", "ab12", "%"]


@pytest.mark.parametrize(
    ("prefix", "hint"), [("ab", "ab12"), ("cd43", "cd34"), ("", "metier tasks"), ("CD", "metier tasks")]
)
def test_a_missing_task_has_neighbours(record: Record, prefix: str, hint: str) -> None:
    """Who asks for a task that is not there is told which are near."""
    for name in ("ab1", "ab12", "cd34"):
        _task(record, name)
    with pytest.raises(TaskMissing) as caught:
        record.find_task(prefix)
    assert hint in caught.value.hint


def test_nothing_is_known_of_a_missing_task(record: Record) -> None:
    """Each question about a task that is not there says so."""
    for ask in (record.entries, record.receipt, record.verify, record.erase):
        with pytest.raises(TaskMissing):
            ask("none")


def test_a_receipt_has_the_whole_result(record: Record) -> None:
    """A large result is on the receipt, though it lies in a content; a lost one leaves its beginning (O90)."""
    _task(record, "a")
    assert record.receipt("a").result == "x" * 9000
    (digest,) = [entry.body["result"]["$content"] for entry in record.entries("a") if entry.body]
    Path(record.content_path(digest)).unlink()
    assert record.receipt("a").result["start"] == "x" * 200


def test_a_running_task_has_a_receipt(record: Record) -> None:
    """A task without an end is Running, and its entries are counted as they are noted."""

    async def ask() -> int:
        record.begin_task("a", skill="s", source="", giver="Ada").note("Given", {"giver": "Ada"})
        receipt = record.receipt("a")
        assert (receipt.state, receipt.giver, receipt.ended) == ("Running", "Ada", None)
        return receipt.entries

    assert asyncio.run(ask()) == 1


def test_a_standing_yes_is_kept(record: Record, path: str) -> None:
    """A yes for later tasks is there at once, in every process, and the first one stays (O84)."""
    assert not record.standing_yes("scripts of x")
    record.keep_yes("scripts of x", task="a", number=3, by="Ada")
    record.keep_yes("scripts of x", task="b", number=1, by="Bob")
    assert record.standing_yes("scripts of x")
    with open_record(path) as other:
        assert other.standing_yes("scripts of x")
        assert not other.standing_yes("scripts of y")


def test_long_tasks_are_read_in_pages(record: Record) -> None:
    """All entries come, in their order, also while the task goes on."""

    async def write() -> None:
        log = record.begin_task("a", skill="s", source="", giver="Ada")
        for number in range(1201):
            log.note("Given", {"n": number})
        await log.commit()

    asyncio.run(write())
    assert [entry.facts["n"] for entry in record.entries("a")] == list(range(1201))
