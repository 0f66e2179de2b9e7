"""How is the model asked once, and paid for?

Reserve the most it can cost, ask, settle what it did cost. A call that was cut is charged at its reservation.
"""

import asyncio
import time
from decimal import Decimal
from typing import Any

from ..domain.message import Answer, ModelMessage
from ..domain.money import Dollars
from ..domain.task import Ended
from .run import Run


async def ask_model(run: Run) -> ModelMessage | Ended:
    """The model's next message, or the end that a limit or the model's failure makes."""
    model, meter, talk = run.model, run.bounds.meter, run.talk
    reserved = meter.reserve(talk.at_most(), model.max_output_tokens)
    if reserved is None:
        return _no_money(run)
    request = talk.request(max_output_tokens=model.max_output_tokens, must_call=run.must_call)
    run.must_call = None
    run.bounds.turns += 1
    run.log.note("ModelCalled", {"turn": run.bounds.turns, "model": model.name, "reserved": str(reserved)})
    started = time.perf_counter()
    try:
        answer = await model.client.whole(request)
    except asyncio.CancelledError:
        _note_failed(run, started, cost=meter.forfeit(reserved), error="cut: charged at its reservation")
        raise
    except Exception as error:  # noqa: BLE001 - whatever a client raises ends the job with its words, never the runtime
        meter.release(reserved)
        said = f"{type(error).__name__}: {error}"
        _note_failed(run, started, cost=Decimal(0), error=said)
        return Ended("Failed", "model", f"the model {model.name} failed: {said}")
    _note_answered(run, answer, started, cost=meter.settle(reserved, answer.usage))
    talk.said(answer.message, answer.usage)
    return answer.message


def _no_money(run: Run) -> Ended:
    meter = run.bounds.meter
    need = run.talk.at_most()
    return Ended(
        "Failed",
        "budget",
        f"the next model call could pass the budget of ${meter.budget} (${meter.spent} spent; it sends up to {need} tokens)",
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
