"""A script in a model's place."""

import asyncio

import pytest

from metier.domain.message import Answer, ModelMessage, Request, TextPiece, ToolCall, ToolMessage, UserMessage
from metier.domain.money import FREE, LlmPrice, Usage
from metier.models.scripted import Answering, ScriptedModel

REQUEST = Request("s" * 40, [UserMessage("u" * 40), ToolMessage("a", "look", "t" * 40)], [], 100)


def answered(answering: Answering) -> Answer:
    """What the model answers."""
    return asyncio.run(ScriptedModel("test", answering).whole(REQUEST))


def test_it_is_its_own_client() -> None:
    """It can be listed as a model or given as a client, and always knows its price (O111)."""
    model = ScriptedModel("test", lambda _: ModelMessage("so"))
    assert model.client is model
    assert (model.name, model.price, model.scripted, model.max_output_tokens) == ("test", FREE, True, 1000)
    assert ScriptedModel("test", lambda _: ModelMessage("so"), price=LlmPrice(1, 2)).price == LlmPrice(1, 2)  # type: ignore[arg-type]  # whole numbers are read as decimals


def test_usage_is_estimated() -> None:
    """A script that reports no tokens has them estimated from the lengths, and never as none."""
    usage = answered(lambda _: ModelMessage("w" * 40, (ToolCall("a", "look", {}),))).usage
    assert 30 <= usage.input <= 35
    assert 11 <= usage.output <= 13
    assert answered(lambda _: ModelMessage()).usage.output >= 1


def test_reported_usage_stays() -> None:
    """A script that reports its tokens is believed."""
    said = Answer(ModelMessage("so"), Usage(5, 6))
    assert answered(lambda _: said) is said


def test_script_may_be_async() -> None:
    """An async script is awaited."""

    async def later(_: Request) -> ModelMessage:
        await asyncio.sleep(0)
        return ModelMessage("later")

    assert answered(later).message.text == "later"


def test_stream_ends_with_the_whole() -> None:
    """A stream gives the words and then the whole answer (O62)."""

    async def pieces() -> list[TextPiece | Answer]:
        model = ScriptedModel("test", lambda _: ModelMessage("two words"))
        return [piece async for piece in model.stream(REQUEST)]

    *words, last = asyncio.run(pieces())
    assert words == [TextPiece("two "), TextPiece("words")]
    assert isinstance(last, Answer)
    assert last.message.text == "two words"


def test_failure_is_raised() -> None:
    """What the script raises is what its client raises."""

    def fail(_: Request) -> ModelMessage:
        raise ConnectionError("no route")

    with pytest.raises(ConnectionError, match="no route"):
        answered(fail)
