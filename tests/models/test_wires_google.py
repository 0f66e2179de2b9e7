"""What only Google's wire has: no ids, endings of its own, a key refused with a 400, answers that its client would go on with."""

import asyncio
import base64
from typing import Any

import pytest

from metier.domain.message import Answer, ModelMessage, Request, ToolMessage, UserMessage
from metier.domain.money import Usage
from metier.errors import ModelFailed

from .test_wires import LOOK, TWO, WORDS, asked_stream, asked_whole, failing, request, streamed
from .wires.clients import client
from .wires.google_generate import DETAIL, Generate, chunk, refusal, told
from .wires.server import Reply, Server
from .wires.speech import event

GOOGLE = Generate()
TOKEN = base64.b64encode(b"where it was").decode()
EITHER = pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])


def reply(stream: bool, *events: Any) -> Reply:
    """These events in a stream, or the last of them as a whole answer."""
    return Reply.of_events([event(one) for one in events]) if stream else Reply.of_json(events[-1])


def answered(stream: bool, *events: Any) -> Answer:
    """What an answer of these events comes to."""
    if stream:
        return asyncio.run(asked_stream(GOOGLE, reply(stream, *events), request()))[1]
    return asyncio.run(asked_whole(GOOGLE, reply(stream, *events), request()))[0]


def failure(stream: bool, answer: Reply) -> ModelFailed:
    """How the request fails that is answered so; it was sent once."""
    failed, sent = asyncio.run(failing(GOOGLE, answer, stream=stream))
    assert sent == 1
    return failed


def ended(reason: str, *parts: Any) -> Any:
    """An answer that ended for this reason."""
    return chunk([*parts], told(0), finished=reason)


@EITHER
def test_calls_without_ids_get_some(stream: bool) -> None:
    """Older models give calls no ids: each call gets one of its own, under which its answer goes back."""

    async def twice() -> tuple[Answer, Any]:
        parts = [{"functionCall": {"name": "look", "args": {"q": q}}} for q in "ab"]
        said = reply(stream, chunk(parts, told(15), finished="STOP"))
        async with Server(said, Reply.of_json(GOOGLE.whole(WORDS))) as server:
            one, talk = client(GOOGLE, server.url), list[Any]([UserMessage("Look!")])
            asked = Request("s", talk, [LOOK], 321)
            answer = (await streamed(one, asked))[1] if stream else await one.whole(asked)
            talk += [answer.message, *[ToolMessage(call.id, "look", call.id) for call in answer.message.calls]]
            await one.whole(asked)
            return answer, server.received[1].body

    answer, body = asyncio.run(twice())
    ids = [call.id for call in answer.message.calls]
    assert [call.arguments for call in answer.message.calls] == [{"q": "a"}, {"q": "b"}]
    assert len({*ids, ""}) == 3
    assert GOOGLE.results(body) == [(one, one) for one in ids]


@EITHER
def test_tokens_are_counted_once(stream: bool) -> None:
    """Cached tokens are told apart from the prompt's, thoughts belong to the output, and a stream's counts are running totals (O60)."""
    bare = {"promptTokenCount": 100, "candidatesTokenCount": 15, "thoughtsTokenCount": 5, "totalTokenCount": 120}
    first, last = chunk([{"text": "a"}], told(3)), chunk([{"text": "b"}], bare, finished="STOP")
    # What an earlier event told and the last one leaves out still counts.
    assert answered(stream, first, last).usage == (Usage(40, 20, 60) if stream else Usage(100, 20))


def test_an_answer_is_not_gone_on_with() -> None:
    """An answer that could be continued is continued by nobody beneath the loop: one request is one request."""
    halves = chunk([{"text": "half"}], told(15), finished="CONTINUATION", continuationToken=TOKEN)
    answer, server = asyncio.run(asked_whole(GOOGLE, Reply.of_json(halves), request()))
    assert (answer.message.text, len(server.received)) == ("half", 1)


@pytest.mark.parametrize("cut", [True, False], ids=["broken", "ended"])
def test_a_stream_is_not_resumed(cut: bool) -> None:
    """A stream that breaks off, or ends without its end, is not resumed, though the provider gave a token for that."""
    begun = event(chunk([{"text": "half"}], told(3), continuationToken=TOKEN))
    failed = failure(True, Reply.of_events([begun], cut=cut))
    assert (failed.again, failed.may_cost) == (True, True)


@EITHER
@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "OTHER"])
def test_nothing_said_is_no_answer(reason: str, stream: bool) -> None:
    """An answer that ended empty because something went wrong is a failure that names the reason, and may be asked for again."""
    failed = failure(stream, reply(stream, ended(reason)))
    assert (failed.again, failed.may_cost) == (True, True)
    assert reason in failed.message


@EITHER
def test_words_of_an_odd_end_stay(stream: bool) -> None:
    """Words that ended for an unnamed reason are an answer: the stream has its end."""
    assert answered(stream, ended("OTHER", {"text": "So."})).message.text == "So."


@EITHER
def test_chosen_silence_is_an_answer(stream: bool) -> None:
    """A model that says nothing and stops has answered."""
    assert answered(stream, ended("STOP")) == Answer(ModelMessage(), Usage(40, 5, 60))


@EITHER
def test_blocked_prompts_are_told(stream: bool) -> None:
    """A prompt that the filter blocked brings no candidate; another try does not mend that."""
    blocked = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 100}}
    failed = failure(stream, reply(stream, blocked))
    assert (failed.again, "filter" in failed.message) == (False, True)


@EITHER
def test_refused_key_is_hinted_at(stream: bool) -> None:
    """Google refuses a key with a 400 and a reason; the hint names the variables all the same."""
    reason = {"@type": f"{DETAIL}ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}
    failed = failure(stream, Reply.of_json(refusal("API key not valid.", 400, reason), status=400))
    assert (failed.again, "GEMINI_API_KEY" in failed.hint) == (False, True)


def test_spent_quota_is_not_waited_for() -> None:
    """A 429 for the quota of a day is no call to wait some seconds, whatever it says beside."""
    spent = {"@type": f"{DETAIL}QuotaFailure", "violations": [{"quotaId": "GenerateRequestsPerDayPerProject-FreeTier"}]}
    wait = {"@type": f"{DETAIL}RetryInfo", "retryDelay": "7s"}
    failed = failure(False, Reply.of_json(refusal("You exceeded your quota.", 429, spent, wait), status=429))
    assert (failed.again, "quota" in failed.hint) == (False, True)


def test_tokens_not_told_are_bounded() -> None:
    """Without usage an upper bound stands in its place, never nothing."""
    said = {name: value for name, value in GOOGLE.whole(TWO).items() if name != "usageMetadata"}
    assert answered(False, said).usage.input > 100
