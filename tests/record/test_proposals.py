"""What every record does with proposals and their answers: one in a file and one in memory alike."""

import asyncio

import pytest

from metier.domain.proposal import Proposal, Reply
from metier.domain.task import Waits
from metier.errors import InputInvalid, TaskMissing, TaskOver
from metier.record import Record, TaskRow, TaskWriter

FUTURE = 1 << 61
YES = Reply("yes", "Ada", "fine", "subject", {"n": 2})


def _begin(record: Record, task: str = "t") -> TaskWriter:
    return record.begin_task(task, skill="s", source="", giver="Ada")


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


def test_a_childs_proposal_is_its_own(kept: Record) -> None:
    """A task's id means the one question of its family that waits; where two wait, neither is meant."""
    for task in ("t", "t.c1.1"):
        log = _begin(kept, task)
        for number in (1, 2):
            log.propose(_proposal(f"{task}.p{number}", task))
    assert kept.proposal("t.p1").proposal.task == "t"
    kept.answer("t.p1", YES)
    kept.answer("t.p2", YES)
    with pytest.raises(TaskMissing, match="of 4 proposals"):
        kept.proposal("t")
    kept.answer("t.c1.1.p2", YES)
    assert kept.proposal("t").proposal.id == "t.c1.1.p1"


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


def test_a_yes_may_come_too_late(kept: Record) -> None:
    """What was approved and not carried out, for the world moved, is Stale and keeps its answer (O81, O83)."""

    async def work() -> None:
        log = _begin(kept)
        for name in ("t.p1", "t.p2", "t.p3"):
            log.propose(_proposal(name))
        kept.answer("t.p1", YES)
        kept.answer("t.p2", Reply("no", "Bob"))
        for name in ("t.p1", "t.p2", "t.p3"):
            log.stale(name)
        log.carried_out("t.p1")
        await log.commit()

    asyncio.run(work())
    stored = kept.proposals(state=None)
    assert [(one.state, one.reply) for one in stored[:2]] == [("Stale", YES), ("Declined", Reply("no", "Bob"))]
    assert (stored[2].state, kept.proposals(state="Stale")) == ("Pending", stored[:1])
    with pytest.raises(TaskOver, match="Stale, answered by Ada"):
        kept.answer("t.p1", YES)


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
