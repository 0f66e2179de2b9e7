"""One question to the model, and what it costs."""

import asyncio
from collections.abc import AsyncIterator, Callable
from decimal import Decimal
from typing import Any

import pytest

from metier.domain.message import Answer, ModelMessage, Request, TextPiece
from metier.domain.money import LlmPrice, Usage
from metier.domain.task import Ended
from metier.loop.ask import ask_model
from metier.models.llm_model import LlmModel
from metier.testing import Says, ScriptedModel

from .conftest import Job, act

Make = Callable[..., Job]
PRICE = LlmPrice(Decimal("0.1"), Decimal("0.4"))


def test_call_and_answer_are_noted(job: Make) -> None:
    """The call is noted with its reservation before it is made, the answer with its tokens and its exact cost (O58, O92)."""
    one = job([act("look")], price=PRICE)
    one.go(Says.tool("look", {"q": 1}).tokens(1_000_003, 7), Says.text("so").tokens(1, 1))
    called, answered = one.entries[:2]
    assert (called.kind, answered.kind) == ("ModelCalled", "ModelAnswered")
    assert Decimal(called.facts["reserved"]) >= Decimal("0.00004")
    assert answered.facts["usage"] == {"input": 1_000_003, "output": 7, "cache_read": 0, "cache_write": 0}
    assert Decimal(answered.facts["cost"]) == Decimal("0.1000031")
    assert answered.body == {"text": "", "calls": [{"id": "s1.1", "name": "look", "arguments": {"q": 1}}]}
    assert one.run is not None
    assert one.run.bounds.meter.spent == Decimal("0.1000031") + Decimal("0.0000005")


def test_budget_is_exact(job: Make) -> None:
    """A budget of exactly what the call can cost lets it be made; the least bit less does not (O58)."""
    bound = PRICE.at_most(len("system") + len("the task") + 16, 100)
    assert job(price=PRICE, budget=bound).go(Says.text("so")).state == "Done"
    assert job(price=PRICE, budget=bound - Decimal("0.00000001")).go(Says.text("so")).reason == "budget"


def test_budget_holds_over_turns(job: Make) -> None:
    """What was spent counts against the next call; the budget is never passed (O57, O58)."""
    budget = Decimal("0.001")
    one = job([act("look", lambda given: given["n"])], price=PRICE, budget=budget)
    ended = one.go(*[Says.tool("look", {"n": n}).tokens(1000, 100) for n in range(20)])
    assert (ended.state, ended.reason) == ("Failed", "budget")
    spent = sum(Decimal(entry.facts["cost"]) for entry in one.notes("ModelAnswered"))
    assert (spent <= budget, len(one.seen) > 1) == (True, True)
    assert len(one.notes("ModelCalled")) == len(one.seen)


def test_failed_call_is_noted(job: Make) -> None:
    """A call that failed has its end on the record, with what was said and no cost."""
    one = job(price=PRICE)
    one.go(Says.error("no route"))
    called, answered = one.entries
    assert (called.kind, answered.kind) == ("ModelCalled", "ModelAnswered")
    assert (answered.facts["ok"], answered.facts["cost"], answered.body) == (
        False,
        "0",
        {"error": "ConnectionError: no route"},
    )
    assert one.run is not None
    assert one.run.bounds.meter.spent == 0


def test_cut_call_costs_its_reservation(job: Make) -> None:
    """A call that was cancelled is charged at its reservation, on the record too."""
    asked = asyncio.Event()

    async def never(_: Request) -> Any:
        asked.set()
        await asyncio.Event().wait()

    one = job()

    async def go() -> None:
        run = one.make(model=ScriptedModel("slow", never, price=PRICE, max_output_tokens=100))
        task = asyncio.ensure_future(ask_model(run))
        await asked.wait()
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        assert str(run.bounds.meter.spent) == one.entries[0].facts["reserved"] == one.entries[1].facts["cost"]

    asyncio.run(go())


class Nonsense:
    """A client that answers what no client may."""

    async def whole(self, request: Request) -> Answer:
        return None  # type: ignore[return-value]  # that is the point

    async def stream(self, request: Request) -> AsyncIterator[TextPiece | Answer]:
        yield await self.whole(request)


def test_nonsense_ends_the_job(job: Make) -> None:
    """A client that answers nonsense ends the job as a failing model does."""
    ended = job().go(model=LlmModel("odd", Nonsense(), PRICE))
    assert (ended.state, ended.reason) == ("Failed", "model")


@pytest.mark.parametrize("text", ["\udce4 in a file name", "ok \ud800"])
def test_half_characters_end_nothing(job: Make, text: str) -> None:
    """A text with half a character, as a file name may hold, passes through both ways."""
    one = job([act("look", text)])
    ended = one.go(Says.tool("look", {"q": text}), Says.tool("look", text), Says.text(text))
    assert (ended.state, ended.result) == ("Done", text)


def test_answer_is_added_once(job: Make) -> None:
    """What the model says becomes part of the talk, and the turn is counted."""
    one = job()

    async def go() -> ModelMessage | Ended:
        return await ask_model(one.make(Says.text("hello")))

    assert asyncio.run(go()) == ModelMessage("hello")
    assert one.run is not None
    assert (one.run.bounds.turns, [message.text for message in one.run.talk.messages]) == (1, ["the task", "hello"])


def test_unpriced_model_costs_nothing_known(job: Make) -> None:
    """Without a price the tokens are counted and the cost stays 0 (O63)."""

    class Client:
        async def whole(self, request: Request) -> Answer:
            return Answer(ModelMessage("so"), Usage(input=5, output=6))

        async def stream(self, request: Request) -> AsyncIterator[TextPiece | Answer]:
            yield await self.whole(request)

    one = job(budget=Decimal("0.0001"))
    assert one.go(model=LlmModel("dark", Client())).state == "Done"
    assert (one.entries[1].facts["cost"], one.entries[1].facts["usage"]["output"]) == ("0", 6)
