"""How does a script answer in a model's place, for tests and demos?"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable

from ..domain.message import Answer, Message, ModelMessage, Request, TextPiece, ToolMessage
from ..domain.money import FREE, LlmPrice, Usage
from ..errors import ModelFailed

Answering = Callable[[Request], "Answer | ModelMessage | Awaitable[Answer | ModelMessage]"]
"""What answers in the model's place, sync or async. With a `ModelMessage` alone the usage is estimated."""

CHARACTERS_A_TOKEN = 4

STUBS: "list[Callable[[ScriptedModel, Request], Answer | ModelMessage | Awaitable[Answer | ModelMessage]]]" = []
"""The stubs that are in place in this process, the last one answers. Tests of one process come one after another."""


class ScriptedModel:
    """A model whose answers come from code; it calls no network and always knows its price (O111).

    It is its own client, so it can be listed as a model or given as a client. Without a function of its own it answers by
    what `metier.testing.ScriptedAnswer.stub` has put in place (O113).
    """

    def __init__(
        self,
        name: str,
        answer: Answering | None = None,
        *,
        price: LlmPrice = FREE,
        max_output_tokens: int = 1000,
        can_force: bool = True,
        vision: bool = False,
    ) -> None:
        self.name = name
        self.price: LlmPrice | None = price
        self.max_output_tokens = max_output_tokens
        self.can_force = can_force
        self.vision = vision
        self.scripted = True
        self._answer = answer

    @property
    def client(self) -> "ScriptedModel":
        """Itself."""
        return self

    async def whole(self, request: Request) -> Answer:
        """What the script answers; without one, what a stub says that is in place.

        Raises:
            ModelFailed: there is neither a script nor a stub.
        """
        said = self._said(request)
        if not isinstance(said, Answer | ModelMessage):
            said = await said
        if isinstance(said, Answer):
            return said
        return Answer(said, _estimate(request, said))

    def _said(self, request: Request) -> "Answer | ModelMessage | Awaitable[Answer | ModelMessage]":
        if self._answer is not None:
            return self._answer(request)
        if not STUBS:
            raise ModelFailed(f"the scripted model {self.name} has no script: give it one, or put a stub in place")
        return STUBS[-1](self, request)

    async def stream(self, request: Request) -> AsyncIterator[TextPiece | Answer]:
        """The same answer, its words one by one."""
        answer = await self.whole(request)
        for word in re.findall(r"\S+\s*|\s+", answer.message.text):
            yield TextPiece(word)
        yield answer


def _estimate(request: Request, said: ModelMessage) -> Usage:
    sent = len(request.system) + sum(_length(message) for message in request.messages)
    return Usage(input=sent // CHARACTERS_A_TOKEN + 1, output=_length(said) // CHARACTERS_A_TOKEN + 1)


def _length(message: Message) -> int:
    if isinstance(message, ModelMessage):
        return len(message.text) + sum(len(call.name) + len(str(call.arguments)) for call in message.calls)
    return len(message.text) + (len(message.name) if isinstance(message, ToolMessage) else 0)
