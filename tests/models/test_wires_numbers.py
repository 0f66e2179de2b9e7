"""Numbers of many digits over the wires whose arguments travel as text."""

import asyncio
import json
from decimal import Decimal

import pytest

from metier.domain.message import Answer, Message, ModelMessage, Request, ToolMessage, ToolSpec, UserMessage
from metier.models.conversation import Told

from .wires.clients import LANGUAGES, client
from .wires.server import Received, Reply, Server
from .wires.speech import Language, Said

LONG = "0.12345678901234567890123"
SAID = Said("", (("call_1", "put", f'{{"n": {LONG}, "m": 1.5}}'),))
PUT = ToolSpec("put", "Puts.", {"type": "object", "properties": {"n": {"type": "number"}, "m": {"type": "number"}}})
AS_TEXT = pytest.mark.parametrize("language", LANGUAGES[:2], ids=lambda one: one.path)


def asked(language: Language, messages: list[Message], *, stream: bool = False) -> tuple[Answer, Received]:
    """The answer to these messages, and the request."""

    async def go() -> tuple[Answer, Received]:
        reply = Reply.of_events(language.stream(SAID)) if stream else Reply.of_json(language.whole(SAID))
        async with Server(reply) as server:
            one, request = client(language, server.url), Request("s", messages, [PUT], 50)
            if not stream:
                return await one.whole(request), server.received[0]
            *_, answer = [piece async for piece in one.stream(request)]
            assert isinstance(answer, Answer)
            return answer, server.received[0]

    return asyncio.run(go())


@AS_TEXT
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_digits_arrive(language: Language, stream: bool) -> None:
    """A number that no float keeps arrives with all its digits; one that a float keeps stays a float (O34)."""
    answer, _ = asked(language, [UserMessage("go")], stream=stream)
    assert answer.message.calls[0].arguments == {"n": Decimal(LONG), "m": 1.5}


@AS_TEXT
@pytest.mark.parametrize("told", [True, False], ids=["its own answer", "from the record"])
def test_numbers_go_back_as_numbers(language: Language, told: bool) -> None:
    """Told to the model again it is a number, never a text, and the same one when the answer is read from the record.

    pydantic-ai reads what it sends, so there it has the digits that a float keeps.
    """
    answer, _ = asked(language, [UserMessage("go")])
    assert isinstance(answer.message, Told)
    said = answer.message if told else ModelMessage(answer.message.text, answer.message.calls)
    _, received = asked(language, [UserMessage("go"), said, ToolMessage(said.calls[0].id, "put", "done")])
    (arguments,) = [one for one in _texts(received.body) if LONG[:12] in one]
    assert json.loads(arguments) == {"n": float(LONG), "m": 1.5}


def _texts(value: object) -> list[str]:
    """All texts in JSON data."""
    if isinstance(value, dict | list):
        inside: list[object] = list(value.values() if isinstance(value, dict) else value)
        return [text for one in inside for text in _texts(one)]
    return [value] if isinstance(value, str) else []
