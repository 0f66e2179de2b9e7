"""The conversation, and the upper bound of the next request."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.domain.message import Message, ModelMessage, ToolCall, ToolMessage, ToolSpec
from metier.domain.money import Usage
from metier.errors import TaskError
from metier.loop.talk import Talk

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.text('"\\\n', max_size=40)
ARGUMENTS = st.dictionaries(TEXT, TEXT | st.integers() | st.none() | st.lists(TEXT, max_size=3), max_size=3)
CALLS = st.lists(st.tuples(TEXT, ARGUMENTS | TEXT), max_size=3)
TURNS = st.lists(st.tuples(TEXT, CALLS, TEXT), max_size=4)


def talk() -> Talk:
    """A talk that has begun."""
    begun = Talk(system="system", tools=[ToolSpec("look", "Looks.", {"type": "object"})])
    begun.tell("the task")
    return begun


def length(message: Message) -> int:
    """The UTF-8 bytes of what a message says: its text, and its calls by name and arguments."""
    said = [message.text]
    if isinstance(message, ToolMessage):
        said.append(message.name)
    if isinstance(message, ModelMessage):
        for call in message.calls:
            written = (
                call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
            )
            said += [call.name, written]
    return len("".join(said).encode())


def take(one: Talk, turns: list[tuple[str, list[tuple[str, Any]], str]], usage: Callable[[int], Usage]) -> None:
    """Lead a talk through some turns; `usage` is what the model reports of a request that held so many bytes."""
    for nth, (words, calls, answer) in enumerate(turns):
        held = len(one.system) + sum(map(length, one.messages))
        asked = tuple(ToolCall(f"{nth}.{place}", name, given) for place, (name, given) in enumerate(calls))
        one.said(ModelMessage(words, asked), usage(held))
        for call in asked:
            one.answer(call.id, call.name, answer, ok=True)
        one.tell(answer)


@given(turns=TURNS)
def test_bytes_bound_the_tokens(turns: list[tuple[str, list[tuple[str, Any]], str]]) -> None:
    """The bound is never below one token for each byte of what the next request says, for a model that reports so (O58)."""
    one = talk()
    tools = length(ModelMessage("lookLooks." + json.dumps({"type": "object"}, separators=(",", ":"))))
    assert one.at_most() >= len("system") + tools + len("the task")
    take(one, turns, lambda held: Usage(input=held))
    assert one.at_most() >= len("system") + sum(map(length, one.messages))


@pytest.mark.parametrize("text", ['"' * 500, "\\" * 500, "ü" * 500, "\x01" * 500])
def test_arguments_count_as_they_are_sent(text: str) -> None:
    """Arguments count with every byte of the JSON that is sent, escapes too (O58)."""
    one = talk()
    take(one, [("", [("look", {"q": text})], "")], lambda held: Usage(input=held))
    assert one.at_most() >= len("system") + sum(map(length, one.messages))


@given(turns=TURNS)
def test_report_replaces_the_bytes(turns: list[tuple[str, list[tuple[str, Any]], str]]) -> None:
    """A model's own count replaces what was counted in bytes, whichever part of it was cached."""
    counted, cached = talk(), talk()
    take(counted, turns, lambda held: Usage(input=held // 4))
    take(cached, turns, lambda held: Usage(cache_read=held // 4))
    assert cached.at_most() == counted.at_most()


def test_count_stays_small_where_the_report_is() -> None:
    """After a report the past costs what it was reported to, not its bytes."""
    one = talk()
    one.tell("x" * 100_000)
    assert one.at_most() > 100_000
    one.said(ModelMessage("so"), Usage(input=25_000))
    assert 25_000 < one.at_most() < 25_100


def test_silent_provider_is_not_believed() -> None:
    """Where a provider reports no tokens at all, what was sent still counts in bytes (O58)."""
    one = talk()
    one.tell("x" * 100_000)
    one.said(ModelMessage("so"), Usage())
    assert one.at_most() > 100_000


def test_request_needs_every_answer() -> None:
    """With a call that has no answer the model cannot be asked (case 077)."""
    one = talk()
    one.said(ModelMessage("", (ToolCall("a", "look", {}), ToolCall("b", "look", {}))), Usage(1))
    one.answer("a", "look", "found", ok=True)
    with pytest.raises(TaskError, match="1 calls have no answer"):
        one.request(max_output_tokens=1, must_call=None)
    one.answer("b", "look", "no", ok=False)
    assert one.request(max_output_tokens=1, must_call=None).messages[-1] == ToolMessage("b", "look", "no", ok=False)


def test_request_is_the_whole_talk() -> None:
    """A request holds the system, the tools and all messages, and keeps what was there before as it was."""
    one = talk()
    first = one.request(max_output_tokens=5, must_call="look")
    assert (first.system, first.max_output_tokens, first.must_call) == ("system", 5, "look")
    assert [tool.name for tool in first.tools] == ["look"]
    before = list(first.messages)
    one.said(ModelMessage("so"), Usage(1))
    later = one.request(max_output_tokens=5, must_call=None)
    assert (later.system, later.tools, list(later.messages[:1])) == (first.system, first.tools, before)
