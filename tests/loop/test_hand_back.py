"""The action that finishes a typed job."""

import asyncio
from typing import Any

from metier.domain.action import Hands, Returned
from metier.domain.task import Ended
from metier.loop.checks import Judge, Verdict
from metier.loop.hand_back import hand_back_action

from .test_checks import Caller

SCHEMA = {"type": "object"}


def judge_saying(verdict: Verdict) -> Judge:
    """A judge that always says the same."""

    async def judge(_: Any, __: Hands) -> Verdict:
        return verdict

    return judge


def handed(judge: Judge | None, seen: list[Any]) -> Returned:
    """What `hand_back` answers."""
    action = hand_back_action(SCHEMA, judge=judge, fits=seen.append)

    async def go() -> Any:
        return await action.body({"total": 3}, Caller())

    returned = asyncio.run(go())
    assert isinstance(returned, Returned)
    return returned


def test_it_is_the_house_own() -> None:
    """It is no app's tool, touches nothing, and takes the result's own schema (O21, O23, O80)."""
    action = hand_back_action(SCHEMA, judge=None, fits=lambda _: None)
    assert (action.name, action.effects, action.origin.kind, action.parameters) == (
        "hand_back",
        frozenset(),
        "house",
        SCHEMA,
    )


def test_without_a_check_all_that_fits_is_accepted() -> None:
    """A result that fits is accepted where nothing checks it (O21)."""
    seen: list[Any] = []
    assert handed(None, seen) == Returned(text="Accepted.")
    assert seen == [{"total": 3}]


def test_result_is_kept_before_it_is_judged() -> None:
    """The result that fitted is known whatever the check says, and the reason is word for word (O25)."""
    seen: list[Any] = []
    returned = handed(judge_saying(Verdict("Add up again.")), seen)
    assert (returned.text, returned.ok, returned.code, seen) == (
        "Add up again.",
        False,
        "check.not_accepted",
        [{"total": 3}],
    )


def test_broken_check_is_not_told() -> None:
    """The model learns no more than that its result could not be judged (O36)."""
    ended = Ended("Failed", "fault", "the check broke: secret")
    returned = handed(judge_saying(Verdict(ended=ended)), [])
    assert (returned.ok, returned.text, returned.ended) == (False, "The result could not be judged.", ended)
