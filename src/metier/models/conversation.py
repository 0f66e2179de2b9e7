"""How is a conversation of ours told in the messages of pydantic-ai?

A provider may want back what it sent and we have no word for: signatures of its thinking, ids of its items. So the message
that a real model answered, `Told`, keeps the provider's own response beside it, for as long as the message itself lives.
"""

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import messages as foreign

from ..domain.compact import compact
from ..domain.exact import read_json
from ..domain.message import Message, ModelMessage, ToolCall, ToolMessage

MOST_KEPT = 64
"""The most conversations whose beginnings are kept converted; one more is converted anew at its next turn."""


@dataclass(frozen=True, slots=True, eq=False)
class Told(ModelMessage):
    """A message with the provider's own response, which goes back to it unchanged. It equals any message of the same words."""

    response: foreign.ModelResponse = field(default_factory=lambda: foreign.ModelResponse(parts=[]), repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModelMessage) and (self.text, tuple(self.calls)) == (other.text, tuple(other.calls))

    __hash__ = None  # type: ignore[assignment]  # calls hold JSON data, which no hash covers


class Conversation:
    """One growing conversation. What was converted stays, so that a turn costs what is new in it."""

    def __init__(self, system: str, messages: Sequence[Message], *, marks_failed: bool) -> None:
        self.source = messages
        self._marks_failed = marks_failed
        self._taken = 0
        self.converted: list[foreign.ModelMessage] = []
        if system:
            self._told().append(foreign.SystemPromptPart(system))

    def continues(self, messages: Sequence[Message]) -> bool:
        """Whether it is this very conversation, perhaps longer by now."""
        return messages is self.source and len(messages) >= self._taken

    def catch_up(self) -> list[foreign.ModelMessage]:
        """All messages, converted."""
        for place in range(self._taken, len(self.source)):
            message = self.source[place]
            if isinstance(message, ModelMessage):
                self.converted.append(message.response if isinstance(message, Told) else _response(message))
            else:
                self._told().append(self._part(message))
        self._taken = len(self.source)
        return self.converted

    def _told(self) -> list[foreign.ModelRequestPart]:
        """The parts of the request that is open: all that is told between two answers goes into one."""
        last = self.converted[-1] if self.converted else None
        if not isinstance(last, foreign.ModelRequest) or not isinstance(last.parts, list):
            last = foreign.ModelRequest(parts=[])
            self.converted.append(last)
        return last.parts  # type: ignore[return-value]  # a list, made above

    def _part(self, message: Message) -> foreign.ModelRequestPart:
        if not isinstance(message, ToolMessage):
            return foreign.UserPromptPart(message.text)
        pictures = [foreign.BinaryContent(data=one.data, media_type=one.media_type) for one in message.pictures]
        content = [message.text, *pictures] if pictures else message.text
        if message.ok or not self._marks_failed:
            return foreign.ToolReturnPart(message.name, content, message.call_id)
        return foreign.ToolReturnPart(message.name, content, message.call_id, outcome="failed")


class Conversations:
    """The conversations of one client, by the message list that each of them grows in."""

    def __init__(self, *, marks_failed: bool) -> None:
        self._marks_failed = marks_failed
        self._kept: OrderedDict[int, Conversation] = OrderedDict()

    def converted(self, system: str, messages: Sequence[Message]) -> list[foreign.ModelMessage]:
        """The messages of a conversation, of which only what is new is converted."""
        found = self._kept.get(id(messages))
        if found is None or not found.continues(messages):
            found = self._kept[id(messages)] = Conversation(system, messages, marks_failed=self._marks_failed)
        self._kept.move_to_end(id(messages))
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return found.catch_up()


def message_of(response: foreign.ModelResponse) -> Told:
    """The words and calls of a response, with the response kept beside them."""
    text = "".join(part.content for part in response.parts if isinstance(part, foreign.TextPart))
    calls = tuple(
        ToolCall(part.tool_call_id, part.tool_name, arguments_of(part.args))
        for part in response.parts
        if isinstance(part, foreign.ToolCallPart)
    )
    return Told(text, calls, response=response)


def arguments_of(said: str | Mapping[str, Any] | None) -> Mapping[str, Any] | str:
    """Arguments as JSON data, their numbers exact; as the text that came where it is no JSON object."""
    if not said:
        return {}
    if not isinstance(said, str):
        return said if _is_json(said) else json.dumps(said, default=str)
    try:
        data = read_json(said)
    except (ValueError, RecursionError):
        return said
    return data if isinstance(data, dict) else said


def _is_json(data: Mapping[str, Any]) -> bool:
    """Whether what a provider's client has read already is JSON: such a client takes NaN, and makes infinity of 1e400."""
    try:
        compact(data)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _response(message: ModelMessage) -> foreign.ModelResponse:
    parts: list[foreign.ModelResponsePart] = [foreign.TextPart(message.text)] if message.text else []
    parts += [
        foreign.ToolCallPart(
            call.name, call.arguments if isinstance(call.arguments, str) else compact(dict(call.arguments)), call.id
        )
        for call in message.calls
    ]
    return foreign.ModelResponse(parts=parts)
