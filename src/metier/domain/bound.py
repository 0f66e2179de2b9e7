"""How many tokens can a request hold at the most?

No text has more tokens than UTF-8 bytes, so bytes are counted; a picture counts as the dearest that a provider publishes.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .message import Message, ModelMessage, ToolMessage, ToolSpec

PICTURE_TOKENS = 48_169
"""The most tokens that one picture costs: the largest figure that a provider publishes. It is OpenAI's for gpt-4o-mini at high
detail: 2,833, and 5,667 for each of at most eight tiles of 512 pixels, since a picture is made to fit 2,048 by 768."""

FRAME = 16
"""Some tokens go to a message's frame; no provider's frame takes more than this."""

_encode = json.JSONEncoder(ensure_ascii=False, default=str).encode
"""Made once: a writer of JSON with settings of its own is made anew by each `json.dumps`."""

MOST_SCHEMAS = 1024

# By identity, with the schema kept alive beside its length: schemas are plain dicts, made once and offered to every task.
_lengths: dict[int, tuple[Mapping[str, Any], int]] = {}


def offered_at_most(system: str, tools: Sequence[ToolSpec]) -> int:
    """An upper bound of what stands before the messages: the system prompt and the tools."""
    bound = _bytes(system)
    for tool in tools:
        bound += _length(tool.parameters) + _bytes(tool.name) + _bytes(tool.description)
    return bound


def message_at_most(message: Message) -> int:
    """An upper bound of one message, with its calls and pictures."""
    bound = _bytes(message.text) + FRAME
    if isinstance(message, ModelMessage):
        for call in message.calls:
            bound += _bytes(call.id) + _bytes(call.name) + _bytes(_written(call.arguments))
    elif isinstance(message, ToolMessage):
        bound += _bytes(message.call_id) + _bytes(message.name) + PICTURE_TOKENS * len(message.pictures)
    return bound


def _length(schema: Mapping[str, Any]) -> int:
    """How many bytes a tool's schema takes as JSON; written once for each schema object."""
    found = _lengths.get(id(schema))
    if found is not None:
        return found[1]
    length = len(json.dumps(schema))
    if len(_lengths) >= MOST_SCHEMAS:
        _lengths.clear()
    _lengths[id(schema)] = (schema, length)
    return length


def _written(arguments: Mapping[str, Any] | str) -> str:
    """Arguments as the text that is sent."""
    return arguments if isinstance(arguments, str) else _encode(arguments)


def _bytes(text: str) -> int:
    """How many bytes a text takes in UTF-8; half characters, which some file names hold, count too."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
