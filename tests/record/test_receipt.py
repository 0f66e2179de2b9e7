"""The fold of entries into a receipt (O89, O90)."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from metier.domain.entry import Entry, Kind
from metier.domain.money import Usage
from metier.domain.receipt import CallCounts, Receipt, SkillUsed
from metier.domain.task import GivenFile
from metier.record import fold

OWN = {"source": "app", "name": "invoice", "version": "1", "digest": "d1"}
OTHER = {"source": "app", "name": "tax", "version": "2", "digest": "d2"}
USAGE = {"input": 10, "output": 5, "cache_read": 2, "cache_write": 1}
GIVEN = {
    "skill": OWN,
    "giver": "Ada",
    "check": "scripts/check.py",
    "model": {"name": "m", "scripted": True, "priced": True},
    "input": "i1",
    "files": [{"name": "a.csv", "digest": "f1", "length": 4}],
    "budget": "1.50",
    "durability": "ends",
}
Noted = tuple[Kind, dict[str, Any]] | tuple[Kind, dict[str, Any], dict[str, Any]]


def _fold(*noted: Noted) -> Receipt:
    return fold(
        Entry("t", number, kind, number * 100, facts, body[0] if body else None, f"digest-{number}")
        for number, (kind, facts, *body) in enumerate(noted, 1)
    )


WHOLE = Receipt(
    id="t",
    skill=SkillUsed("app", "invoice", "1", "d1"),
    giver="Ada",
    state="Done",
    reason="handed_back",
    text="All is well.",
    started=100,
    ended=600,
    result={"n": 1},
    result_digest="r1",
    check="scripts/check.py",
    input_digest="i1",
    files=(GivenFile("a.csv", "f1", 4),),
    model="m",
    scripted=True,
    model_calls=2,
    usage=Usage(20, 10, 4, 2),
    cost=Decimal("0.12"),
    budget=Decimal("1.50"),
    priced=True,
    calls=CallCounts(),
    skills=(SkillUsed("app", "invoice", "1", "d1"),),
    confinement=(),
    approvals=(),
    entries=6,
    digest="digest-6",
    durability="ends",
)


def test_a_whole_task_is_accounted_for() -> None:
    """Who, what, for how much, with what result."""
    receipt = _fold(
        ("Given", GIVEN, {"input": "x"}),
        ("ModelCalled", {"turn": 1, "reserved": "0.50"}),
        ("ModelAnswered", {"turn": 1, "usage": USAGE, "cost": "0.10", "ok": True}),
        ("ModelCalled", {"turn": 2, "reserved": "0.50"}),
        ("ModelAnswered", {"turn": 2, "usage": USAGE, "cost": Decimal("0.02"), "ok": True}),
        (
            "Done",
            {"ended": "Done", "reason": "handed_back", "result": "r1"},
            {"text": "All is well.", "result": {"n": 1}},
        ),
    )
    assert receipt == WHOLE


def test_calls_are_counted_by_how_they_ended() -> None:
    """A begin without an end is unknown; a refused task is no refused call."""
    ends = (("a", "done"), ("b", "failed"), ("c", "sent_back"), ("d", "never_ran"), ("e", "stopped"), ("f", "done"))
    begun: list[Noted] = [("ToolCalled", {"call": call}) for call in "abcdefg"]
    returned: list[Noted] = [("ToolReturned", {"call": call, "outcome": outcome}) for call, outcome in ends]
    receipt = _fold(
        *begun,
        *returned,
        ("Refused", {"call": "h", "code": "schema"}),
        ("SentBack", {"call": "c", "code": "check"}),
        ("SentBack", {"call": None, "code": "check"}),
        ("Refused", {"ended": "Refused", "reason": "nobody_to_ask"}),
    )
    assert receipt.calls == CallCounts(done=2, failed=1, refused=1, sent_back=2, stopped=1, never_ran=1, unknown=1)
    assert (receipt.state, receipt.reason, receipt.done) == ("Refused", "nobody_to_ask", False)


def test_a_call_without_an_answer_is_charged() -> None:
    """What was reserved counts where it is not known what was spent."""
    noted: list[Noted] = [
        ("ModelCalled", {"turn": 1, "reserved": "0.50"}),
        ("ModelCalled", {"turn": 2, "reserved": "0.30"}),
        ("ModelAnswered", {"turn": 2, "cost": "0.10"}),
        ("ModelCalled", {"turn": 3, "reserved": "0.20"}),
    ]
    receipt = _fold(*noted)
    assert (receipt.model_calls, receipt.cost, receipt.state) == (3, Decimal("0.80"), "Running")


def test_skills_and_confinement_are_told_once() -> None:
    """The task's own skill is first, then each that was used, in their order."""
    receipt = _fold(
        ("Given", GIVEN),
        ("ToolCalled", {"call": "a", "skill": OTHER}),
        ("ToolReturned", {"call": "a", "outcome": "done", "confinement": "landlock"}),
        ("ToolCalled", {"call": "b", "skill": OWN}),
        ("ToolReturned", {"call": "b", "outcome": "done", "confinement": "bwrap"}),
        ("ToolCalled", {"call": "c", "skill": OTHER}),
        ("ToolReturned", {"call": "c", "outcome": "done", "confinement": "landlock"}),
    )
    assert receipt.skills == (SkillUsed("app", "invoice", "1", "d1"), SkillUsed("app", "tax", "2", "d2"))
    assert receipt.confinement == ("landlock", "bwrap")


def test_approvals_have_question_and_answer() -> None:
    """Who was asked for what, what they answered, and what waits still."""
    receipt = _fold(
        ("Proposed", {"proposal": "p1", "call": "a", "action": "pay", "effects": ["sends"], "subject": "s"}),
        ("Approved", {"proposal": "p1", "by": "Ada", "covers": "call"}),
        ("Proposed", {"proposal": "p2", "call": "b", "action": "run", "subject": ""}),
        ("Declined", {"proposal": "p2", "by": "Bob", "covers": "call"}, {"reason": "no"}),
        ("Proposed", {"proposal": "p3", "call": "c", "action": "run", "subject": ""}),
    )
    both = {"covers": "call"}
    assert receipt.approvals == (
        {"proposal": "p1", "action": "pay", "subject": "s", "answer": "yes", "by": "Ada"} | both,
        {"proposal": "p2", "action": "run", "subject": "", "answer": "no", "by": "Bob"} | both,
        {"proposal": "p3", "action": "run", "subject": "", "answer": "", "by": "", "covers": ""},
    )
    assert replace(receipt.calls, proposed=0, approved=0, declined=0) == CallCounts()
    assert (receipt.calls.proposed, receipt.calls.approved, receipt.calls.declined) == (3, 1, 1)


AGENT = {"name": "Estimator", "source": "workshop", "principal": "agent:Estimator", "sponsor": "Ada"}


def test_an_agents_task_is_accounted_for() -> None:
    """Which agent, with whose rights, on whose behalf, who answered for it then, and who handed the work on (O90)."""
    receipt = _fold(("Given", GIVEN | {"agent": AGENT, "on_behalf_of": "Bob", "parent": "root"}))
    told = (receipt.agent, receipt.principal, receipt.sponsor, receipt.on_behalf_of, receipt.parent)
    assert told == ("Estimator", "agent:Estimator", "Ada", "Bob", "root")


def test_handed_work_is_told_with_its_cost() -> None:
    """Each task that work was handed to is told once, with what it cost last; its money is not the task's own (O76)."""
    receipt = _fold(
        ("Given", GIVEN),
        ("ToolCalled", {"call": "c1.1"}),
        ("ToolReturned", {"call": "c1.1", "outcome": "unknown", "child": "t.c1.1", "cost": "0.01"}),
        ("ToolReturned", {"call": "c1.1", "outcome": "done", "child": "t.c1.1", "cost": "0.0123"}),
        ("ToolReturned", {"call": "c1.2", "outcome": "failed", "child": "t.c1.2", "cost": "0.5"}),
        ("ToolReturned", {"call": "c1.3", "outcome": "done"}),
    )
    assert (receipt.children, receipt.children_cost) == (("t.c1.1", "t.c1.2"), Decimal("0.5123"))
    assert receipt.cost == 0


def test_tries_are_counted_together() -> None:
    """Counts and costs go on over all tries; a try that begins takes the end before it away (O20, O90)."""
    receipt = _fold(
        ("Given", GIVEN),
        ("ModelCalled", {"turn": 1, "reserved": "0.50"}),
        ("ModelAnswered", {"turn": 1, "cost": "0.10"}),
        ("Failed", {"ended": "Failed", "reason": "stuck"}, {"text": "It is stuck."}),
        ("Retried", {"try": 2, "reason": "stuck"}, {"text": "It is stuck."}),
        ("ModelCalled", {"turn": 1, "reserved": "0.50"}),
        ("ModelAnswered", {"turn": 1, "cost": "0.02"}),
    )
    assert (receipt.tries, receipt.model_calls, receipt.cost) == (2, 2, Decimal("0.12"))
    assert (receipt.state, receipt.reason, receipt.ended) == ("Running", "", None)


def test_a_stale_yes_is_told() -> None:
    """A yes that came too late is told as what it was (O83)."""
    receipt = _fold(
        ("Proposed", {"proposal": "p1", "call": "a", "action": "pay"}),
        ("Approved", {"proposal": "p1", "by": "Ada", "covers": "call"}),
        ("Stale", {"proposal": "p1", "call": "a"}, {"reason": "the bill was changed"}),
    )
    (asked,) = receipt.approvals
    assert (asked["answer"], asked["by"], asked["stale"], receipt.calls.approved) == ("yes", "Ada", True, 1)


def test_no_entries_are_an_empty_account() -> None:
    """Nothing known is nothing claimed."""
    receipt = _fold()
    assert (receipt.id, receipt.state, receipt.entries, receipt.budget, receipt.skills) == ("", "Running", 0, None, ())


def test_facts_that_are_missing_are_left_empty() -> None:
    """A record of another hand, or with its bodies erased, still gives an account."""
    receipt = _fold(
        ("Given", {"budget": "much", "files": "none", "model": None, "skill": []}),
        ("ModelCalled", {}),
        ("ModelAnswered", {"usage": {"input": "3"}, "cost": [1]}),
        ("ToolCalled", {}),
        ("ToolReturned", {}),
        ("Approved", {}),
        ("Failed", {"ended": "Failed"}),
    )
    assert (receipt.state, receipt.text, receipt.result, receipt.cost) == ("Failed", "", None, Decimal(0))
    assert (receipt.files, receipt.budget, receipt.usage) == ((), None, Usage())
