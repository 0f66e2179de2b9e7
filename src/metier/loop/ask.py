"""How is the model asked once, and paid for?

Reserve the most it can cost, ask, settle what it did cost. A call that was cut is charged at its reservation. What may be
answered when it is sent again is sent again, each try with a reservation of its own.
"""

import asyncio
import random
import time
from typing import Any

from ..domain.message import Answer, ModelMessage, Request, TextPiece
from ..domain.money import Dollars
from ..domain.task import Ended
from ..errors import ModelFailed
from .run import Run

TRIES = 4
"""The most times that one request is sent."""

FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0
"""Seconds between two tries, where the provider names none: up to the double of the last each time, by chance."""


async def ask_model(run: Run) -> ModelMessage | Ended:
    """The model's next message, or the end that a limit or the model's failure makes."""
    request = run.talk.request(max_output_tokens=run.model.max_output_tokens, must_call=run.must_call)
    run.must_call = None
    run.bounds.turns += 1
    earlier, run.tried = run.tried, 0
    tries = max(1, TRIES - earlier)  # those of a run that was cut count too
    for tried in range(1, tries + 1):
        answer = await _try(run, request, earlier + tried)
        if isinstance(answer, Answer):
            run.talk.said(answer.message, answer.usage)
            return answer.message
        if isinstance(answer, Ended):
            return answer
        if not answer.again or tried == tries:
            return Ended("Failed", "model", f"the model {run.model.name} failed: {answer}")
        await asyncio.sleep(_wait(answer, earlier + tried))
    raise AssertionError("the last try answers")  # pragma: no cover


async def _try(run: Run, request: Request, tried: int) -> Answer | ModelFailed | Ended:
    """One request to the provider, with its reservation and its two entries."""
    model, meter = run.model, run.bounds.meter
    if meter.off:
        return Ended("Failed", "spend_off", "spending is switched off for the whole app")
    reserved = meter.reserve(run.talk.at_most(), model.max_output_tokens)
    if reserved is None:
        return _no_money(run)
    facts: dict[str, Any] = {"turn": run.bounds.turns, "model": model.name, "reserved": str(reserved)}
    if request.must_call is not None:
        facts["must_call"] = request.must_call
    run.log.note("ModelCalled", facts if tried == 1 else {**facts, "try": tried})
    started = time.perf_counter()
    try:
        answer = await _answer(run, request)
    except asyncio.CancelledError:
        _note_failed(run, started, cost=meter.forfeit(reserved), error="cut: charged at its reservation")
        raise
    except Exception as error:  # noqa: BLE001 - whatever a client raises ends the job with its words, never the runtime
        failed = error if isinstance(error, ModelFailed) else ModelFailed(f"{type(error).__name__}: {error}")
        cost = meter.forfeit(reserved) if failed.may_cost else meter.release(reserved)
        _note_failed(run, started, cost=cost, error=str(failed))
        return failed
    _note_answered(run, answer, started, cost=meter.settle(reserved, answer.usage))
    return answer


async def _answer(run: Run, request: Request) -> Answer:
    """The whole answer; where somebody listens, its text as it comes."""
    client = run.model.client
    if run.hear is None:
        return _checked(await client.whole(request))
    answer: Answer | None = None
    async for item in client.stream(request):
        if isinstance(item, TextPiece):
            run.hear(item.text)
        else:
            answer = _checked(item)
    if answer is None:
        raise ModelFailed("the stream ended without an answer", again=True, may_cost=True)
    return answer


def _checked(answer: object) -> Answer:
    """The answer, if it is one: clients are code of others too."""
    if not isinstance(answer, Answer):
        raise ModelFailed(f"its client answered a {type(answer).__name__}, which is no Answer")
    return answer


def _wait(failed: ModelFailed, tried: int) -> float:
    if failed.after is not None:
        return min(failed.after, LONGEST_WAIT)
    # By chance, so that many tasks that failed together do not come again together.
    return random.uniform(0, min(FIRST_WAIT * 2**tried, LONGEST_WAIT))  # noqa: S311 - nothing secret hangs on it


def _no_money(run: Run) -> Ended:
    budget, gone = run.bounds.meter.tightest
    need = run.talk.at_most()
    return Ended(
        "Failed",
        "budget",
        f"the next model call could pass the budget of ${budget} (${gone} spent; it sends up to {need} tokens)",
    )


def _note_answered(run: Run, answer: Answer, started: float, *, cost: Dollars) -> None:
    usage, message = answer.usage, answer.message
    facts: dict[str, Any] = {
        "turn": run.bounds.turns,
        "ok": True,
        "seconds": round(time.perf_counter() - started, 6),
        "usage": {
            "input": usage.input,
            "output": usage.output,
            "cache_read": usage.cache_read,
            "cache_write": usage.cache_write,
        },
        "cost": str(cost),
    }
    calls = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in message.calls]
    run.log.note("ModelAnswered", facts, {"text": message.text, "calls": calls})


def _note_failed(run: Run, started: float, *, cost: Dollars, error: str) -> None:
    seconds = round(time.perf_counter() - started, 6)
    facts = {"turn": run.bounds.turns, "ok": False, "seconds": seconds, "cost": str(cost)}
    run.log.note("ModelAnswered", facts, {"error": error})
