"""A yes holds for the world that it was given for: one that moved is stale, and nothing is carried out."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from metier.domain.action import Action, Hands
from metier.domain.call import Answered, Call
from metier.domain.entry import Entry, Kind
from metier.domain.permits import Permits
from metier.domain.proposal import Proposal, Reply
from metier.gate.approvers import approver_of
from metier.gate.asking import MOVED, UNTOLD
from metier.gate.past import past_of
from metier.gate.path import Path
from metier.gate.settling import UNKNOWN
from metier.gate.told_by_skill import ToldBySkill
from metier.record import MemoryLog

from .conftest import Desk

Make = Callable[..., Desk]
Note = tuple[Kind, Mapping[str, Any], Mapping[str, Any]]
CALL = Call("c1.1", "act", {}, 1)
STALE = ("refused", "gate.stale", f"Refused: {MOVED}")
PROPOSED: Note = (
    "Proposed",
    {"proposal": "t.p1", "call": "c1.1", "version": "1"},
    {"arguments": {}, "words": "act", "names": "the word"},
)
YES: Note = ("Approved", {"proposal": "t.p1", "by": "Ada", "answer": "yes", "covers": "call"}, {"reason": ""})
BEGUN: Note = ("ToolCalled", {"call": "c1.1", "action": "act"}, {"arguments": {}})
TOO_LATE: Note = ("Stale", {"proposal": "t.p1", "call": "c1.1"}, {"reason": MOVED})


@dataclass
class World:
    """What a skill looks at, and how often it did."""

    version: str = "1"
    looked: int = 0

    def told(self) -> ToldBySkill:
        """What the skill says of it."""
        return ToldBySkill(self._version, lambda action, given: f"{action} touches {given.get('n', 'it')}")

    def moves(self, reply: bool | Reply = True) -> Callable[[Proposal], bool | Reply]:
        """An approver in whose hands the world moves on."""

        def answer(_: Proposal) -> bool | Reply:
            self.version += "1"
            return reply

        return answer

    def _version(self) -> str:
        self.looked += 1
        if self.version == "gone":
            raise LookupError("no such row")
        return self.version


def short(answered: Answered) -> tuple[str, str, str]:
    """An answer without its call."""
    return answered.outcome, answered.code, answered.text


def test_proposal_holds_names_and_version(desk: Make) -> None:
    """The person sees what is touched; both are on the record and stored with the proposal (O18, O19, O81)."""
    one = desk("changes", said=True, told=World().told())
    assert one.take({"n": 7}).ok
    proposed = one.entries[0]
    assert (one.asked[0].names, one.asked[0].version) == ("act touches 7", "1")
    assert (proposed.facts["version"], (proposed.body or {})["names"]) == ("1", "act touches 7")


def test_what_moved_is_not_carried_out(desk: Make) -> None:
    """The yes is Stale, nothing runs, and the model is told why (O18, O83)."""
    world = World()
    one = desk("changes", said=world.moves(), told=world.told())
    assert short(one.take()) == STALE
    assert (one.ran, one.kinds) == ([], ["Proposed", "Approved", "Stale", "Refused"])
    assert one.entries[2].facts["proposal"] == "t.p1"


def test_it_may_be_proposed_anew(desk: Make) -> None:
    """The next proposal is for the world as it is now (O83)."""
    world = World()
    moves = world.moves()
    one = desk("changes", said=lambda proposal: moves(proposal) if proposal.id == "t.p1" else True, told=world.told())
    assert [one.take().outcome for _ in range(2)] == ["refused", "done"]
    assert [proposal.version for proposal in one.asked] == ["1", "11"]


def test_empty_version_is_one_too(desk: Make) -> None:
    """A world that reads as nothing and then as something has moved."""
    world = World(version="")
    one = desk("changes", said=world.moves(), told=world.told())
    assert one.take().code == "gate.stale"


def test_what_cannot_be_told_by_then_is_stale(desk: Make) -> None:
    """Whether it is the same world is not known, so nothing is carried out (O83)."""
    world = World()

    def goes(_: Proposal) -> bool:
        world.version = "gone"
        return True

    one = desk("changes", said=goes, told=world.told())
    assert short(one.take()) == STALE
    assert "Fault" in one.kinds


def test_what_cannot_be_told_is_not_proposed(desk: Make) -> None:
    """A yes would be for nobody knows what: nobody is asked (O18)."""
    one = desk("changes", said=True, told=World("gone").told())
    assert short(one.take()) == ("refused", "gate.version", f"Refused: {UNTOLD}")
    assert (one.asked, one.kinds) == ([], ["Fault", "Refused"])


def test_call_that_needs_no_yes_is_not_looked_at(desk: Make) -> None:
    """The version binds yeses; what is done alone has none."""
    world = World()
    assert desk("reads", told=world.told()).take().ok
    assert world.looked == 0


def test_wide_yes_holds_whatever_moves(desk: Make) -> None:
    """A yes for all under a subject was given for more than this state."""
    world = World()
    wide = Reply("yes", "Ada", covers="subject")
    one = desk("runs", said=world.moves(wide), told=world.told(), subject="scripts of s@d1")
    assert [one.take().outcome for _ in range(2)] == ["done", "done"]


def test_wide_yes_to_nothing_wider_is_bound(desk: Make) -> None:
    """Where the proposal has no subject, a wide yes is one for the call, and its world (O83)."""
    world = World()
    one = desk("changes", said=world.moves(Reply("yes", "Ada", covers="subject")), told=world.told())
    assert one.take().code == "gate.stale"


@dataclass
class Later:
    """A process that goes on with a task by what is on its record."""

    notes: Sequence[Note]
    world: World = field(default_factory=lambda: World("2"))
    said: Any = True
    permits: Permits = field(default_factory=Permits.proposes)
    asked: list[Proposal] = field(default_factory=list[Proposal])
    ran: int = 0
    log: MemoryLog = field(default_factory=lambda: MemoryLog("t"))

    def take(self) -> Answered:
        """The one call of the task."""
        before = MemoryLog("t")
        for note in self.notes:
            before.note(*note)
        path = Path(
            task="t",
            actions={"act": Action("act", "", {"type": "object"}, self._body, frozenset({"changes"}))},
            log=self.log,
            permits=self.permits,
            approver=approver_of(self._answer, cure=""),
            past=past_of(before.entries(), (), content=lambda _: b""),
            told=self.world.told(),
        )
        return asyncio.run(path.take(CALL))

    @property
    def noted(self) -> list[Entry]:
        """What was noted since."""
        return list(self.log.entries())

    async def _body(self, _: Mapping[str, Any], __: Hands) -> str:
        self.ran += 1
        return "done"

    def _answer(self, proposal: Proposal) -> Any:
        self.asked.append(proposal)
        return self.said(proposal) if callable(self.said) else self.said


def test_yes_of_another_run_is_bound_too() -> None:
    """However long after: what was approved by then is compared before it is carried out (O83, O89)."""
    late = Later([PROPOSED, YES])
    assert (short(late.take()), late.ran) == (STALE, 0)
    assert [entry.kind for entry in late.noted] == ["Stale", "Refused"]


def test_same_world_is_carried_out_later() -> None:
    """Nothing moved while the process was gone (O83)."""
    late = Later([PROPOSED, YES], World("1"))
    assert (late.take().outcome, late.ran, late.asked) == ("done", 1, [])


def test_stale_is_the_answer_of_its_call() -> None:
    """A process that died right after it noted so leaves a call that has come out."""
    late = Later([PROPOSED, YES, TOO_LATE], World("1"))
    assert (short(late.take()), late.ran, late.noted) == (STALE, 0, [])


def test_question_that_is_put_again_shows_its_names() -> None:
    """Another process asks what the first one did not get answered, in the same words (O19)."""
    late = Later([PROPOSED], World("1"))
    late.take()
    assert [(one.id, one.names, one.version) for one in late.asked] == [("t.p1", "the word", "1")]


def test_doing_it_again_is_bound_too() -> None:
    """A yes to make a cut call again is for the world as it was asked about; if that moves, the call stays unknown."""
    world = World()
    late = Later([BEGUN], world, world.moves(), Permits.changes_alone())
    answered = late.take()
    assert (answered.outcome, answered.text, late.ran) == ("unknown", f"{UNKNOWN} It is not done again: {MOVED}", 0)
    assert [entry.kind for entry in late.noted] == ["Proposed", "Approved", "ToolReturned", "Stale"]


@pytest.mark.parametrize("in_two_runs", [True, False])
def test_doing_it_again_is_a_yes_of_its_own(*, in_two_runs: bool) -> None:
    """What was approved, begun and cut may have moved the world itself: the yes to do it again is for what it is then."""
    again: Note = ("Proposed", {"proposal": "t.p2", "call": "c1.1", "unknown": True, "version": "2"}, {"arguments": {}})
    settled: Note = ("ToolReturned", {"call": "c1.1", "outcome": "unknown", "again": True, "settled": "t.p2"}, {})
    late = Later([PROPOSED, YES, BEGUN, *([again, settled] if in_two_runs else [])])
    assert (late.take().outcome, late.ran) == ("done", 1)


def test_unknown_call_that_cannot_be_asked_about_stays_so() -> None:
    """Where no version can be told, the call is left as it is, and the model is told both."""
    late = Later([BEGUN], World("gone"), True, Permits.changes_alone())
    answered = late.take()
    assert (answered.outcome, answered.text) == ("unknown", f"{UNKNOWN} {UNTOLD}")
    assert (late.asked, late.ran, late.noted[-1].facts["settled"]) == ([], 0, "version")


def test_stale_leaves_an_unknown_call_unknown() -> None:
    """What is known of the call itself counts before what became of the yes."""
    end: Note = ("ToolReturned", {"call": "c1.1", "outcome": "unknown", "code": "unknown"}, {"text": UNKNOWN})
    assert Later([BEGUN, end, TOO_LATE], permits=Permits.changes_alone()).take().outcome == "unknown"
