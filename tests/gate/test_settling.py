"""Calls that had begun when their process died: late ends, the action's own hook, and a person."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from metier.domain.action import Action, Effect, Hands, Returned, Settle
from metier.domain.call import Answered, Call
from metier.domain.entry import Entry, Kind
from metier.domain.permits import Permits
from metier.domain.proposal import Proposal, Reply
from metier.domain.task import Waits
from metier.gate.approvers import Later, Nobody, Yes, approver_of
from metier.gate.past import past_of
from metier.gate.path import Path
from metier.gate.settling import UNKNOWN
from metier.record import MemoryLog

Note = tuple[Kind, Mapping[str, Any], Mapping[str, Any]]
CALL = Call("c1.1", "act", {"n": 1}, 1)
BEGUN: Note = ("ToolCalled", {"call": "c1.1", "action": "act"}, {"arguments": {"n": 5}})
AGAIN: Note = (
    "ToolReturned",
    {"call": "c1.1", "outcome": "unknown", "code": "cut", "again": True, "settled": "t.p1"},
    {},
)


def end(outcome: str, text: str = "it acted", **more: Any) -> Note:
    """An end of the call."""
    return ("ToolReturned", {"call": "c1.1", "outcome": outcome, "code": "", **more}, {"text": text})


def proposed(proposal: str = "t.p1", **more: Any) -> Note:
    """A proposal about the call."""
    facts = {"proposal": proposal, "call": "c1.1", "subject": "", "action": "act", **more}
    return ("Proposed", facts, {"arguments": {"n": 5}, "words": "act"})


@dataclass
class Cut:
    """A task whose process died, and what another one makes of its one call."""

    notes: Sequence[Note] = (BEGUN,)
    late: Sequence[Note] = ()
    settle: Settle | None = None
    effects: tuple[Effect, ...] = ("changes",)
    approver: Any = None
    permits: Permits = field(default_factory=Permits.changes_alone)
    ran: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    asked: list[Proposal] = field(default_factory=list[Proposal])
    noted: list[Entry] = field(default_factory=list[Entry])

    def go_on(self) -> Answered:
        """Take the call in a later run."""
        before, log = self._log(self.notes), MemoryLog("t")
        late = self._log(self.late)
        approver = self.approver if self.approver is not None else Nobody("")
        path = Path(
            task="t",
            actions={
                "act": Action("act", "", {"type": "object"}, self._body, frozenset(self.effects), settle=self.settle)
            },
            log=log,
            permits=self.permits,
            approver=approver_of(self._answer if callable(approver) else approver, cure=""),
            past=past_of(before.entries(), late.entries(), content=lambda _: b""),
        )
        answered = asyncio.run(path.take(CALL))
        self.noted = list(log.entries())
        return answered

    @property
    def told(self) -> list[tuple[str, Mapping[str, Any]]]:
        """What was noted since, without times."""
        return [
            (one.kind, {name: fact for name, fact in one.facts.items() if name not in ("call", "seconds")})
            for one in self.noted
        ]

    @property
    def kinds(self) -> list[str]:
        """The kinds of what was noted since."""
        return [one.kind for one in self.noted]

    def _answer(self, proposal: Proposal) -> Any:
        self.asked.append(proposal)
        return self.approver(proposal)

    async def _body(self, arguments: Mapping[str, Any], _: Hands) -> str:
        self.ran.append(arguments)
        return "done now"

    @staticmethod
    def _log(notes: Sequence[Note]) -> MemoryLog:
        log = MemoryLog("t")
        for note in notes:
            log.note(*note)
        return log


def hook(said: Any) -> Callable[..., Any]:
    """A hook that says or raises this, and keeps what it was asked."""
    asked: list[tuple[Mapping[str, Any], str]] = []

    async def settle(arguments: Mapping[str, Any], key: str) -> Any:
        asked.append((arguments, key))
        if isinstance(said, Exception):
            raise said
        return said

    settle.asked = asked  # type: ignore[attr-defined]  # for the test to look at
    return settle


def test_late_end_settles() -> None:
    """A late end is the call's end: taken over word for word, marked, and nothing runs and nobody is asked (O84)."""
    cut = Cut(late=[end("done", "paid", exit=0)])
    answered = cut.go_on()
    assert (answered.outcome, answered.text, answered.call, cut.ran) == ("done", "paid", CALL, [])
    assert cut.told == [("ToolReturned", {"outcome": "done", "code": "", "exit": 0, "settled": "late"})]


def test_late_never_ran_lets_it_be_made() -> None:
    """A late end that says that nothing was done lets the call be made, without asking."""
    cut = Cut(late=[end("never_ran")])
    assert (cut.go_on().text, cut.ran) == ("done now", [{"n": 1}])
    first = {"outcome": "never_ran", "code": "cut", "again": True, "settled": "late"}
    assert (cut.told[0], cut.kinds) == (("ToolReturned", first), ["ToolReturned", "ToolCalled", "ToolReturned"])
    assert cut.noted[1].facts["try"] == 2


@pytest.mark.parametrize(
    ("returned", "outcome"), [(Returned({"paid": 1}), "done"), (Returned("x", ok=False, code="no"), "failed")]
)
def test_hook_knows_the_end(returned: Returned, outcome: str) -> None:
    """What the hook answers is the end; it is asked with the begun arguments and the call's key."""
    settle = hook(returned)
    cut = Cut(settle=settle)
    answered = cut.go_on()
    assert (answered.outcome, answered.code, answered.value, cut.ran) == (outcome, returned.code, returned.value, [])
    assert settle.asked == [({"n": 5}, "t:c1.1")]  # type: ignore[attr-defined]  # kept by the hook
    assert cut.told == [("ToolReturned", {"outcome": outcome, "code": returned.code, "settled": "hook"})]


def test_hook_says_it_never_ran() -> None:
    """The call is made then, and its first begin has an end."""
    cut = Cut(settle=hook("never_ran"))
    assert (cut.go_on().text, len(cut.ran)) == ("done now", 1)
    assert cut.told[0][1] == {"outcome": "never_ran", "code": "cut", "again": True, "settled": "hook"}


@pytest.mark.parametrize("said", ["unknown", RuntimeError("the service is down")])
def test_person_is_asked_where_the_hook_knows_not(said: Any) -> None:
    """A hook that cannot tell, or fails, leaves it to a person; its failure is on the record."""
    cut = Cut(settle=hook(said), approver=lambda _: True)
    assert cut.go_on().text == "done now"
    faults = [one.body for one in cut.noted if one.kind == "Fault"]
    assert faults == ([] if said == "unknown" else [{"error": "RuntimeError: the service is down"}])
    (asked,) = cut.asked
    assert (asked.unknown, asked.arguments, asked.subject, asked.kept) == (True, {"n": 5}, "", False)


def test_yes_makes_it_again() -> None:
    """A yes ends the first begin as unknown, on the ground of the proposal, and the call is made anew."""
    cut = Cut(approver=lambda _: Reply("yes", "Ada"))
    assert (cut.go_on().outcome, cut.ran) == ("done", [{"n": 1}])
    assert cut.kinds == ["Proposed", "Approved", "ToolReturned", "ToolCalled", "ToolReturned"]
    assert cut.told[2][1] == {"outcome": "unknown", "code": "cut", "again": True, "settled": "t.p1"}


def test_no_leaves_it_unknown() -> None:
    """A no runs nothing: the call ends unknown, never as a success, and the model is told so with the reason."""
    cut = Cut(approver=lambda _: Reply("no", "Ada", "I saw the money go"))
    answered = cut.go_on()
    assert (answered.outcome, answered.ok, cut.ran) == ("unknown", False, [])
    assert answered.text == f"{UNKNOWN} Ada said: I saw the money go"
    assert cut.told[-1] == ("ToolReturned", {"outcome": "unknown", "code": "unknown", "settled": "t.p1"})


@pytest.mark.parametrize("approver", [Later(), Nobody("Come."), Yes("--yes")])
def test_it_waits_for_a_person(approver: Any) -> None:
    """Without a person the task waits, even where everything was said yes to beforehand, and nobody refuses it."""
    cut = Cut(approver=approver)
    answered = cut.go_on()
    assert isinstance(answered.ended, Waits)
    assert (answered.outcome, answered.ended.on, cut.ran, cut.kinds) == ("waits", "person", [], ["Proposed"])


def test_asked_once_over_runs() -> None:
    """A proposal that is on the record is asked again under its own id, and not noted again."""
    cut = Cut(notes=[BEGUN, proposed(unknown=True)], approver=lambda _: True)
    cut.go_on()
    assert ([one.id for one in cut.asked], "Proposed" in cut.kinds) == (["t.p1"], False)


def test_answer_on_the_record_is_enough() -> None:
    """An answer of an earlier run counts, and nobody is asked again."""
    facts = {"proposal": "t.p1", "by": "Ada", "answer": "no", "covers": "call"}
    cut = Cut(notes=[BEGUN, proposed(unknown=True), ("Declined", facts, {"reason": ""})], approver=lambda _: True)
    assert (cut.go_on().outcome, cut.asked) == ("unknown", [])


def test_cut_again_is_asked_again() -> None:
    """A call that was made again by a yes, and cut again, is put to a person again, under a new number."""
    facts = {"proposal": "t.p1", "by": "Ada", "answer": "yes", "covers": "call"}
    notes: list[Note] = [BEGUN, proposed(unknown=True), ("Approved", facts, {"reason": ""}), AGAIN, BEGUN]
    cut = Cut(notes=notes, approver=lambda _: True)
    cut.go_on()
    assert [(one.id, one.unknown) for one in cut.asked] == [("t.p2", True)]
    assert cut.noted[-2].facts["try"] == 3


def test_settled_again_is_just_made() -> None:
    """A process that died after a yes, and before the new begin, leaves nothing unknown: the call is made, unasked."""
    facts = {"proposal": "t.p1", "by": "Ada", "answer": "yes", "covers": "call"}
    notes: list[Note] = [BEGUN, proposed(unknown=True), ("Approved", facts, {"reason": ""}), AGAIN]
    cut = Cut(notes=notes, approver=lambda _: True)
    assert (cut.go_on().text, cut.asked, cut.kinds) == ("done now", [], ["ToolCalled", "ToolReturned"])


def test_yes_to_the_subject_covers_no_unknown() -> None:
    """A wide yes of an earlier run says nothing of a call that may have taken effect."""
    facts = {"proposal": "t.p1", "by": "Ada", "answer": "yes", "covers": "subject"}
    notes: list[Note] = [proposed(subject="scripts"), ("Approved", facts, {"reason": ""}), BEGUN]
    cut = Cut(notes=notes, approver=lambda _: False)
    assert (cut.go_on().outcome, [one.unknown for one in cut.asked]) == ("unknown", [True])


def test_approved_call_keeps_its_yes() -> None:
    """A proposed call that was cut asks about the cut alone: a yes to that is no second question for the call itself."""
    facts = {"proposal": "t.p1", "by": "Ada", "answer": "yes", "covers": "call"}
    notes: list[Note] = [proposed(), ("Approved", facts, {"reason": "", "arguments": {"n": 9}}), BEGUN]
    cut = Cut(notes=notes, approver=lambda _: True, permits=Permits.proposes())
    assert (cut.go_on().ok, cut.ran, [one.unknown for one in cut.asked]) == (True, [{"n": 9}], [True])


def test_reading_is_made_again() -> None:
    """A call that only reads is made again without a word: reading twice does no harm."""
    cut = Cut(effects=("reads",))
    assert (cut.go_on().text, cut.kinds) == ("done now", ["ToolCalled", "ToolReturned"])


def test_what_came_out_is_not_made_again() -> None:
    """A call with its end is answered from the record, and nothing is noted."""
    cut = Cut(notes=[BEGUN, end("done", "it is there")], settle=hook("never_ran"))
    assert (cut.go_on().text, cut.ran, cut.kinds) == ("it is there", [], [])
