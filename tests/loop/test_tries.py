"""Another try: a conversation from its first message, and every count anew, but for the money."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from metier.domain.bounds import StopWhen
from metier.domain.entry import Entry, Kind
from metier.domain.message import ModelMessage, ToolCall
from metier.domain.money import LlmPrice
from metier.domain.task import Ended, RunEnd, Waits
from metier.gate.past import past_of
from metier.loop.take_up import take_up
from metier.loop.turn import calls_of
from metier.testing import Says

from .conftest import Job, act

PRICE = LlmPrice(Decimal(1), Decimal(1))
RESULT: Mapping[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
Make = Callable[..., Job]


def retried(number: int, nth: int = 2) -> Entry:
    """The entry that begins another try."""
    return note(number, "Retried", {"try": nth, "reason": "stuck"}, {"text": "stuck"})


def note(number: int, kind: Kind, facts: Mapping[str, Any], body: Mapping[str, Any] | None = None) -> Entry:
    """An entry of the task."""
    return Entry("t", number, kind, 0, facts, body, "")


def failing(job: Make) -> Job:
    """A job whose first try has ended, stuck after two results."""
    one = job(result=RESULT, stop=StopWhen(stuck_after=2), price=PRICE, actions=[act("look")])
    bad = Says.hand_back({"n": "x"}).tokens(100, 0)
    assert one.go(Says.tool("look"), bad, bad).reason == "stuck"
    return one


def test_everything_is_counted_anew_but_money(job: Make) -> None:
    """The first message is the same word for word, and what was spent stays spent (O20)."""
    one = failing(job)
    assert one.run is not None
    first, spent = one.run.talk.messages[0], one.run.bounds.meter.spent
    one.run.helped = True
    one.run.try_again(2)
    bounds = one.run.bounds
    assert (one.run.talk.messages, one.run.nth, one.run.helped) == ([first], 2, False)
    assert (bounds.turns, bounds.hit(), bounds.meter.spent) == (0, None, spent)
    assert spent > 0


def test_ids_of_a_later_try_are_its_own() -> None:
    """Calls of the first try keep their short ids; those of later ones begin with the try's number."""
    asked = [ToolCall("x", "look", {}), ToolCall("y", "look", {})]
    assert [call.id for call in calls_of(3, asked)] == ["c3.1", "c3.2"]
    assert [call.id for call in calls_of(3, asked, nth=2)] == ["r2.c3.1", "r2.c3.2"]


def test_taken_up_in_a_later_try(job: Make) -> None:
    """The walk starts anew where a try began; the money of all tries counts (O20, O58)."""
    one = failing(job)
    again = job(result=RESULT, stop=StopWhen(stuck_after=2), price=PRICE, actions=[act("look")])
    run = again.make()
    run.path.past = past_of(one.entries, (), content=lambda _: b"")
    take_up(run, [*one.entries, retried(len(one.entries) + 1)])
    assert one.run is not None
    assert [message.text for message in run.talk.messages] == ["the task"]
    assert (run.nth, run.bounds.turns, run.pending, run.best) == (2, 0, None, None)
    assert run.bounds.meter.spent == one.run.bounds.meter.spent


def test_each_try_may_be_helped_once(job: Make) -> None:
    """Nobody's help in the first try leaves the second its own (O27, O31)."""
    run = job().make()
    no = note(1, "Declined", {"proposal": "t.p1", "call": "help", "by": "Ada", "answer": "no", "covers": "call"})
    late = note(3, "Declined", {**no.facts, "call": "r2.help"})
    helped: list[bool] = []
    for entry in (no, retried(2), late):
        take_up(run, [entry])
        helped.append(run.helped)
    assert helped == [True, False, True]


def test_result_of_an_earlier_try_is_not_the_best(job: Make) -> None:
    """What a try ends with is its own (O20)."""
    run = job(result=RESULT).make()
    begun = note(1, "ToolCalled", {"call": "c1.1", "action": "hand_back"}, {"arguments": {"n": 1}})
    take_up(run, [begun])
    assert run.best == {"n": 1}
    take_up(run, [retried(2)])
    assert run.best is None


def test_run_is_halted_before_the_next_model_call(job: Make) -> None:
    """Its worker leaves, or its agent is paused: the calls of the last answer have come out by then (O72)."""
    waits = Waits("agent", "the agent Clerk was paused", agent="Clerk")
    ends: list[RunEnd | None] = [None, waits]
    one = job(actions=[act("look")])
    one.make(Says.tool("look"), Says.text("done"))
    assert one.run is not None
    one.run.halt = lambda: ends.pop(0)
    assert one.work() == waits
    assert (one.kinds.count("ModelCalled"), one.kinds.count("ToolReturned")) == (1, 1)


def test_halt_may_end_the_task(job: Make) -> None:
    """An agent that was stopped ends its tasks at their next step (O72)."""
    ended = Ended("Stopped", "cancelled", "the agent Clerk was stopped")
    one = job()
    one.make(Says.text("done"))
    assert one.run is not None
    one.run.halt = lambda: ended
    assert (one.work(), one.kinds) == (ended, [])


def test_message_of_an_earlier_try_is_left(job: Make) -> None:
    """An answer whose calls were not dealt with belongs to the try that ended."""
    run = job().make()
    run.pending = ModelMessage("", (ToolCall("x", "look", {}),))
    take_up(run, [retried(1)])
    assert run.pending is None
