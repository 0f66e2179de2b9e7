"""The upper bound of a request's tokens."""

import json
from typing import Any

import pytest

from metier.domain.bound import FRAME, MOST_SCHEMAS, message_at_most, offered_at_most
from metier.domain.message import ModelMessage, ToolCall, ToolSpec, UserMessage


def schema(name: str) -> dict[str, Any]:
    """A schema with one member."""
    return {"type": "object", "properties": {name: {"type": "string"}}}


def test_tools_count_in_bytes() -> None:
    """System prompt, names, descriptions and schemas count, a character that is not ASCII by its bytes."""
    one, other = schema("ä"), schema("b")
    tools = [ToolSpec("a", "Ä.", one), ToolSpec("b", "", other)]
    assert offered_at_most("Zoë", tools) == 4 + 1 + 3 + 1 + len(json.dumps(one)) + len(json.dumps(other))


def test_equal_schemas_count_each() -> None:
    """A schema's length is kept by the object, and never taken for that of another."""
    first = [offered_at_most("", [ToolSpec("", "", schema("x" * size))]) for size in range(MOST_SCHEMAS + 10)]
    again = [offered_at_most("", [ToolSpec("", "", schema("x" * size))]) for size in range(MOST_SCHEMAS + 10)]
    assert first == again == list(range(first[0], first[0] + MOST_SCHEMAS + 10))


@pytest.mark.parametrize(("arguments", "length"), [({"a": "ä"}, 11), ('{"a": 1', 7), ({"a": {1}}, 12)])
def test_calls_count_as_sent(arguments: dict[str, Any] | str, length: int) -> None:
    """A call counts its id, its name and its arguments as they are sent; what is no JSON counts as its text."""
    message = ModelMessage("hm", (ToolCall("c1", "go", arguments),))
    assert message_at_most(message) == 2 + FRAME + 4 + length
    assert message_at_most(UserMessage("ü")) == 2 + FRAME
