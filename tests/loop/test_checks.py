"""Checks of a result: by an action, and by a script of the skill."""

import asyncio
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from metier.domain.action import Action, Hands, Returned
from metier.domain.call import Answered, Call
from metier.domain.task import Ended
from metier.errors import TaskError
from metier.loop.checks import Judge, Verdict, judge_by_action, judge_by_script

from .conftest import act


class Caller:
    """Hands that make every call come out as set, and keep what was called."""

    call_id = "c1"
    key = "t:c1"

    def __init__(self, **came: Any) -> None:
        self.came: dict[str, Any] = {"outcome": "done", "code": "", "text": "", **came}
        self.given: list[Mapping[str, Any]] = []

    async def call(self, action: Action, arguments: Mapping[str, Any]) -> Answered:
        self.given.append(arguments)
        if self.came.get("runs"):
            returned = await action.body(arguments, self)
            return Answered(Call("c1.1", "check", {}, 1), "done", "", "", returned.value)
        return Answered(Call("c1.1", action.name, arguments, 1), **self.came)

    def keep(self, data: bytes) -> str:
        raise NotImplementedError

    def keep_file(self, path: str) -> str:
        raise NotImplementedError


def judged(judge: Judge, hands: Hands, result: Any = None) -> Verdict:
    """What a judge says of a result."""

    async def go() -> Verdict:
        return await judge({"total": 1} if result is None else result, hands)

    return asyncio.run(go())


def by_action(**came: Any) -> Verdict:
    """What is said when the check's call comes out so."""
    return judged(judge_by_action(act("check"), {"n": 1}), Caller(**came))


def by_script(**came: Any) -> Verdict:
    """What is said when the script's call comes out so."""
    return judged(judge_by_script(lambda _: act("check"), {"n": 1}, lay_out=lambda _: None), Caller(**came))


def test_action_is_given_result_and_input() -> None:
    """An action that checks is given the result and the input (O8)."""
    hands = Caller()
    judged(judge_by_action(act("check"), {"n": 1}), hands)
    assert hands.given == [{"result": {"total": 1}, "input": {"n": 1}}]


@pytest.mark.parametrize(("value", "reason"), [(None, None), ("too low", "too low"), (3, "3")])
def test_action_answers_none_or_a_reason(value: Any, reason: str | None) -> None:
    """Nothing is acceptance; anything else is the reason (O8)."""
    assert by_action(value=value) == Verdict(reason)


@pytest.mark.parametrize("judge", [by_action, by_script])
def test_check_that_breaks_is_a_fault(judge: Callable[..., Verdict]) -> None:
    """A check that fails ends the task as a fault of the app (O36)."""
    verdict = judge(outcome="failed", code="action.raised", text="check failed: KeyError")
    assert verdict.ended == Ended("Failed", "fault", "the check broke: check failed: KeyError")


@pytest.mark.parametrize("judge", [by_action, by_script])
def test_check_that_may_not_run_is_declined(judge: Callable[..., Verdict]) -> None:
    """A no to the check ends the task Refused: its result can never be accepted."""
    verdict = judge(outcome="refused", code="gate.declined", text="Refused: Ada said no")
    assert isinstance(verdict.ended, Ended)
    assert (verdict.ended.state, verdict.ended.reason) == ("Refused", "declined")


@pytest.mark.parametrize("judge", [by_action, by_script])
def test_end_of_the_inner_call_is_the_end(judge: Callable[..., Verdict]) -> None:
    """Where nobody could be asked about the check, the task ends with that."""
    ended = Ended("Refused", "nobody_to_ask", "use --yes")
    assert judge(outcome="refused", code="gate.nobody", ended=ended).ended == ended


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [
        ('{"accepted": true}', Verdict()),
        ('{"accepted": true, "reason": "fine"}\n', Verdict()),
        ('{"accepted": false, "reason": "The total is 3."}', Verdict("The total is 3.")),
        ('{"accepted": false}', Verdict("the check did not accept it and gave no reason")),
    ],
)
def test_script_prints_its_verdict(printed: str, verdict: Verdict) -> None:
    """A script accepts, or gives its reason word for word (O25)."""
    assert by_script(value={"stdout": printed}) == verdict


@pytest.mark.parametrize(
    "value", [{"stdout": "ok"}, {"stdout": '{"accepted": 1}'}, {"stdout": "[]"}, {"stdout": ""}, {}, None]
)
def test_script_without_verdict_is_a_fault(value: Any) -> None:
    """Whatever else a script prints is its own fault, never an acceptance (O36)."""
    verdict = by_script(value=value, text="what it printed")
    assert verdict.ended == Ended("Failed", "fault", "the check printed no verdict: what it printed")


def put_file(folder: str) -> None:
    """Lay a file out."""
    Path(folder, "a.csv").write_text("1;2", encoding="utf-8")


def test_script_finds_its_files() -> None:
    """The script runs in a folder of its own, with the task's files, the input and the result; it is gone afterwards."""
    seen: dict[str, str] = {}

    def script_in(folder: str) -> Action:
        def look(_: Mapping[str, Any]) -> Returned:
            seen.update({name: Path(folder, name).read_text(encoding="utf-8") for name in os.listdir(folder)})
            seen["folder"] = folder
            return Returned({"stdout": '{"accepted": true}'})

        return act("check", look)

    judge = judge_by_script(script_in, {"n": "ä"}, lay_out=put_file)
    hands = Caller(runs=True)
    assert judged(judge, hands, {"total": 3}) == Verdict()
    assert hands.given == [{"args": ["--input", "input.json", "--result", "result.json"]}]
    assert not os.path.exists(seen.pop("folder"))
    assert json.loads(seen.pop("input.json")) == {"n": "ä"}
    assert json.loads(seen.pop("result.json")) == {"total": 3}
    assert seen == {"a.csv": "1;2"}


def test_changed_copies_are_a_fault() -> None:
    """When the kept copies are no longer what was given, the task ends; it is nothing that the model could mend (O36)."""

    def lay_out(_: str) -> None:
        raise TaskError("The kept copy of 'a.csv' was changed while the task ran.")

    verdict = judged(judge_by_script(lambda _: act("check"), None, lay_out=lay_out), Caller())
    assert isinstance(verdict.ended, Ended)
    assert (verdict.ended.state, verdict.ended.reason) == ("Failed", "fault")
