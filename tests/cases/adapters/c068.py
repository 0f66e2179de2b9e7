"""Are the tokens of a stream counted once, and never as none?

differs = "a stream that was cut has no tokens on the record: it is charged whole at its reservation, which is never less than
what it used, and its entry says so"
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from metier.app.metier import Metier
from metier.domain.money import LlmPrice, Usage
from metier.domain.ports import Model
from metier.domain.receipt import Receipt
from metier.domain.skill import Job, SkillSpec
from metier.models.llm_model import LlmModel
from metier.models.wire import model_named

from ...models.wires.server import Reply, Server
from ...models.wires.speech import KEY, event
from ..case import Case, Happened

PRICE = LlmPrice(Decimal(10), Decimal(30))
KEYS = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
FRAME = {"id": "chatcmpl-1", "created": 1, "model": "m", "object": "chat.completion.chunk"}
EXPECTED = {
    "cumulative": Usage(140, 21),
    "final_only": Usage(80, 9),
    "none": "more than nothing",
    "broken_off": {"enough": True, "partial": "cut: charged at its reservation", "state": "Stopped"},
}


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream of the case on the wire of a provider that counts so."""

    name: str
    events: Sequence[str]
    hangs: bool = False


def happens(case: Case, folder: Path) -> Happened:
    """Each stream by the wire of the provider that reports like it: running totals are Anthropic's, one total OpenAI's."""
    told = case.read("streams.json")
    final, none = (_chat(told[name]) for name in ("final_only", "none"))
    facts: dict[str, Any] = {
        "cumulative": _played(Stream("anthropic:m@{}", _messages(told["cumulative"])), folder).usage,
        "final_only": _played(Stream("openai:m@{}/v1", final), folder).usage,
        "none": _amount(_played(Stream("openai:m@{}/v1", none), folder).usage),
        "broken_off": _cut(told["broken_off"], folder),
    }
    return Happened("ok", facts=facts)


def _messages(told: Sequence[Any], *, ends: bool = True) -> list[str]:
    """Events that report running totals, in the language that has such."""
    first, *more = told
    usage = {"input_tokens": first["usage"]["input"], "output_tokens": first["usage"]["output"]}
    start: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
    }
    made: list[Any] = [
        {"type": "message_start", "message": {**start, "stop_sequence": None, "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "hi"}},
        {"type": "content_block_stop", "index": 0},
    ]
    for place, one in enumerate(more, 1):
        stop = "end_turn" if ends and place == len(more) else None
        delta = {"stop_reason": stop, "stop_sequence": None}
        made.append(
            {"type": "message_delta", "delta": delta, "usage": {"output_tokens": one["usage_so_far"]["output"]}}
        )
    return [event(one, named=True) for one in [*made, *([{"type": "message_stop"}] if ends else [])]]


def _chat(told: Sequence[Any]) -> list[str]:
    """Events that report one total at the end, or nothing."""
    made: list[Any] = []
    for one in told:
        if "text" in one:
            choices: list[Any] = [{"index": 0, "delta": {"content": one["text"]}, "finish_reason": None}]
            made += [
                {**FRAME, "choices": choices},
                {**FRAME, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
            ]
            continue
        prompt, answered = one["usage"]["input"], one["usage"]["output"]
        usage = {"prompt_tokens": prompt, "completion_tokens": answered, "total_tokens": prompt + answered}
        made.append({**FRAME, "choices": [], "usage": usage})
    return [*map(event, made), "data: [DONE]\n\n"]


def _model(name: str) -> Model:
    model = model_named(name, environment=KEYS, max_output_tokens=100)
    assert isinstance(model, LlmModel)
    return replace(model, price=PRICE)


def _played(stream: Stream, folder: Path) -> Receipt:
    async def go() -> Receipt:
        async with Server(Reply.of_events(stream.events)) as server:
            model = _model(stream.name.format(server.url))
            async with Metier(project=folder, record=False, model=model) as app:
                return await app.arun(SkillSpec("job", "Say hi.", job=Job()), hear=lambda _: None)

    receipt = asyncio.run(go())
    assert receipt.result == "hi"
    return receipt


def _amount(usage: Usage) -> str:
    return "more than nothing" if usage.sent > 0 and usage.output > 0 else "nothing"


def _cut(told: Sequence[Any], folder: Path) -> dict[str, Any]:
    """What the account holds of a task that was stopped after these events, while the stream was open."""

    async def go() -> dict[str, Any]:
        events = _messages(told, ends=False)
        async with Server(Reply.of_events(events, hangs=True)) as server:
            model = _model(f"anthropic:m@{server.url}")
            async with Metier(project=folder, record=False, model=model) as app:
                heard = asyncio.Event()
                skill = SkillSpec("job", "Say hi.", job=Job())
                work = asyncio.ensure_future(app.arun(skill, hear=lambda _: heard.set()))
                await asyncio.wait_for(heard.wait(), 30)
                work.cancel()
                await asyncio.wait([work])
                return _account(app)

    return asyncio.run(go())


def _account(app: Metier) -> dict[str, Any]:
    (row,) = app.tasks()
    receipt = app.receipt(row.id)
    answered = [entry for entry in app.record.entries(row.id) if entry.kind == "ModelAnswered"]
    enough = receipt.cost >= PRICE.of(Usage(140, 9))
    return {"enough": enough, "partial": (answered[-1].body or {})["error"], "state": receipt.state}
