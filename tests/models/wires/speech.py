"""What does a provider say in these tests, whichever language it speaks?"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from metier.domain.message import Answer, ModelMessage, ToolCall
from metier.domain.money import Usage

from .server import Received, Reply

USAGE = Usage(input=40, output=20, cache_read=60)
"""What every answer here used: 100 tokens sent, 60 of them from the cache; 5 of the 20 answered were reasoning."""

KEY = "sk-test-1234567890"


@dataclass(frozen=True, slots=True)
class Said:
    """Words and calls: each call an id, a name and its arguments as JSON text."""

    text: str = ""
    calls: tuple[tuple[str, str, str], ...] = ()

    @property
    def answer(self) -> Answer:
        """What it is in our words."""
        calls = tuple(ToolCall(one, name, json.loads(arguments)) for one, name, arguments in self.calls)
        return Answer(ModelMessage(self.text, calls), USAGE)


class Language(Protocol):
    """One provider's wire format."""

    name: str
    """How a model on it is named, up to the address."""
    path: str
    """Where requests are sent."""
    grows: str
    """The member of a request that holds the conversation."""
    stays: tuple[str, ...]
    """The members that are the same at every turn."""
    sealed: str
    """What the provider wants back unread; empty where there is nothing of the kind."""

    def address(self, url: str) -> str:
        """The address to name, for a server there."""
        ...

    def whole(self, said: Said) -> Any:
        """A whole answer."""
        ...

    def stream(self, said: Said) -> list[str]:
        """The same as events, words by word and arguments cut in the middle of tokens."""
        ...

    def streamed(self, received: Received) -> bool:
        """Whether a request asks for a stream."""
        ...

    def error_event(self) -> str:
        """An error in an open stream: the service is overloaded."""
        ...

    def error(self, message: str, status: int) -> Any:
        """The body of an error."""
        ...

    def busy(self, message: str, seconds: str) -> Reply:
        """The answer of a provider that wants to be asked again after so many seconds."""
        ...

    def tools(self, body: Any) -> list[tuple[str, str, Any]]:
        """Name, description and schema of each tool in a request."""
        ...

    def results(self, body: Any) -> list[tuple[str, str]]:
        """The id and text of each call's answer in a request."""
        ...

    def max_tokens(self, body: Any) -> int:
        """The most tokens that a request allows."""
        ...

    def forced(self, body: Any) -> str | None:
        """The tool that a request demands."""
        ...


def in_pieces(text: str, size: int = 3) -> Sequence[str]:
    """A text cut without regard for what it means."""
    return [text[start : start + size] for start in range(0, len(text), size)]


def event(data: Any, *, named: bool = False) -> str:
    """One server-sent event."""
    head = f"event: {data['type']}\n" if named else ""
    return f"{head}data: {json.dumps(data)}\n\n"
