"""The walk: from the first question to every end."""

import asyncio
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import pytest

from metier.domain.bounds import StopWhen
from metier.domain.message import Request
from metier.domain.money import LlmPrice
from metier.loop.checks import judge_by_action
from metier.loop.loop import HAND_BACK_NOW, LAST_TURN, LAST_TURN_TYPED, NO_WORDS
from metier.testing import Says, ScriptedModel

from .conftest import ANYTHING, Job, act, judging

Make = Callable[..., Job]
TOTAL = {"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"]}
DONE = {"type": "object", "properties": {"done": {"type": "boolean"}}}


def test_words_end_a_job_in_words(job: Make) -> None:
    """Where words are due, the last words are the result (O22)."""
    one = job([act("look", "found")])
    ended = one.go(Says.tool("look"), Says.text("It is found."))
    assert (ended.state, ended.reason, ended.result) == ("Done", "answered", "It is found.")
    assert one.answers == ["found"]


def test_result_ends_a_typed_job(job: Make) -> None:
    """A typed job ends by handing back a result that fits (O21)."""
    one = job(result=TOTAL)
    ended = one.go(Says.hand_back({"total": 3}))
    assert (ended.state, ended.reason, ended.result) == ("Done", "handed_back", {"total": 3})
    assert one.kinds[-2:] == ["ToolReturned", "HandedBack"]
    assert one.notes("HandedBack")[0].body == {"result": {"total": 3}}


@pytest.mark.parametrize("can_force", [True, False])
def test_words_are_never_the_typed_result(job: Make, can_force: bool) -> None:
    """Words in a typed job are sent back; the model is made to call hand_back only where it can be (O22, case 063)."""
    one = job(result=TOTAL, can_force=can_force)
    ended = one.go(Says.text('{"total": 3}'), Says.hand_back({"total": 3}))
    assert (ended.state, one.notices) == ("Done", ["the task", HAND_BACK_NOW])
    assert [request.must_call for request in one.seen] == [None, "hand_back" if can_force else None]
    assert one.notes("SentBack")[0].facts["code"] == "answer.words"


def test_forcing_holds_for_one_turn(job: Make) -> None:
    """The forced call is asked for once, not in every turn that follows (case 063)."""
    one = job([act("look")], TOTAL)
    one.go(Says.text("hm"), Says.tool("look"), Says.hand_back({"total": 3}))
    assert [request.must_call for request in one.seen] == [None, "hand_back", None]


def test_words_for_ever_are_stuck(job: Make) -> None:
    """Words count as failures in a row (O30)."""
    ended = job(result=TOTAL).go(*[Says.text("Here you are.")] * 5)
    assert (ended.state, ended.reason) == ("Failed", "stuck")
    assert "answer.words x 3" in ended.text


def test_empty_answer_is_asked_again(job: Make) -> None:
    """An empty answer is no result; it is said, and counts as a failure."""
    one = job()
    assert one.go(Says.text(" \n"), Says.text("So.")).result == "So."
    assert one.notices == ["the task", NO_WORDS]
    assert job().go(*[Says.text("")] * 3).reason == "stuck"


def test_wrong_shape_comes_back_until_stuck(job: Make) -> None:
    """The identical mistake is told each time and ends after three model calls (O24, O28, case 061)."""
    one = job(result=DONE, stop=StopWhen(max_turns=50))
    ended = one.go(*[Says.hand_back({"done": "yes"})] * 50)
    said = 'done: expected boolean, got string "yes"'
    assert (ended.state, ended.reason, len(one.seen)) == ("Failed", "stuck", 3)
    assert one.answers == [said] * 3
    assert said in ended.text
    assert one.notes("SentBack")[0].body == {"arguments": {"done": "yes"}, "reason": said}


def test_check_speaks_word_for_word(job: Make) -> None:
    """A result that the check refuses comes back with its own words, nothing added (O25, O26)."""
    check = judging(lambda result: None if result["total"] == 3 else "The total is 3; add up again.")
    one = job(result=TOTAL, judge=judge_by_action(check, None))
    ended = one.go(Says.hand_back({"total": 2}), Says.hand_back({"total": 3}))
    assert (ended.state, ended.result) == ("Done", {"total": 3})
    assert one.answers == ["The total is 3; add up again.", "Accepted."]
    assert one.notes("SentBack")[0].body == {"reason": "The total is 3; add up again."}


def test_raising_check_ends_the_job(job: Make) -> None:
    """A check that raises is the app's fault: the job ends, and the model is told nothing of it (O36)."""

    def broken(_: Any) -> str:
        raise KeyError("the secret column")

    one = job(result=TOTAL, judge=judge_by_action(judging(broken), None))
    ended = one.go(*[Says.hand_back({"total": 3})] * 3)
    assert (ended.state, ended.reason, len(one.seen)) == ("Failed", "fault", 1)
    assert one.answers == ["The result could not be judged."]
    assert ended.result == {"total": 3}


def test_best_result_is_kept(job: Make) -> None:
    """A job that ends at a limit shows the last result that fitted, though the check refused it."""
    one = job(result=TOTAL, judge=judge_by_action(judging(lambda _: "no"), None), stop=StopWhen(max_turns=2))
    ended = one.go(Says.hand_back({"total": 1}), Says.hand_back({"total": 2}))
    assert (ended.state, ended.result) == ("Failed", {"total": 2})


def test_failures_in_a_row_are_stuck(job: Make) -> None:
    """Refused calls, wrong arguments and failing tools count together (O30, O48)."""

    def fail(_: Mapping[str, Any]) -> None:
        raise OSError("no")

    one = job([act("fail", fail)])
    ended = one.go(Says.tool("nothing"), Says.tool("fail", "no json"), Says.tool("fail"), Says.text("never"))
    assert (ended.state, ended.reason, len(one.seen)) == ("Failed", "stuck", 3)
    assert "action.unknown, arguments.json, action.raised" in ended.text


def test_progress_resets_the_row(job: Make) -> None:
    """A call that did something starts the count anew (O30)."""
    one = job([act("look", lambda given: given["n"])])
    misses = [Says.tool(f"nothing{n}") for n in range(4)]
    ended = one.go(misses[0], misses[1], Says.tool("look", {"n": 1}), misses[2], misses[3], Says.text("so"))
    assert ended.state == "Done"


def test_guessing_is_stopped(job: Make) -> None:
    """Misses of one tool count though another succeeds between them (case 045)."""
    one = job([act("look", lambda given: given["n"])], stop=StopWhen(max_turns=50))
    steps = [step for n in range(9) for step in (Says.tool("guess", {"n": n}), Says.tool("look", {"n": n}))]
    ended = one.go(*steps)
    assert (ended.reason, len(one.seen)) == ("stuck", 5)


@pytest.mark.parametrize(("size", "turns"), [(1, 3), (2, 6), (3, 9), (4, 12)])
def test_circles_end_the_job(job: Make, size: int, turns: int) -> None:
    """Equal calls with equal answers in a circle end it at the third round (O52, O56, case 073)."""
    one = job([act("look")], stop=StopWhen(max_turns=50))
    ended = one.go(*[Says.tool("look", {"n": n % size}) for n in range(40)])
    assert (ended.state, ended.reason, len(one.seen)) == ("Failed", "repeats", turns)


def test_new_answers_go_on_longer(job: Make) -> None:
    """One call with ever new answers ends at the wide limit; a polling one does not (O55, case 074)."""

    def ticking() -> Callable[[Any], int]:
        ticks = iter(range(100))
        return lambda _: next(ticks)

    steps = [Says.tool("tail")] * 15
    one = job([act("tail", ticking())])
    assert (one.go(*steps, Says.text("so")).reason, len(one.seen)) == ("repeats", 10)
    assert job([act("tail", ticking(), polls=True)]).go(*steps, Says.text("so")).state == "Done"
    assert job([act("tail", "same", polls=True)]).go(*steps, Says.text("so")).state == "Done"


@pytest.mark.parametrize(("result", "notice"), [(None, LAST_TURN), (TOTAL, LAST_TURN_TYPED)])
def test_last_turn_is_announced(job: Make, result: Any, notice: str) -> None:
    """One turn before the limit the model is told to finish; then the job ends (O51, O56)."""
    one = job([act("look", lambda given: given["n"])], result, stop=StopWhen(max_turns=3))
    ended = one.go(*[Says.tool("look", {"n": n}) for n in range(3)])
    assert (ended.state, ended.reason, ended.text) == ("Failed", "max_turns", "max turns (3)")
    assert [notice in texts for texts in one.told] == [False, False, True]


def test_time_ends_the_job(job: Make) -> None:
    """A model that does not answer within the time is left, and the job ends with its best (O56)."""

    async def never(_: Request) -> Any:
        await asyncio.Event().wait()

    one = job(stop=StopWhen(max_seconds=0.01))
    ended = one.go(model=ScriptedModel("slow", never))
    assert (ended.state, ended.reason) == ("Failed", "seconds")
    assert one.kinds == ["ModelCalled", "ModelAnswered"]


def test_time_cuts_an_action(job: Make) -> None:
    """An action that overruns is cut, and its call has an end on the record (O56)."""
    one = job([act("wait", lambda _: asyncio.Event().wait())], stop=StopWhen(max_seconds=0.05))
    assert one.go(Says.tool("wait")).reason == "seconds"
    assert one.notes("ToolReturned")[0].facts["outcome"] == "stopped"


def test_budget_stops_before_the_call(job: Make) -> None:
    """A call that could pass the budget is not made, and nothing is spent on it (O57, O58)."""
    one = job(price=LlmPrice(Decimal(1), Decimal(1)), budget=Decimal("0.000120"))
    ended = one.go(Says.text("never said"))
    assert (ended.state, ended.reason, one.seen, one.kinds) == ("Failed", "budget", [], [])
    assert "$0.000120" in ended.text


def test_failing_model_ends_the_job(job: Make) -> None:
    """A client that raises ends the job with its words."""
    ended = job().go(Says.error("no route to host"))
    assert (ended.state, ended.reason) == ("Failed", "model")
    assert ended.text == "the model test failed: ConnectionError: no route to host"


def test_every_call_has_its_answer(job: Make) -> None:
    """Before each request every call that was made is answered, whatever became of it (case 077)."""
    one = job([act("look"), act("put", effects=("changes",))], ANYTHING)
    steps = [Says.tool("look"), Says.tool("nothing"), Says.tool("put"), Says.tool("look", "no json"), Says.tool("look")]
    one.go(Says.many(*steps), Says.hand_back({}))
    assert len(one.answers) == len(steps) + 1
    assert [request.system for request in one.seen] == ["system"] * 2
