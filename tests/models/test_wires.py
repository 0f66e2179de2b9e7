"""Four wires of three providers, each through its real client: whole, streamed, two calls, cut arguments, and what goes wrong."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from metier.domain.message import Answer, Request, TextPiece, ToolMessage, ToolSpec, UserMessage
from metier.domain.ports import Client
from metier.errors import ModelFailed

from .wires.clients import client, on_each_wire
from .wires.server import Reply, Server
from .wires.speech import KEY, Language, Said

SCHEMA = {
    "type": "object",
    "properties": {
        "q": {"type": "string", "minLength": 1, "description": "What to look for."},
        "n": {"type": "integer"},
    },
    "required": ["q"],
}
LOOK = ToolSpec("look", "Looks for something.", SCHEMA)
KEEP = ToolSpec("keep", "Keeps it.", {"type": "object", "properties": {}})
KEY_HEADERS = ("authorization", "x-api-key", "x-goog-api-key")
WORDS = Said("Straße and 海, then an end.")
CALL = Said("Looking.", (("call_1", "look", '{"q": "a \\"b\\" \\u00e9 海", "n": 12345678}'),))
TWO = Said("", (("call_1", "look", '{"q": "a"}'), ("call_2", "look", '{"q": "b"}')))


def request(*messages: Any, **changed: Any) -> Request:
    """A first request, or one with more said."""
    return replace(Request("Be brief.", [UserMessage("Look!"), *messages], [LOOK, KEEP], 321), **changed)


async def streamed(one: Client, asked: Request) -> tuple[str, Answer]:
    """The pieces of a stream together, and its last item."""
    *pieces, last = [item async for item in one.stream(asked)]
    assert isinstance(last, Answer)
    return "".join(piece.text for piece in pieces if isinstance(piece, TextPiece)), last


async def asked_whole(language: Language, reply: Reply, asked: Request) -> tuple[Answer, Server]:
    """One whole answer, and the server that gave it."""
    async with Server(reply) as server:
        return await client(language, server.url).whole(asked), server


async def asked_stream(language: Language, reply: Reply, asked: Request) -> tuple[str, Answer, Server]:
    """One streamed answer, and the server that gave it."""
    async with Server(reply) as server:
        return *await streamed(client(language, server.url), asked), server


async def failing(language: Language, reply: Reply, *, stream: bool = False) -> tuple[ModelFailed, int]:
    """How a request fails, and how many requests were sent for it."""
    async with Server(reply) as server:
        one = client(language, server.url)
        with pytest.raises(ModelFailed) as caught:
            await (streamed(one, request()) if stream else one.whole(request()))
        return caught.value, len(server.received)


@on_each_wire
def test_whole_answer_is_exact(language: Language) -> None:
    """A whole answer comes as it was said, with its tokens in parts that do not overlap (O62)."""
    answer, server = asyncio.run(asked_whole(language, Reply.of_json(language.whole(CALL)), request()))
    assert answer == CALL.answer
    assert server.received[0].path == language.path


@on_each_wire
def test_request_holds_what_was_asked(language: Language) -> None:
    """The provider gets the tools with their schemas as they are, the system text, the limit and the key."""
    _, server = asyncio.run(asked_whole(language, Reply.of_json(language.whole(WORDS)), request()))
    (received,) = server.received
    tools = [(tool.name, tool.description, tool.parameters) for tool in (LOOK, KEEP)]
    assert language.tools(received.body) == tools
    assert language.max_tokens(received.body) == 321
    assert language.forced(received.body) is None
    assert b"Be brief." in received.raw
    assert b"Look!" in received.raw
    assert KEY in {key for name in KEY_HEADERS for key in received.headers.get(name, "").split()}


@on_each_wire
def test_stream_comes_in_pieces(language: Language) -> None:
    """A streamed answer gives its text as it comes, then the same whole answer (O62)."""
    reply = Reply.of_events(language.stream(WORDS))
    text, answer, server = asyncio.run(asked_stream(language, reply, request()))
    assert (text, answer) == (WORDS.text, WORDS.answer)
    assert language.streamed(server.received[0])


@on_each_wire
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_two_calls_keep_their_ids(language: Language, stream: bool) -> None:
    """Two calls of one answer come both, in order, each with the provider's id."""
    if stream:
        _, answer, _ = asyncio.run(asked_stream(language, Reply.of_events(language.stream(TWO)), request()))
    else:
        answer, _ = asyncio.run(asked_whole(language, Reply.of_json(language.whole(TWO)), request()))
    assert answer == TWO.answer


@on_each_wire
def test_cut_arguments_are_joined(language: Language) -> None:
    """Arguments that come in pieces, cut within tokens and escapes, are joined before they are read."""
    text, answer, _ = asyncio.run(asked_stream(language, Reply.of_events(language.stream(CALL)), request()))
    assert (text, answer) == ("Looking.", CALL.answer)


@on_each_wire
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_busy_provider_is_not_asked_again(language: Language, stream: bool) -> None:
    """A 429 says how long to wait, costs nothing, and is tried again by nobody beneath the loop."""
    failed, sent = asyncio.run(failing(language, language.busy("slow down", "7"), stream=stream))
    assert (failed.again, failed.after, failed.may_cost, sent) == (True, 7.0, False, 1)
    assert "429 slow down" in failed.message


@on_each_wire
@pytest.mark.parametrize("cut", [True, False], ids=["broken", "ended"])
def test_cut_stream_gives_no_answer(language: Language, cut: bool) -> None:
    """A stream that breaks, or ends without its end, is no answer; it may cost, and may be asked for again."""
    events = language.stream(CALL)
    failed, sent = asyncio.run(failing(language, Reply.of_events(events[: len(events) - 4], cut=cut), stream=True))
    assert (failed.again, failed.may_cost, sent) == (True, True, 1)
    assert "cut off" in failed.message


@on_each_wire
def test_error_after_half_a_call(language: Language) -> None:
    """An error in the middle of a call leaves nothing of the call; it may cost, and may be asked for again."""
    events = language.stream(CALL)
    half = [*events[: len(events) // 2 + 3], language.error_event()]
    failed, sent = asyncio.run(failing(language, Reply.of_events(half), stream=True))
    assert (failed.again, failed.may_cost, sent) == (True, True, 1)
    assert "overloaded" in failed.message


@on_each_wire
def test_answers_go_back_by_id(language: Language) -> None:
    """The answers to calls go back under the provider's ids, whatever they hold, and a named tool can be demanded."""
    told: list[Any] = [ToolMessage("call_1", "look", "found\n<b>", True), ToolMessage("call_2", "look", "no", False)]
    asked = request(TWO.answer.message, *told, must_call="keep")
    _, server = asyncio.run(asked_whole(language, Reply.of_json(language.whole(WORDS)), asked))
    body = server.received[0].body
    assert language.results(body) == [("call_1", "found\n<b>"), ("call_2", "no")]
    assert language.forced(body) == "keep"
    assert len(language.tools(body)) == 2


@on_each_wire
def test_what_a_provider_seals_goes_back(language: Language) -> None:
    """What a provider wants back and we have no word for, such as a signature, goes back as it came."""

    async def twice() -> str:
        async with Server(*[Reply.of_json(language.whole(CALL))] * 2) as server:
            one, talk = client(language, server.url), list[Any]([UserMessage("Look!")])
            answer = await one.whole(request(messages=talk))
            talk += [answer.message, ToolMessage("call_1", "look", "found")]
            await one.whole(request(messages=talk))
            return server.received[1].raw.decode()

    assert language.sealed in asyncio.run(twice())


@on_each_wire
@pytest.mark.parametrize("status", [400, 401, 403, 404, 500, 503])
def test_statuses_are_told_apart(language: Language, status: int) -> None:
    """A fault of the request stays one; a fault of the service may pass; a refused key names its variable, never itself."""
    reply = Reply.of_json(language.error(f"no: {KEY}", status), status=status)
    failed, sent = asyncio.run(failing(language, reply))
    assert (failed.again, failed.may_cost, sent) == (status >= 500, False, 1)
    assert KEY not in str(failed)
    assert failed.__cause__ is None
    if status in (401, 403):
        assert "_API_KEY" in failed.hint
