"""How does a test answer for scripted models that it does not hold?

ScriptedAnswer.stub(lambda model, request: script.answer(model, request))
"""

from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

from ..domain.message import Answer, ModelMessage, Request
from ..models.scripted import STUBS, ScriptedModel

Answering = Callable[[ScriptedModel, Request], "Answer | ModelMessage | Awaitable[Answer | ModelMessage]"]


class Stub:
    """A stub that is in place. As a context manager it is taken away at the end of the block."""

    def __init__(self, answer: Answering) -> None:
        self._answer = answer
        STUBS.append(answer)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._answer in STUBS:
            STUBS.remove(self._answer)


class ScriptedAnswer:
    """Answers for every `ScriptedModel` that has no function of its own (O113)."""

    @staticmethod
    def stub(answer: Answering) -> Stub:
        """Put a function of model and request in place, until the block ends, the test of `metier_app` does, or `clear`."""
        return Stub(answer)

    @staticmethod
    def clear() -> None:
        """Take all stubs away."""
        STUBS.clear()
