"""What has been said, and how much can the next request hold at most?

Messages are only ever added. Every call has its answer before the next request; that is checked before each.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..domain.message import (
    PICTURE_TOKENS,
    Message,
    ModelMessage,
    Picture,
    Request,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from ..domain.money import Usage
from ..errors import TaskError


class Talk:
    """The conversation of one run with its model."""

    def __init__(self, *, system: str, tools: Sequence[ToolSpec]) -> None:
        self.system = system
        self.tools = tools
        self.messages: list[Message] = []
        self._open = 0
        self._reported = 0
        offered = sum(len(json.dumps(tool.parameters)) + _bytes(tool.name + tool.description) for tool in tools)
        self._bytes_since = _bytes(system) + offered

    def tell(self, text: str) -> None:
        """Tell the model something."""
        self._add(UserMessage(text), text)

    def said(self, message: ModelMessage, usage: Usage) -> None:
        """Add what the model answered, and take its word for what the request held, if it gave one."""
        if usage.sent:
            self._reported = usage.sent
            self._bytes_since = 0
        self._open += len(message.calls)
        self._add(message, message.text)
        for call in message.calls:
            self._bytes_since += _bytes(call.id) + _bytes(call.name) + _bytes(_written(call.arguments))

    def answer(self, call_id: str, name: str, text: str, *, ok: bool, pictures: Sequence[Picture] = ()) -> None:
        """Add the answer to one call, with the pictures that the model is shown."""
        self._open -= 1
        self._bytes_since += _bytes(call_id) + _bytes(name) + PICTURE_TOKENS * len(pictures)
        self._add(ToolMessage(call_id, name, text, ok, pictures=pictures), text)

    def at_most(self) -> int:
        """An upper bound of the tokens in the next request.

        It is what the model last reported, and one token for each UTF-8 byte that was added since, and for each picture
        the most that one costs; the first request counts all in bytes.
        """
        return self._reported + self._bytes_since

    def request(self, *, max_output_tokens: int, must_call: str | None) -> Request:
        """The next request. The message list is the living one: nothing is copied, so cost does not grow with length.

        Raises:
            TaskError: a call has no answer yet; the request would be refused by any provider.
        """
        if self._open:
            raise TaskError(f"{self._open} calls have no answer, so the model cannot be asked.", hint="Report this.")
        return Request(self.system, self.messages, self.tools, max_output_tokens, must_call)

    def _add(self, message: Message, text: str) -> None:
        self.messages.append(message)
        # Some tokens go to the message's frame; no provider's frame takes more than this.
        self._bytes_since += _bytes(text) + 16


def _written(arguments: Mapping[str, Any] | str) -> str:
    """Arguments as the text that is sent."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, default=str)


def _bytes(text: str) -> int:
    """How many bytes a text takes in UTF-8; half characters, which some file names hold, count too."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
