"""What every record does with owners, waits and stops: one in a file and one in memory alike."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from metier.domain.entry import Entry
from metier.domain.proposal import Proposal, Reply
from metier.domain.task import Waits
from metier.errors import LeaseLost, RecordError, TaskMissing, TaskOver
from metier.record import Record, TaskRow, TaskWriter

PAST, FUTURE = 1, 1 << 61
YES = Reply("yes", "Ada", "fine", "subject", {"n": 2})


def _begin(record: Record, task: str = "t") -> TaskWriter:
    return record.begin_task(task, skill="s", source="", giver="Ada")


def _taken(record: Record, task: str = "t", **more: Any) -> TaskWriter:
    log = record.take_up(task, **more)
    assert log is not None
    return log


def _proposal(name: str = "t.p1", task: str = "t") -> Proposal:
    return Proposal(
        name,
        task,
        "c1",
        "pay",
        {"n": 1},
        ("sends",),
        "pay may be called",
        "pay",
        "in our process",
        True,
        True,
        {"x": 1},
        "Repair 7 of Ada",
        "v1",
    )


def _row(record: Record, task: str = "t") -> TaskRow:
    return next(row for row in record.tasks() if row.id == task)


def _end(record: Record, task: str = "t", state: str = "Done") -> None:
    record.end_task(task, state=state, reason="answered")


def test_a_task_has_one_owner(kept: Record) -> None:
    """Nobody takes up what somebody works on; what was let go goes on after its entries (O33)."""
    log = _begin(kept)
    log.note("Given", {"giver": "Ada"})
    assert kept.take_up("t") is None
    kept.let_go("t")
    kept.let_go("t")
    after = _taken(kept)
    assert (after.entries_noted, after.head, after.lease.token) == (1, log.head, 2)
    assert after.receipt().giver == "Ada"
    assert (_row(kept).state, _row(kept).takeovers) == ("Running", 1)


def test_what_comes_late_is_kept_apart(kept: Record) -> None:
    """An owner that lost its task writes no entry; its commit says so, and what it notes is evidence."""

    async def write() -> None:
        stale = _begin(kept)
        stale.note("Given", {})
        kept.let_go("t")
        after = _taken(kept)
        stale.note("ToolReturned", {"outcome": "done"}, {"text": "x"})
        after.note("Resumed", {})
        with pytest.raises(LeaseLost, match="Another process"):
            await stale.commit()
        await after.commit()
        assert (stale.lease.lost, after.lease.lost) == (True, False)

    asyncio.run(write())
    assert [entry.kind for entry in kept.entries("t")] == ["Given", "Resumed"]
    (late,) = kept.late("t")
    assert late == Entry("t", 2, "ToolReturned", late.at, late.facts, {"text": "x"}, "")
    assert late.facts["outcome"] == "done"


def test_an_ended_task_stays_ended(kept: Record) -> None:
    """What has ended is not taken up; what was stopped goes on when a person resumes it (O33)."""
    _begin(kept).note("Stopped", {"ended": "Stopped", "reason": "cancelled"})
    _end(kept, state="Stopped")
    with pytest.raises(TaskOver, match="Stopped"):
        kept.take_up("t")
    log = _taken(kept, stopped=True)
    assert kept.verify("t").ok
    log.note("Resumed", {})
    assert (log.receipt().state, kept.receipt("t").ended) == ("Running", None)
    assert (_row(kept).ended, _row(kept).reason) == (None, "")
    log.note("Done", {"ended": "Done"})
    _end(kept)
    with pytest.raises(TaskOver, match="Done"):
        kept.take_up("t", stopped=True)
    with pytest.raises(TaskMissing):
        kept.take_up("none")


@pytest.mark.parametrize("state", ["Ready", "Waiting"])
def test_a_paused_task_is_taken_up(kept: Record, state: str) -> None:
    """A pause gives the task up, with what it waits for; who takes it up takes the wait away."""
    _begin(kept).note("Paused", {})
    until = None if state == "Ready" else FUTURE
    kept.pause_task("t", Waits("worker" if state == "Ready" else "time", until=until))
    row = _row(kept)
    waits_for = "worker" if state == "Ready" else "time"
    assert (row.state, row.waits_for, row.wake_at, row.lease_until) == (state, waits_for, until, 0)
    assert kept.receipt("t").state == "Waiting"
    _taken(kept)
    row = _row(kept)
    assert (row.state, row.waits_for, row.wake_at, row.takeovers) == ("Running", "", None, 0)


def test_what_is_ready_comes_oldest_first(kept: Record) -> None:
    """Ready tasks, due ones, those that were let go and those to be stopped are ready; the others are not (O33)."""
    pauses = {"ready": Waits("worker"), "due": Waits("time", until=PAST), "later": Waits("time", until=FUTURE)}
    for name in ("let-go", *pauses, "stop", "person", "held", "ended"):
        _begin(kept, name)
    for name, waits in pauses.items():
        kept.pause_task(name, waits)
    for name in ("stop", "person"):
        kept.pause_task(name, Waits("person"))
    kept.let_go("let-go")
    _end(kept, "ended")
    kept.ask_stop("stop", by="Ada")
    kept.ask_stop("held", by="Ada")
    assert kept.ready() == ["let-go", "ready", "due", "stop"]
    assert kept.ready(limit=2) == ["let-go", "ready"]


def test_what_ends_its_owners_is_left(kept: Record) -> None:
    """After five owners in a row a worker leaves the task; a person can still take it up, and a stop is carried out."""
    _begin(kept)
    for _ in range(5):
        kept.let_go("t")
        assert kept.ready() == ["t"]
        _taken(kept)
    kept.let_go("t")
    assert (kept.ready(), _row(kept).takeovers) == ([], 5)
    kept.ask_stop("t", by="Ada")
    assert kept.ready() == ["t"]


def test_a_childs_end_wakes_its_parent(kept: Record) -> None:
    """Who waits for a task is Ready when it ends, and at once when it has ended or never was."""
    for name in ("child", "a", "b", "c"):
        _begin(kept, name)
    kept.pause_task("a", Waits("child", child="child", until=FUTURE))
    assert (_row(kept, "a").state, _row(kept, "a").waits_for) == ("Waiting", "child:child")
    _end(kept, "child")
    kept.pause_task("b", Waits("child", child="child"))
    kept.pause_task("c", Waits("child", child="none"))
    rows = [_row(kept, name) for name in "abc"]
    assert [(row.state, row.waits_for, row.wake_at) for row in rows] == [("Ready", "", None)] * 3


@pytest.mark.parametrize("waits", [Waits("child"), Waits("time"), Waits("agent")])
def test_a_wait_can_end(kept: Record, waits: Waits) -> None:
    """A wait that nothing could end is refused, and the task stays held."""
    _begin(kept)
    with pytest.raises(RecordError, match="waits for"):
        kept.pause_task("t", waits)
    assert _row(kept).state == "Running"


def test_only_the_owner_ends_a_task(kept: Record) -> None:
    """What this record does not hold it neither ends nor pauses."""
    _begin(kept)
    _end(kept)
    with pytest.raises(LeaseLost):
        _end(kept)
    with pytest.raises(LeaseLost):
        kept.pause_task("t", Waits("worker"))


def test_a_stop_is_raised_by_commits(kept: Record) -> None:
    """Each commit raises until the task is given up; notes and the end are written."""

    async def write() -> None:
        log = _begin(kept)
        assert kept.ask_stop("t", by="Bob").stop == "Bob"
        assert kept.ask_stop("t", by="Cid").stop == "Bob"
        for _ in range(2):
            log.note("ToolCalled", {})
            with pytest.raises(asyncio.CancelledError, match="Bob"):
                await log.commit()
        assert log.stop_asked == "Bob"
        _end(kept, state="Stopped")
        await log.commit(power=True)

    asyncio.run(write())
    assert (_row(kept).state, len(list(kept.entries("t")))) == ("Stopped", 2)
    with pytest.raises(TaskOver):
        kept.ask_stop("t", by="Ada")
    assert _taken(kept, stopped=True).stop_asked == ""


def test_a_stop_interrupts_its_owner(kept: Record) -> None:
    """The owner's interrupt is called once, on its loop; a later owner finds who asked."""

    async def work() -> None:
        log, calls = _begin(kept), asyncio.Queue[object]()
        log.lease.interrupt = lambda: calls.put_nowait(asyncio.get_running_loop())
        await asyncio.to_thread(kept.ask_stop, "t", by="Bob")
        assert await asyncio.wait_for(calls.get(), 20) is asyncio.get_running_loop()
        kept.ask_stop("t", by="Cid")
        with pytest.raises(asyncio.CancelledError):
            await log.commit()
        assert calls.empty()

    asyncio.run(work())
    kept.let_go("t")
    log = _taken(kept)
    assert (log.stop_asked, _row(kept).stop) == ("Bob", "Bob")


def test_a_task_has_a_folder(kept: Record) -> None:
    """It is the owner's alone, the same for every owner, and goes when it is told to."""
    folder = Path(kept.folder("t"))
    (folder / "deep").mkdir()
    (folder / "deep" / "file").write_text("x", encoding="utf-8")
    os.chmod(folder / "deep", 0o500)
    assert kept.folder("t") == str(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    kept.remove_folder("t")
    kept.remove_folder("t")
    assert not folder.exists()


def test_erasing_leaves_nothing_told(kept: Record) -> None:
    """Proposals, answers, late notes and the folder are emptied too; a task at work is not erased."""
    stale = _begin(kept)
    kept.let_go("t")
    log = _taken(kept)
    stale.note("ToolReturned", {}, {"text": "secret"})
    log.propose(_proposal())
    kept.answer("t.p1", YES)
    folder = kept.folder("t")
    with pytest.raises(RecordError, match="has not ended"):
        kept.erase("t")
    _end(kept)
    assert kept.erase("t") == 0
    (late,) = kept.late("t")
    one = kept.proposal("t.p1")
    assert (late.body, one.proposal.arguments, one.proposal.words, os.path.exists(folder)) == (None, {}, "", False)
    assert (one.reply, one.proposal.action) == (Reply("yes", "Ada", "", "subject", None), "pay")


def test_closing_gives_tasks_up(kept: Record) -> None:
    """A closed record holds nothing: an owner that is still there has given its task up."""
    log = _begin(kept)
    kept.close()
    assert not log.lease.held
