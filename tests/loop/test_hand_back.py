"""The action that finishes a typed job."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import pydantic

from metier.actions.misfit import Misfit
from metier.actions.types import json_type
from metier.domain.action import Hands, Returned
from metier.domain.task import Ended, RunEnd
from metier.loop.checks import Judge, Verdict
from metier.loop.hand_back import Reasons, hand_back_action
from metier.loop.loop import work
from metier.testing import Says

from .conftest import Job
from .test_checks import Caller

Make = Callable[..., Job]


@dataclass
class Bill:
    """A result whose type says more than its schema can."""

    due: date
    total: Decimal = Decimal(0)

    @pydantic.field_validator("total")
    @classmethod
    def _in_cents(cls, value: Decimal) -> Decimal:
        if value != round(value, 2):
            raise ValueError("a total is in cents")
        return value


BILL = json_type(Bill)


def reasons(result: Any) -> Sequence[str]:
    """The reasons why a result is no bill."""
    read = BILL.read(result)
    return read.faults if isinstance(read, Misfit) else ()


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


def worked(one: Job, misfit: Reasons, *results: Any) -> RunEnd:
    """How a job of bills ends, whose model hands back these results."""
    one.actions = [
        hand_back_action(BILL.schema, judge=None, fits=lambda result: setattr(one.run, "best", result), misfit=misfit)
    ]
    run = one.make(*(Says.tool("hand_back", result) for result in results))
    run.typed = True
    return asyncio.run(work(run))


def test_what_no_schema_says_is_sent_back(job: Make) -> None:
    """A day that no month has, and what a validator refuses, come back with the reason; the next one counts (O24, O25)."""
    one, good = job(), {"due": "2026-02-28", "total": 1.25}
    ended = worked(one, reasons, {**good, "due": "2026-02-30"}, {**good, "total": 1.255}, good)
    assert ended == Ended("Done", "handed_back", result=good)
    assert [note.facts["code"] for note in one.notes("SentBack")] == ["arguments.schema"] * 2
    assert [str((note.body or {})["reason"]).partition(":")[0] for note in one.notes("SentBack")] == ["due", "total"]
    assert one.answers[1] == "total: a total is in cents"


def test_misfit_is_never_the_best(job: Make) -> None:
    """A result with a reason against it begins no call, and is not what a job had at its limit (O25, O35)."""
    one = job()
    ended = worked(one, reasons, *[{"due": "2026-02-30"}] * 3)
    assert isinstance(ended, Ended)
    assert (ended.state, ended.reason, ended.result) == ("Failed", "stuck", None)
    assert "ToolCalled" not in one.kinds


def test_broken_reasons_end_the_job(job: Make) -> None:
    """App code that breaks over a result ends the job as the app's fault, and the model learns no more (O36)."""
    one = job()
    ended = worked(one, lambda result: [result["nothing"]], {"due": "2026-02-28"})
    assert isinstance(ended, Ended)
    assert (ended.state, ended.reason) == ("Failed", "fault")
    assert ended.text == "the result could not be read: KeyError: 'nothing'"
    assert one.answers == ["The result could not be judged."]


def test_nothing_to_say_costs_nothing() -> None:
    """Where the schema says it all, nothing is looked at between it and the call."""
    assert hand_back_action(SCHEMA, judge=None, fits=lambda _: None).narrow is None
