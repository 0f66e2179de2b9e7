"""What has been said, and how much can the next request hold at most?

Messages are only ever added; the contents of old results are cleared, their messages never (case 077). Every call has its
answer before the next request; that is checked before each.
"""

from collections import deque
from collections.abc import Sequence

from ..domain.bound import message_at_most, offered_at_most
from ..domain.message import Message, ModelMessage, Picture, Request, ToolMessage, ToolSpec, UserMessage
from ..domain.money import Usage
from ..errors import TaskError

SHORTEST = len("[cleared: 1 characters, read again if needed]") - 1
"""No shorter result is worth clearing."""


def cleared(text: str) -> str:
    """What is left of a result in what the model is sent; the record has it whole (O94)."""
    return f"[cleared: {len(text)} characters, read again if needed]"


class Talk:
    """The conversation of one run with its model."""

    def __init__(self, *, system: str, tools: Sequence[ToolSpec]) -> None:
        self.system = system
        self.tools = tools
        self.messages: list[Message] = []
        self._open = 0
        self._whole: deque[int] = deque()
        """The places of the results that are still whole, oldest first."""
        self._reported = 0
        self._bytes_since = offered_at_most(system, tools)

    def tell(self, text: str) -> None:
        """Tell the model something."""
        self._add(UserMessage(text))

    def said(self, message: ModelMessage, usage: Usage) -> None:
        """Add what the model answered, and take its word for what the request held, if it gave one."""
        if usage.sent:
            self._reported = usage.sent
            self._bytes_since = 0
        self._open += len(message.calls)
        self._add(message)

    def answer(self, call_id: str, name: str, text: str, *, ok: bool, pictures: Sequence[Picture] = ()) -> None:
        """Add the answer to one call, with the pictures that the model is shown."""
        self._open -= 1
        self._whole.append(len(self.messages))
        self._add(ToolMessage(call_id, name, text, ok, pictures=pictures))

    def clear_past(self, kept: int) -> list[str]:
        """Leave one line of each result but the newest ones, and answer the ids of the calls that were cleared now.

        What is no longer than that line stays.
        """
        now: list[str] = []
        while len(self._whole) > kept:
            place = self._whole.popleft()
            message = self.messages[place]
            if not isinstance(message, ToolMessage):
                continue
            if len(message.text) <= SHORTEST and not message.pictures:
                continue
            line = cleared(message.text)
            if len(message.text) > len(line) or message.pictures:
                self.messages[place] = ToolMessage(message.call_id, message.name, line, message.ok)
                now.append(message.call_id)
        return now

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

    def _add(self, message: Message) -> None:
        self.messages.append(message)
        self._bytes_since += message_at_most(message)
