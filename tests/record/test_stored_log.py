"""The writer of one task's entries in a file."""

import asyncio
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metier.domain.entry import Entry, Kind
from metier.errors import RecordError
from metier.record import Record, open_record
from metier.record.bodies import LARGE

KINDS: list[Kind] = ["Given", "ToolCalled", "ToolReturned", "Done"]
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.just("$content"), inner, max_size=4),
    max_leaves=8,
)
FACTS = st.dictionaries(st.text().filter(lambda name: name != "body"), VALUES, max_size=4)
BODIES = st.none() | st.dictionaries(st.text(), VALUES | st.just("x" * (LARGE + 1)), max_size=3)
NOTES = st.lists(st.tuples(st.sampled_from(KINDS), FACTS, BODIES, st.booleans()), max_size=6)


def _begin(record: Record, task: str = "t", **more: Any) -> Any:
    return record.begin_task(task, skill="s", source="", giver="Ada", **more)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(notes=NOTES)
def test_any_notes_come_back_and_verify(notes: list[tuple[Kind, dict[str, Any], dict[str, Any] | None, bool]]) -> None:
    """Whatever is noted, with commits anywhere between, reads back equal and verifies (O89, O92)."""

    async def write(record: Record) -> None:
        log = _begin(record)
        for kind, facts, body, commit in notes:
            log.note(kind, facts, body)
            if commit:
                await log.commit()

    with TemporaryDirectory() as folder, open_record(str(Path(folder, "record.db"))) as record:
        asyncio.run(write(record))
        read = list(record.entries("t", whole=True))
        plain = [{name: fact for name, fact in entry.facts.items() if name != "body"} for entry in read]
        assert [(entry.kind, facts, entry.body) for entry, facts in zip(read, plain, strict=True)] == [
            (kind, facts, body) for kind, facts, body, _ in notes
        ]
        problems = record.verify("t").problems
        # A task may end once only; the list of tasks says Running here.
        assert [problem for problem in problems if "list of tasks" not in problem] == []


def test_numbers_keep_their_digits(record: Record) -> None:
    """What a model said comes back with every digit, also where it is large enough to be kept beside the record (O34, O93)."""
    said = {"arguments": {"n": Decimal("0.12345678901234567890123"), "m": 1.5}}
    large = {"arguments": {**said["arguments"], "text": "x" * LARGE}}

    async def write() -> None:
        log = _begin(record)
        for body in (said, large):
            log.note("ToolCalled", {"cost": Decimal("0.10")}, body)
        await log.commit()

    asyncio.run(write())
    read = list(record.entries("t", whole=True))
    assert [entry.body for entry in read] == [said, large]
    assert {entry.facts["cost"] for entry in read} == {"0.10"}


def test_numbers_and_head_follow(record: Record) -> None:
    """Entries are numbered from 1, and the head is the last one's digest."""
    log = _begin(record)
    assert (log.entries_noted, log.head) == (0, "")
    log.note("Given", {"cost": Decimal("0.50")})
    log.note("Fault", {"where": "loop"}, {"error": "x"})
    entries = list(record.entries("t"))
    assert [entry.number for entry in entries] == [1, 2] == list(range(1, log.entries_noted + 1))
    assert entries[1].digest == log.head
    assert entries[0].facts == {"cost": "0.50"}


def test_what_changes_later_is_not_noted(record: Record) -> None:
    """Facts and body are taken as they are at the moment of the note."""

    async def write() -> None:
        log = _begin(record)
        facts, body = {"effects": ["reads"]}, {"arguments": {"n": 1}}
        log.note("ToolCalled", facts, body)
        facts["effects"].append("runs")
        body["arguments"]["n"] = 2
        await log.commit()

    asyncio.run(write())
    (entry,) = record.entries("t")
    assert (entry.facts["effects"], entry.body) == (["reads"], {"arguments": {"n": 1}})


def test_a_refused_note_leaves_no_gap(record: Record) -> None:
    """What is not JSON is refused, and the next entry takes its number."""
    log = _begin(record)
    with pytest.raises(RecordError, match="cannot be written"):
        log.note("Fault", {"cost": float("nan")})
    log.note("Given", {})
    assert [entry.number for entry in record.entries("t")] == [1]
    assert record.verify("t").ok


def test_a_watcher_is_told_of_each_entry(record: Record) -> None:
    """What a watcher sees is what is read later."""
    seen: list[Entry] = []
    log = _begin(record, watch=seen.append)
    log.note("Given", {"budget": Decimal(1)}, {"input": "x"})
    assert seen == list(record.entries("t"))


def test_contents_are_kept_beside_the_record(record: Record, tmp_path: Path) -> None:
    """Data and files are kept whole, and found by their digests."""
    file = tmp_path / "in.csv"
    file.write_bytes(b"a,b\n")
    log = _begin(record)
    assert record.content(log.keep(b"data")) == b"data"
    assert Path(record.content_path(log.keep_file(str(file)))).read_bytes() == b"a,b\n"
