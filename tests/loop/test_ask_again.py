"""A request that is sent again, and an answer that comes in pieces."""

import asyncio
from collections.abc import AsyncIterator, Callable
from decimal import Decimal

import pytest

from metier.domain.message import Answer, ModelMessage, Request, TextPiece
from metier.domain.money import LlmPrice, Usage
from metier.errors import ModelFailed
from metier.loop.ask import TRIES
from metier.loop.loop import work
from metier.models.llm_model import LlmModel
from metier.record import MemoryLog
from metier.testing import ScriptedModel

from .conftest import Job

Make = Callable[..., Job]
PRICE = LlmPrice(Decimal(1), Decimal(1))
SO = Answer(ModelMessage("so many words"), Usage(5, 3))


class Flaky:
    """A client that fails in turn as it is told, then answers; it streams word by word."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.asked = 0

    async def whole(self, request: Request) -> Answer:
        self.asked += 1
        if self.failures:
            raise self.failures.pop(0)
        return SO

    async def stream(self, request: Request) -> AsyncIterator[TextPiece | Answer]:
        answer = await self.whole(request)
        for word in answer.message.text.split():
            yield TextPiece(word)
        yield answer


def busy(*, may_cost: bool = False) -> ModelFailed:
    """A failure that is worth another try, at once."""
    return ModelFailed("busy", again=True, after=0, may_cost=may_cost)


def model(client: Flaky) -> LlmModel:
    """A priced model over a client."""
    return LlmModel("flaky", client, PRICE, max_output_tokens=100)


def test_what_may_pass_is_tried_again(job: Make) -> None:
    """A failure that may pass is sent again; it stays one turn, and each try has its two entries."""
    one, client = job(), Flaky(busy(), busy())
    ended = one.go(model=model(client))
    assert (ended.state, client.asked) == ("Done", 3)
    assert one.run is not None
    assert (one.run.bounds.turns, one.kinds) == (1, ["ModelCalled", "ModelAnswered"] * 3)
    assert [entry.facts.get("try") for entry in one.notes("ModelCalled")] == [None, 2, 3]
    assert one.run.bounds.meter.spent == PRICE.of(SO.usage)


def test_tries_have_an_end(job: Make) -> None:
    """A model that stays busy ends the job after the last try, with its words."""
    client = Flaky(*(busy() for _ in range(10)))
    ended = job().go(model=model(client))
    assert (ended.state, ended.reason, client.asked) == ("Failed", "model", TRIES)
    assert "busy" in ended.text


def test_other_failures_are_not_tried_again(job: Make) -> None:
    """What will fail again is not sent again."""
    client = Flaky(ModelFailed("wrong key"))
    assert (job().go(model=model(client)).reason, client.asked) == ("model", 1)


def test_tries_stay_in_the_budget(job: Make) -> None:
    """A try that may have cost is charged whole, and the next one is made only if the budget still holds it (O58)."""
    one, client = job(budget=Decimal("0.000300")), Flaky(*(busy(may_cost=True) for _ in range(3)))
    ended = one.go(model=model(client))
    assert (ended.reason, client.asked) == ("budget", 2)
    assert one.run is not None
    assert one.run.bounds.meter.spent == sum(Decimal(entry.facts["cost"]) for entry in one.notes("ModelAnswered"))


def test_waiting_for_a_try_can_be_cancelled(job: Make) -> None:
    """While it waits to try again the job can be stopped, and nothing is asked afterwards."""
    client = Flaky(ModelFailed("busy", again=True, after=60))

    async def go() -> None:
        failed = asyncio.Event()
        one = job(log=MemoryLog("t", watch=lambda entry: failed.set() if entry.kind == "ModelAnswered" else None))
        task = asyncio.ensure_future(work(one.make(model=model(client))))
        await failed.wait()
        task.cancel()
        await asyncio.wait([task])
        assert (task.cancelled(), client.asked) == (True, 1)

    asyncio.run(go())


def test_text_is_heard_as_it_comes(job: Make) -> None:
    """Who listens hears each piece, and the answer is the same whole one (O62)."""
    heard: list[str] = []
    one = job(hear=heard.append)
    assert (one.go(model=model(Flaky())).result, heard) == ("so many words", ["so", "many", "words"])


def test_cut_stream_is_charged(job: Make) -> None:
    """A stream that is cut ends the job, and is charged at its reservation where it may have cost."""

    class Cut(Flaky):
        async def stream(self, request: Request) -> AsyncIterator[TextPiece | Answer]:
            yield TextPiece("so")
            raise ModelFailed("the line is cut", may_cost=True)

    one = job(hear=lambda _: None)
    assert one.go(model=model(Cut())).reason == "model"
    assert one.run is not None
    assert one.run.bounds.meter.spent == Decimal(one.entries[0].facts["reserved"])


@pytest.mark.parametrize("answer", [None, "so", ModelMessage("so")])
def test_odd_clients_are_told(job: Make, answer: object) -> None:
    """A client that answers something else than an answer ends the job, and it is said what it was."""

    class Odd(Flaky):
        async def whole(self, request: Request) -> Answer:
            return answer  # type: ignore[return-value]  # that is the point

    ended = job().go(model=model(Odd()))
    assert (ended.reason, type(answer).__name__ in ended.text) == ("model", True)


def test_scripted_models_are_heard_too(job: Make) -> None:
    """A script's words come one by one where somebody listens."""
    heard: list[str] = []
    job(hear=heard.append).go(model=ScriptedModel("test", lambda _: SO))
    assert heard == ["so ", "many ", "words"]
