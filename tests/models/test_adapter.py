"""From our words to those of pydantic-ai's models, and back."""

import asyncio
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any

import httpx2
import pytest
from pydantic_ai import exceptions as foreign
from pydantic_ai.messages import (
    ModelMessage as Theirs,
)
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from metier.domain.message import Answer, Message, ModelMessage, Request, ToolCall, ToolMessage, ToolSpec, UserMessage
from metier.domain.money import Usage
from metier.errors import ModelFailed
from metier.models.adapter import AdapterClient
from metier.models.conversation import MOST_KEPT, Conversation, Conversations, arguments_of, message_of
from metier.models.failures import failed

from .wires.clients import LANGUAGES, client
from .wires.server import Reply, Server
from .wires.speech import Said

ASK = [UserMessage("Look!")]
USED = RequestUsage(input_tokens=100, output_tokens=20, cache_read_tokens=60, cache_write_tokens=8)


def answer_of(response: ModelResponse | Exception, request: Request | None = None) -> Answer:
    """Our answer from a model of pydantic-ai that gives this response."""

    def respond(messages: list[Theirs], info: AgentInfo) -> ModelResponse:
        if isinstance(response, Exception):
            raise response
        return response

    return asyncio.run(AdapterClient(FunctionModel(respond)).whole(request or Request("s", ASK, [], 50)))


async def drained(stream: AsyncIterator[object]) -> list[object]:
    """All items of a stream."""
    return [item async for item in stream]


def test_any_model_of_theirs_serves() -> None:
    """Any model of pydantic-ai can be a client; tokens come in parts that do not overlap."""
    answer = answer_of(ModelResponse([TextPart("so"), ToolCallPart("look", '{"n": 1}', "c1")], usage=USED))
    assert answer == Answer(ModelMessage("so", (ToolCall("c1", "look", {"n": 1}),)), Usage(32, 20, 60, 8))


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ('{"a": [1, "é"]}', {"a": [1, "é"]}),
        ({"a": 1}, {"a": 1}),
        ("", {}),
        (None, {}),
        ('{"a": 1', '{"a": 1'),
        ("[1]", "[1]"),
        ("null", "null"),
        ('{"a": NaN}', '{"a": NaN}'),
        ('{"a": 1e400}', '{"a": 1e400}'),
        ({"a": [float("inf")]}, '{"a": [Infinity]}'),
        ('{"a": 0.12345678901234567890}', {"a": Decimal("0.12345678901234567890")}),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_arguments_are_data_or_text(said: Any, read: Any) -> None:
    """Arguments are JSON data; what is no JSON object stays the text that came (case 038)."""
    assert arguments_of(said) == read


def test_untold_usage_is_bounded() -> None:
    """A provider that tells no tokens is charged at an upper bound, never at nothing."""
    silent = ModelResponse([TextPart("x" * 70)], usage=RequestUsage(unmeasured_requests=1))
    usage = answer_of(silent, Request("s" * 10, ASK, [ToolSpec("look", "Looks.", {})], 50)).usage
    assert usage.input >= 10 + len("Look!") + len("lookLooks.{}")
    assert usage.output == 50


def test_filtered_answer_is_no_answer() -> None:
    """An answer that the provider's filter held back is a failure that another try does not mend."""
    with pytest.raises(ModelFailed, match="filter") as caught:
        answer_of(ModelResponse([], finish_reason="content_filter", usage=USED))
    assert (caught.value.again, caught.value.may_cost) == (False, True)


def test_conversation_is_converted_once() -> None:
    """A turn converts only what is new: all that was said before stays the very same objects."""
    talk: list[Message] = list(ASK)
    kept = Conversations(marks_failed=True)
    first = list(kept.converted("s", talk))
    response = ModelResponse([ToolCallPart("look", {}, "c1")])
    talk += [message_of(response), ToolMessage("c1", "look", "no", ok=False), UserMessage("Last turn.")]
    second = kept.converted("s", talk)
    assert second[0] is first[0]
    assert second[1] is response
    told = second[2]
    assert isinstance(told, ModelRequest)
    assert [type(part) for part in told.parts] == [ToolReturnPart, UserPromptPart]
    assert [getattr(part, "outcome", None) for part in told.parts] == ["failed", None]


def test_many_conversations_do_not_mix() -> None:
    """One client serves many conversations; one that was long not heard of is converted anew."""
    kept = Conversations(marks_failed=False)
    talks: list[list[Message]] = [[UserMessage(str(number))] for number in range(MOST_KEPT + 2)]
    for talk in [*talks, talks[0]]:
        (told,) = kept.converted("s", talk)
        assert [getattr(part, "content", "") for part in told.parts] == ["s", talk[0].text]


def test_messages_of_other_makers_are_told() -> None:
    """A conversation that another client began is told in full, calls without JSON too."""
    said = ModelMessage("so", (ToolCall("c1", "look", {"q": 1}), ToolCall("c2", "look", "{oops")))
    first, second = Conversation("s", [*ASK, said], marks_failed=False).catch_up()
    assert [type(part) for part in first.parts] == [SystemPromptPart, UserPromptPart]
    assert second.parts == [TextPart("so"), ToolCallPart("look", '{"q":1}', "c1"), ToolCallPart("look", "{oops", "c2")]


def test_kept_response_is_no_difference() -> None:
    """A message with its provider's response equals the same message without, both ways."""
    told = message_of(ModelResponse([TextPart("so")]))
    assert told == ModelMessage("so")
    assert ModelMessage("so") == told
    assert told != ModelMessage("other")
    assert "response" not in repr(told)


@pytest.mark.parametrize(
    ("error", "begun", "expected"),
    [
        (foreign.ModelRequestTimeout("m", 600), False, (True, True)),
        (httpx2.ConnectError("no route"), False, (True, False)),
        (httpx2.ReadError("gone"), False, (True, True)),
        (foreign.UnexpectedModelBehavior("odd"), False, (True, True)),
        (foreign.UserError("wrong"), False, (False, False)),
        (ValueError("ours"), False, (False, False)),
        (ValueError("ours"), True, (True, True)),
        (foreign.ModelQuotaExceededError("m", "no money"), False, (False, False)),
        (foreign.ModelHTTPError(429, "m", {"error": {"message": "slow"}}), False, (True, False)),
        (foreign.ModelHTTPError(413, "m", None), False, (False, False)),
    ],
)
def test_every_error_becomes_ours(error: Exception, begun: bool, expected: tuple[bool, bool]) -> None:
    """Whatever is raised says whether to try again and whether it may cost, in words that are not empty."""
    told = failed(error, begun=begun)
    assert (told.again, told.may_cost) == expected
    assert len(told.message) > len("The model did not answer: ")


@pytest.mark.parametrize(("header", "least"), [("7", 7.0), ("Fri, 31 Dec 2100 23:59:59 GMT", 1e9)])
def test_retry_after_is_read(header: str, least: float) -> None:
    """A wait comes in seconds or as a date, and is told in seconds."""
    told = failed(foreign.ModelHTTPError(429, "m", None, headers={"Retry-After": header}), begun=False)
    assert told.after is not None
    assert told.after >= least


def test_nobody_there_is_told() -> None:
    """An address where nobody listens may be tried again, costs nothing, and is hinted at."""

    async def ask() -> ModelFailed:
        async with Server() as server:
            url = server.url
        with pytest.raises(ModelFailed) as caught:
            await client(LANGUAGES[0], url).whole(Request("s", ASK, [], 50))
        return caught.value

    told = asyncio.run(ask())
    assert (told.again, told.may_cost) == (True, False)
    assert "address" in told.hint


@pytest.mark.parametrize("body", ["<html>gateway</html>", "", '{"choices": []}', '{"ok": true}', "null"])
def test_nonsense_is_told(body: str) -> None:
    """A service that answers nonsense is a failure of the model, never of ours."""

    async def ask() -> None:
        async with Server(Reply([body] * bool(body), headers={"Content-Type": "application/json"})) as server:
            await client(LANGUAGES[0], server.url).whole(Request("s", ASK, [], 50))

    with pytest.raises(ModelFailed):
        asyncio.run(ask())


def test_cancel_ends_the_request() -> None:
    """A cancelled request is cancelled, not failed, and leaves nothing open."""

    async def cancel() -> None:
        async with Server(Reply.of_events(LANGUAGES[0].stream(Said("words"))[:2], hangs=True)) as server:
            one = client(LANGUAGES[0], server.url)
            waiting = asyncio.ensure_future(drained(one.stream(Request("s", ASK, [], 50))))
            await server.asked.wait()
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting

    asyncio.run(cancel())
