"""What every record does with owners, waits, stops and proposals: one in a file and one in memory alike."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from metier.domain.entry import Entry
from metier.domain.proposal import Proposal, Reply
from metier.domain.task import Waits
from metier.errors import InputInvalid, LeaseLost, RecordError, TaskMissing, TaskOver
from metier.record import Record, TaskRow, TaskWriter, open_record

PAST, FUTURE = 1, 1 << 61
YES = Reply("yes", "Ada", "fine", "subject", {"n": 2})


@pytest.fixture(params=["file", "memory"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Record]:
    """A new record of each kind."""
    with open_record(str(tmp_path / "record.db") if request.param == "file" else None) as opened:
        yield opened


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


@pytest.mark.parametrize("waits", [Waits("child"), Waits("time")])
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


def test_a_proposal_comes_back_whole(kept: Record) -> None:
    """All that a proposal and its answer say is stored (O81, O86)."""
    _begin(kept).propose(_proposal())
    (waiting,) = kept.proposals()
    assert (waiting.proposal, waiting.state, waiting.reply) == (_proposal(), "Pending", None)
    answered = kept.answer("t.p1", YES)
    assert (answered.state, answered.reply, answered.made) == ("Approved", YES, waiting.made)
    assert answered == kept.proposal("t.p1")
    assert answered.answered is not None
    assert kept.proposals() == []


def test_proposals_are_listed(kept: Record) -> None:
    """By task, by state or all, in their order; a limit keeps the newest."""
    for task in ("a", "b"):
        log = _begin(kept, task)
        for number in (1, 2):
            log.propose(_proposal(f"{task}.p{number}", task))
    kept.answer("a.p2", Reply("no", "Ada"))
    listed = {
        "waiting": kept.proposals(),
        "of a": kept.proposals(task="a", state=None),
        "declined of a": kept.proposals(task="a", state="Declined"),
        "newest": kept.proposals(state=None, limit=1),
    }
    assert {words: [one.proposal.id for one in found] for words, found in listed.items()} == {
        "waiting": ["a.p1", "b.p1", "b.p2"],
        "of a": ["a.p1", "a.p2"],
        "declined of a": ["a.p2"],
        "newest": ["b.p2"],
    }


def test_a_proposal_is_found_by_its_beginning(kept: Record) -> None:
    """As much as is unique is enough, or names the only one that waits; else the near ones are told."""
    log = _begin(kept)
    for number in (1, 2, 10):
        log.propose(_proposal(f"t.p{number}"))
    assert [kept.proposal(prefix).proposal.id for prefix in ("t.p1", "t.p10", "t.p2")] == ["t.p1", "t.p10", "t.p2"]
    for prefix, hint in (("t.p", "t.p10"), ("t.x1", "t.p1"), ("", "")):
        with pytest.raises(TaskMissing) as caught:
            kept.proposal(prefix)
        assert hint in caught.value.hint
    kept.answer("t.p1", YES)
    kept.answer("t.p2", YES)
    assert kept.proposal("t.p").proposal.id == "t.p10"


def test_the_first_answer_counts(kept: Record) -> None:
    """A second answer is refused with who gave the first; what is no answer is refused (O82)."""
    _begin(kept).propose(_proposal())
    with pytest.raises(InputInvalid):
        kept.answer("t.p1", Reply("later", "Ada"))
    kept.answer("t.p1", Reply("no", "Ada", "too much"))
    with pytest.raises(TaskOver, match="Declined, answered by Ada"):
        kept.answer("t.p1", YES)
    with pytest.raises(TaskMissing):
        kept.answer("t.p9", YES)


def test_the_owner_answers_and_asks(kept: Record) -> None:
    """The owner's own answer is stored unless somebody was first; it is told the one that counts."""

    async def work() -> None:
        log = _begin(kept)
        for name in ("t.p1", "t.p2", "t.p3"):
            log.propose(_proposal(name))
        await log.commit(power=True)
        assert await log.reply_to("t.p1") is None
        assert await log.answer("t.p1", YES) == YES
        kept.answer("t.p2", Reply("no", "Bob"))
        assert await log.answer("t.p2", YES) == await log.reply_to("t.p2") == Reply("no", "Bob")
        for words in ("later", "nobody"):
            assert (await log.answer("t.p3", Reply(words, "x"))).answer == words

    asyncio.run(work())
    assert [one.state for one in kept.proposals(state=None)] == ["Approved", "Declined", "Pending"]


def test_what_is_approved_is_done_once(kept: Record) -> None:
    """An approved call that begins is Done, and keeps its answer; what still waits at the end is withdrawn (O72)."""

    async def work() -> None:
        log = _begin(kept)
        for name in ("t.p1", "t.p2", "t.p3"):
            log.propose(_proposal(name))
        kept.answer("t.p1", YES)
        kept.answer("t.p2", Reply("no", "Bob"))
        for name in ("t.p1", "t.p2", "t.p3"):
            log.carried_out(name)
        await log.commit()
        assert await log.reply_to("t.p1") == YES

    asyncio.run(work())
    _end(kept)
    assert [one.state for one in kept.proposals(state=None)] == ["Done", "Declined", "Withdrawn"]
    with pytest.raises(TaskOver, match="Withdrawn"):
        kept.answer("t.p3", YES)


def test_an_answer_wakes_its_task(kept: Record) -> None:
    """A task that waits for a person is Ready when one answers."""
    _begin(kept).propose(_proposal())
    kept.pause_task("t", Waits("person", until=FUTURE))
    assert (_row(kept).state, _row(kept).waits_for) == ("Waiting", "person")
    kept.answer("t.p1", YES)
    assert (_row(kept).state, _row(kept).wake_at, kept.ready()) == ("Ready", None, ["t"])


@pytest.mark.parametrize("read", [False, True])
def test_no_answer_is_slept_over(kept: Record, *, read: bool) -> None:
    """An answer that came before the pause makes the task Ready at once, unless its owner has read it."""

    async def work() -> None:
        log = _begin(kept)
        log.propose(_proposal())
        kept.answer("t.p1", YES)
        if read:
            assert await log.reply_to("t.p1") == YES
        log.propose(_proposal("t.p2"))
        kept.pause_task("t", Waits("person"))
        await log.commit(power=True)

    asyncio.run(work())
    assert _row(kept).state == ("Waiting" if read else "Ready")


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
