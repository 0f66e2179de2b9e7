"""What is never tried again, and what each try of a task begins anew."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from metier import Metier, Retry, Skill, StopWhen
from metier.config import Settings
from metier.domain.message import Answer, ModelMessage, Request, ToolCall
from metier.domain.money import LlmPrice, Usage
from metier.domain.proposal import Proposal, Reply
from metier.testing import ScriptedModel, Trajectory

PRICE = LlmPrice(Decimal(1), Decimal(1))
ALWAYS = Retry(times=2, when=lambda _: True)
Open = Callable[..., Metier]


class Number(Skill[str, dict[str, int]]):
    """Count, whatever it takes."""

    stop = StopWhen(stuck_after=2)
    budget = Decimal(1)
    retry = ALWAYS

    def check(self, result: dict[str, int]) -> str | None:
        """No number is below nothing."""
        return "too small" if result["n"] < 0 else None


def bad(_: Request) -> Answer:
    """A result that is none."""
    return Answer(ModelMessage("", (ToolCall("x", "hand_back", {"n": -1}),)), Usage(1000, 0))


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Open]:
    """Opens apps over one record."""
    with ExitStack() as stack:

        def opened(answer: Any, **how: Any) -> Metier:
            model = ScriptedModel("test", answer, price=PRICE, max_output_tokens=1000)
            made = Metier(settings=Settings(project=str(tmp_path)), model=model, record=tmp_path / "r.db", **how)
            return stack.enter_context(made)

        yield opened


def test_no_money_is_never_tried_again(app: Open) -> None:
    """The tries share one budget, whatever the job names as reasons (O20, O57)."""

    class Poor(Number):
        budget = Decimal("0.000001")

    outcome = app(bad).do(Poor(), "four")
    assert (outcome.reason, outcome.receipt.tries, outcome.receipt.model_calls) == ("budget", 1, 0)


def test_budget_is_one_for_all_tries(app: Open) -> None:
    """What the first try spent the next ones cannot: the last of them ends for money (O20, O58)."""

    class Poor(Number):
        budget = Decimal("0.006")

    outcome = app(bad).do(Poor(), "four")
    assert (outcome.reason, outcome.receipt.tries) == ("budget", 3)
    assert outcome.cost <= Decimal("0.006")


def test_each_try_asks_for_help_once(app: Open) -> None:
    """Helped in the first try, and in the second one anew (O20, O27, O31)."""
    asked: list[str] = []

    def helps(proposal: Proposal) -> Reply:
        asked.append(proposal.call_id)
        return Reply("yes", "Ada", "Count again.")

    outcome = app(bad).do(Number(), "four", approver=helps)
    assert (outcome.reason, asked) == ("stuck", ["help", "r2.help", "r3.help"])
    assert Trajectory.kinds(outcome).count("Helped") == 3


def test_stopped_work_is_not_tried_again(app: Open) -> None:
    """A stop is no failure (O20)."""
    one: Metier

    async def stops(request: Request) -> Answer:
        await one.astop(one.tasks()[0].id)
        return bad(request)

    one = app(stops)
    outcome = one.do(Number(), "four")
    assert (outcome.state, outcome.receipt.tries) == ("Stopped", 1)


def test_fault_is_tried_again_only_by_name(app: Open) -> None:
    """A check that breaks ends the task, unless the job names that (O20, O36)."""

    class Broken(Number):
        retry = Retry(times=2)

        def check(self, result: dict[str, int]) -> str | None:
            raise RuntimeError(f"it broke at {result}")

    class Again(Broken):
        retry = ALWAYS

    tries = [app(bad).do(skill, "four").receipt.tries for skill in (Broken(), Again())]
    assert tries == [1, 3]
