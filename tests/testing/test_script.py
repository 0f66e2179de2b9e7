"""A model's part, written down."""

import pytest

from metier.domain.message import Message, ModelMessage, Request, ToolCall, UserMessage
from metier.domain.money import Usage
from metier.testing import AgentScript, Says


def request(*answers: ModelMessage) -> Request:
    """A request that holds these answers already."""
    messages: list[Message] = [UserMessage("the task"), *answers]
    return Request("", messages, [], 100)


def test_steps_are_taken_in_order() -> None:
    """Each time it is asked the script is one step further, told by the answers that the request holds (O112)."""
    script = AgentScript.of(Says.text("one"), Says.text("two"))
    assert script.answer(request()).message.text == "one"
    assert script.answer(request(ModelMessage("one"))).message.text == "two"
    assert script.answer(request()).message.text == "one"


def test_calls_have_ids_of_their_own() -> None:
    """Every call of a script has its own id."""
    script = AgentScript.of(Says.many(Says.text("a"), Says.tool("look", {"q": 1}), Says.tool("find"), Says.text("b")))
    message = script.answer(request()).message
    assert message.text == "a b"
    assert message.calls == (ToolCall("s1.1", "look", {"q": 1}), ToolCall("s1.2", "find", {}))


def test_results_are_handed_back() -> None:
    """Handing back is a call of `hand_back`, and a text stands for arguments that are no JSON (O21)."""
    assert Says.hand_back({"n": 1}).calls == (("hand_back", {"n": 1}),)
    assert Says.tool("look", "{").calls == (("look", "{"),)


def test_tokens_are_as_written() -> None:
    """A step is reported to have used what it says."""
    assert AgentScript.of(Says.text("a").tokens(5, 6)).answer(request()).usage == Usage(5, 6)


def test_client_may_fail() -> None:
    """A step may be a failing client."""
    with pytest.raises(ConnectionError, match="no route"):
        AgentScript.of(Says.error("no route")).answer(request())


def test_script_has_an_end() -> None:
    """A script that is asked too often says so."""
    with pytest.raises(AssertionError, match="has 1 steps and was asked for step 2"):
        AgentScript.of(Says.text("a")).answer(request(ModelMessage("a")))
