"""Asking a person: what is asked, what a yes covers, and when it counts."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from metier.domain.call import Call
from metier.domain.proposal import Proposal, Reply
from metier.domain.task import Ended

from .conftest import Desk

Make = Callable[..., Desk]
SUBJECT = "scripts of skill s@d1"


def test_proposal_says_everything(desk: Make) -> None:
    """A person sees the exact call, its effects, in words, under what it runs, and what a wider yes covers (O81)."""
    one = desk(
        "runs",
        "changes",
        said=True,
        subject=SUBJECT,
        confinement="none",
        words=lambda given: f"{given['n']} may be put",
    )
    one.take({"n": 1})
    effects = ("changes", "runs")
    asked = Proposal("t.p1", "t", "c1.1", "act", {"n": 1}, effects, "1 may be put", SUBJECT, "none")
    assert one.asked == [replace(asked, parameters={"type": "object"})]


def test_answer_is_on_the_record_before_the_act(desk: Make) -> None:
    """The order is: proposed, asked, approved, begun, done, ended; the begin names the proposal (O83)."""
    one = desk("changes", said=True)
    assert one.take({"n": 1}).ok
    assert one.kinds == ["Proposed", "Approved", "ToolCalled", "ToolReturned"]
    proposed, approved, begin, _ = one.entries
    assert (proposed.facts["effects"], proposed.body) == (
        ["changes"],
        {"arguments": {"n": 1}, "words": "act may be called"},
    )
    assert (approved.facts["by"], approved.facts["answer"], approved.facts["covers"]) == ("_approve", "yes", "call")
    assert begin.facts["permit"] == "approved:t.p1"


def test_asking_and_acting_see_the_record(desk: Make) -> None:
    """When the person is asked the proposal is noted; when the body runs the answer and the begin are (O84)."""
    seen: list[list[str]] = []

    def look(*_: Any) -> bool:
        seen.append(list(one.kinds))
        return True

    one = desk("changes", said=look, answer=look)
    one.take()
    assert seen == [["Proposed"], ["Proposed", "Approved", "ToolCalled"]]


def test_yes_fits_one_call_only(desk: Make) -> None:
    """A yes for one call is no yes for another, nor for the same one again (O83, O84, case 050)."""
    one = desk("changes", said=lambda proposal: proposal.arguments == {"n": 1} and proposal.id == "t.p1")
    assert [one.take(given).outcome for given in ({"n": 1}, {"n": 2}, {"n": 1})] == ["done", "refused", "refused"]
    assert [proposal.id for proposal in one.asked] == ["t.p1", "t.p2", "t.p3"]
    assert one.ran == [{"n": 1}]


def test_yes_to_the_subject_covers_it(desk: Make) -> None:
    """A wider yes covers all under its subject, and each begin names the proposal that was answered."""
    one = desk("runs", said=True, subject=SUBJECT)
    assert [one.take({"n": number}).outcome for number in (1, 2)] == ["done", "done"]
    assert len(one.asked) == 1
    assert [entry.facts["permit"] for entry in one.entries if entry.kind == "ToolCalled"] == ["approved:t.p1"] * 2


def test_yes_to_the_call_covers_no_subject(desk: Make) -> None:
    """A yes for the one call is asked for again, though the proposal had a subject."""
    one = desk("runs", said=Reply("yes", "Ada"), subject=SUBJECT)
    one.take({"n": 1})
    one.take({"n": 2})
    assert len(one.asked) == 2


def test_subject_without_a_name_covers_nothing(desk: Make) -> None:
    """A wide yes where nothing wider was offered covers the one call."""
    one = desk("changes", said=Reply("yes", "Ada", covers="subject"))
    one.take()
    one.take()
    assert len(one.asked) == 2


def test_wide_yes_ends_with_the_task(desk: Make) -> None:
    """A new task asks again."""
    tasks = [desk("runs", said=True, subject=SUBJECT) for _ in range(2)]
    for task in tasks:
        task.take()
    assert [len(task.asked) for task in tasks] == [1, 1]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (Reply("no", "Ada", "wrong file"), "Refused: Ada said no to act: wrong file"),
        (Reply("no", "Ada"), "Refused: Ada said no to act"),
        (Reply("no", ""), "Refused: somebody said no to act"),
        (False, "Refused: _approve said no to act"),
    ],
)
def test_no_is_told_with_its_reason(desk: Make, said: bool | Reply, text: str) -> None:
    """A no runs nothing, is on the record, and the model is told the reason (O87)."""
    one = desk("changes", said=said)
    answered = one.take()
    assert (answered.outcome, answered.code, answered.text, answered.ended) == ("refused", "gate.declined", text, None)
    assert (one.kinds, one.ran) == (["Proposed", "Declined", "Refused"], [])


def test_failing_approver_says_no(desk: Make) -> None:
    """An approver that raises has not said yes; what it raised is on the record, not told to the model."""

    def fail(_: Proposal) -> bool:
        raise RuntimeError("the secret is out")

    one = desk("changes", said=fail)
    answered = one.take()
    assert answered.text == "Refused: approver said no to act: the approver failed (RuntimeError)"
    assert (one.ran, one.kinds) == ([], ["Proposed", "Fault", "Declined", "Refused"])
    assert one.entries[1].body == {"error": "RuntimeError: the secret is out"}


def test_nobody_ends_the_task(desk: Make) -> None:
    """Where nobody can be asked the task ends Refused, and the reason names the cure."""
    one = desk("changes")
    answered = one.take()
    assert isinstance(answered.ended, Ended)
    assert (answered.ended.state, answered.ended.reason) == ("Refused", "nobody_to_ask")
    assert answered.ended.text == "there is nobody to ask whether act may be called. Bring somebody."
    assert one.ran == []


class Slow:
    """An approver that takes its time and keeps how many questions were open at once."""

    def __init__(self) -> None:
        self.open = 0
        self.most = 0

    async def answer(self, proposal: Proposal) -> Reply:
        self.open += 1
        self.most = max(self.most, self.open)
        await asyncio.sleep(0)
        self.open -= 1
        return Reply("yes", "slow")


def test_one_question_at_a_time(desk: Make) -> None:
    """Two calls at once are asked about one after the other."""
    slow = Slow()
    one = desk("loads", approver=slow)
    calls = [Call(f"c1.{n}", "act", {"n": n}, 1) for n in (1, 2)]

    async def both() -> None:
        await asyncio.gather(*map(one.path.take, calls))

    asyncio.run(both())
    assert (slow.most, one.ran) == (1, [{"n": 1}, {"n": 2}])
