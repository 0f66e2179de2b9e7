"""A run that goes on where an earlier one was cut: what the model is sent is what it would have been sent."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from typing import Any

import pytest

from metier.domain.action import Action
from metier.domain.bounds import StopWhen
from metier.domain.call import HAND_BACK
from metier.domain.entry import Entry
from metier.domain.message import Answer, Request, ToolSpec
from metier.domain.money import LlmPrice
from metier.domain.permits import Permits
from metier.domain.task import RunEnd
from metier.errors import ModelFailed, RecordBroken
from metier.gate.approvers import Asks
from metier.gate.bounds import Bounds
from metier.gate.meter import Meter
from metier.gate.past import past_of
from metier.gate.path import Path
from metier.loop.hand_back import hand_back_action
from metier.loop.loop import LAST_TURN_TYPED, work
from metier.loop.run import Run
from metier.loop.take_up import CUT, take_up
from metier.loop.talk import Talk
from metier.record import MemoryLog
from metier.testing import AgentScript, Says, ScriptedModel

from .conftest import Job, act

PRICE = LlmPrice(Decimal(3), Decimal(15))
RESULT: Mapping[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
LONG = "so much was read " * 20
STEPS = (
    Says.many(Says.text("I look."), Says.tool("look", {"n": 1}), Says.tool("look", {"n": 2})).tokens(100, 10),
    Says.tool("put", {"n": 1}).tokens(200, 10),
    Says.many(Says.tool("none"), Says.tool("put", {"n": 2})).tokens(300, 10),
    Says.text("The result is 3.").tokens(400, 10),
    Says.hand_back({"n": "three"}).tokens(500, 10),
    Says.many(Says.tool("fail"), Says.hand_back({"n": 3})).tokens(600, 10),
    Says.tool("look", {"n": 3}).tokens(700, 10),
    Says.hand_back({"n": 2}).tokens(800, 10),
    Says.hand_back({"n": 3}).tokens(900, 10),
)
STOP = StopWhen(max_turns=len(STEPS), stuck_after=8, clear_results_past=2)


def fails(_: Mapping[str, Any]) -> str:
    """What a tool does that fails."""
    raise RuntimeError("it broke")


ACTIONS = (act("look", LONG), act("put", "done", effects=["changes"]), act("fail", fails))


async def judge(result: Any, _: Any) -> Any:
    """Takes no other result than 3."""
    from metier.loop.checks import Verdict

    return Verdict(None if result["n"] == 3 else "The result is 3.")


@dataclass
class Told:
    """A run over a list of entries: what the model was sent, and what was noted since."""

    sent: list[Any] = field(default_factory=list[Any])
    log: MemoryLog = field(default_factory=lambda: MemoryLog("t"))
    run: Run | None = None
    ended: RunEnd | None = None

    @property
    def entries(self) -> list[Entry]:
        """What it noted."""
        return list(self.log.entries())

    @property
    def counters(self) -> Any:
        """What its limits have counted."""
        assert self.run is not None
        bounds = self.run.bounds
        return bounds.turns, vars(bounds.stuck), vars(bounds.repeats), bounds.meter.spent


def asked(request: Request) -> Any:
    """All of a request, as it is now; the list of its messages goes on growing."""
    return [asdict(message) for message in request.messages], request.system, request.must_call, request.tools


def go(
    entries: Sequence[Entry] | None = None,
    *,
    steps: Sequence[Says] = STEPS,
    stop: StopWhen = STOP,
    actions: Sequence[Action] = ACTIONS,
    budget: Decimal | None = None,
    answer: Callable[[Request], Any] | None = None,
    work_on: bool = True,
) -> Told:
    """Work on the job, anew or from these entries on."""
    told, script = Told(), AgentScript.of(*steps)

    def said(request: Request) -> Answer:
        told.sent.append(asked(request))
        said: Answer = (answer or script.answer)(request)
        return said

    def fits(result: Any) -> None:
        assert told.run is not None
        told.run.best = result

    found = {one.name: one for one in (*actions, hand_back_action(RESULT, judge=judge, fits=fits))}
    past = past_of(entries or (), (), content=lambda _: b"")
    path = Path(
        task="t", actions=found, log=told.log, permits=Permits.changes_alone(), approver=Asks(lambda _: True), past=past
    )
    talk = Talk(system="system", tools=[ToolSpec(one.name, one.description, one.parameters) for one in found.values()])
    talk.tell("the task")
    model = ScriptedModel("test", said, price=PRICE, max_output_tokens=100)
    bounds = Bounds(stop, Meter(price=PRICE, budget=budget))
    told.run = Run(model, talk, path, bounds, told.log, found, typed=True)

    async def walk() -> RunEnd | None:
        assert told.run is not None
        if entries is not None:
            take_up(told.run, entries)
        return await work(told.run) if work_on else None

    told.ended = asyncio.run(walk())
    return told


WHOLE = go()
TOGETHER = {
    nth for nth, one in enumerate(WHOLE.entries) if one.kind == "SentBack" and one.facts["code"] == "check.not_accepted"
}
"""An end that sends a result back and the note of it are written in one batch: nothing is cut between them."""
CUTS = [nth for nth in range(len(WHOLE.entries) + 1) if nth not in TOGETHER]


def test_whole_run_has_all() -> None:
    """The run that is cut has refusals, results sent back, words, a failure, a cleared result and its last turn."""
    kinds = {entry.kind for entry in WHOLE.entries}
    assert kinds == {
        "ModelCalled", "ModelAnswered", "ToolCalled", "ToolReturned", "Refused", "SentBack", "HandedBack", "Cleared",
    }  # fmt: skip
    assert LAST_TURN_TYPED in [message["text"] for message in WHOLE.sent[-1][0]]
    assert {request[2] for request in WHOLE.sent} == {None, HAND_BACK}
    assert (len(WHOLE.sent), WHOLE.ended and getattr(WHOLE.ended, "result", None)) == (9, {"n": 3})


@pytest.mark.parametrize("cut", CUTS)
def test_requests_go_on_as_they_were(cut: int) -> None:
    """Cut after any entry, the requests that come are those of the whole run, byte for byte, from the first unanswered."""
    before = WHOLE.entries[:cut]
    answered = sum(one.kind == "ModelAnswered" for one in before)
    told = go(before)
    assert told.sent == WHOLE.sent[answered:]
    assert told.ended == WHOLE.ended


@pytest.mark.parametrize("cut", CUTS)
def test_counters_go_on_as_they_were(cut: int) -> None:
    """Cut after any entry, turns, failures and repeats end as in the whole run, and each cut request costs its reserve."""
    before = WHOLE.entries[:cut]
    told = go(before)
    reserved = [Decimal(one.facts["reserved"]) for one in before if one.kind == "ModelCalled"]
    answers = sum(one.kind == "ModelAnswered" for one in before)
    charged = sum(reserved[answers:], Decimal(0))
    *counted, spent = told.counters
    *whole, cost = WHOLE.counters
    assert (counted, spent) == (whole, cost + charged)


@pytest.mark.parametrize("cut", CUTS)
def test_entries_go_on_as_they_were(cut: int) -> None:
    """What is noted after a cut is what the whole run notes there, but for what was in the middle."""
    told = go(WHOLE.entries[:cut])
    marks = [_mark(one) for one in told.entries if not one.facts.get("unknown") and "again" not in one.facts]
    whole = [_mark(one) for one in WHOLE.entries]
    assert [mark for mark in whole[cut:] if mark not in marks] == []
    assert [mark for mark in marks if mark not in whole and mark[0] not in ("Proposed", "Approved")] == []


def _mark(entry: Entry) -> tuple[Any, ...]:
    facts = entry.facts
    return entry.kind, facts.get("call"), facts.get("turn"), facts.get("outcome"), facts.get("code")


def test_cut_model_call_is_charged() -> None:
    """A request without an answer costs its reservation, is marked unknown, and is sent again under the same turn."""
    cut = next(nth for nth, one in enumerate(WHOLE.entries, 1) if one.kind == "ModelCalled" and one.facts["turn"] == 2)
    before = WHOLE.entries[:cut]
    charged, called = go(before).entries[:2]
    facts = {"turn": 2, "ok": False, "unknown": True, "seconds": 0.0, "cost": before[-1].facts["reserved"]}
    assert (charged.kind, charged.facts, charged.body) == ("ModelAnswered", facts, {"error": CUT})
    assert (called.kind, called.facts["turn"], called.facts["try"]) == ("ModelCalled", 2, 2)


def test_charge_counts_against_the_budget() -> None:
    """A task cannot pass its budget by being killed: what was cut is spent."""
    cut = next(nth for nth, one in enumerate(WHOLE.entries, 1) if one.kind == "ModelCalled")
    budget = Decimal(WHOLE.entries[0].facts["reserved"]) * Decimal("1.5")
    told = go(WHOLE.entries[:cut], budget=budget)
    assert (told.sent, getattr(told.ended, "reason", "")) == ([], "budget")


def test_nothing_is_asked_while_it_is_taken_up() -> None:
    """Taking up asks and does nothing; after the whole run there is nothing to note."""
    told = go(WHOLE.entries, work_on=False)
    assert (told.sent, told.entries, told.run is not None and told.run.pending is not None) == ([], [], True)


def test_best_result_is_known_again() -> None:
    """The last result that fitted the schema is there when the run goes on, also when a limit is hit at once."""
    sent_back = next(nth for nth, one in enumerate(WHOLE.entries, 1) if one.facts.get("code") == "check.not_accepted")
    told = go(WHOLE.entries[:sent_back], stop=StopWhen(max_turns=8, stuck_after=8, clear_results_past=2))
    assert (told.sent, getattr(told.ended, "reason", ""), getattr(told.ended, "result", None)) == (
        [],
        "max_turns",
        {"n": 2},
    )


def test_tries_are_counted_on() -> None:
    """A request that failed before the cut is sent under the next number of tries."""

    def failing(_: Request) -> Answer:
        raise ModelFailed("busy", again=False, may_cost=True)

    first = go(answer=failing)
    cut = go(first.entries[:1])
    assert next(one.facts.get("try", 1) for one in cut.entries if one.kind == "ModelCalled") == 2
    later = go(first.entries)
    assert (later.sent, later.counters[-1] - WHOLE.counters[-1]) == (
        WHOLE.sent,
        Decimal(first.entries[1].facts["cost"]),
    )


def test_missing_answer_is_no_record() -> None:
    """A call of an earlier turn without an answer is a broken record, not a guess."""
    entries = [one for one in WHOLE.entries if one.facts.get("call") != "c1.2"]
    with pytest.raises(RecordBroken, match="turn 1 of task t"):
        go(entries)


@pytest.mark.parametrize(("before", "after"), [(1, 3), (3, 1), (9, 1)])
def test_tries_before_a_kill_count(before: int, after: int) -> None:
    """A request that was sent before a kill has the rest of its tries, and at least one (case 113)."""
    sent = 0

    def down(_: Request) -> Answer:
        nonlocal sent
        sent += 1
        raise ModelFailed("busy", again=True, after=0.0)

    job = Job()
    run = job.make(model=ScriptedModel("down", down))
    run.tried = before
    assert asyncio.run(work(run)) is not None
    assert (sent, next(entry.facts["try"] for entry in job.notes("ModelCalled"))) == (after, before + 1)
