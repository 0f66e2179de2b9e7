"""How is a model's part written down for a test?

model = ScriptedModel("test", AgentScript.of(Says.tool("look", {"q": "a"}), Says.hand_back({"n": 1})).answer)
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..domain.call import HAND_BACK
from ..domain.message import Answer, ModelMessage, Request, ToolCall
from ..domain.money import Usage


@dataclass(frozen=True, slots=True)
class Says:
    """One step of a script: what the model says at its turn (O112)."""

    words: str = ""
    calls: tuple[tuple[str, Mapping[str, Any] | str], ...] = ()
    raises: str = ""
    usage: Usage = Usage(input=1, output=1)

    @classmethod
    def text(cls, words: str) -> "Says":
        """It answers in words."""
        return cls(words)

    @classmethod
    def tool(cls, name: str, arguments: Mapping[str, Any] | str | None = None) -> "Says":
        """It calls one tool. A text stands for arguments that are no JSON object."""
        return cls(calls=((name, {} if arguments is None else arguments),))

    @classmethod
    def hand_back(cls, result: Mapping[str, Any]) -> "Says":
        """It hands back a result."""
        return cls.tool(HAND_BACK, result)

    @classmethod
    def many(cls, *steps: "Says") -> "Says":
        """It does all these in one answer."""
        return cls(
            " ".join(step.words for step in steps if step.words), tuple(call for step in steps for call in step.calls)
        )

    @classmethod
    def error(cls, message: str) -> "Says":
        """Its client fails."""
        return cls(raises=message)

    def tokens(self, sent: int, answered: int) -> "Says":
        """The same step, with the tokens that it is reported to have used."""
        return replace(self, usage=Usage(input=sent, output=answered))


@dataclass(frozen=True, slots=True)
class AgentScript:
    """The steps that a scripted model takes, one for each time it is asked."""

    steps: tuple[Says, ...]

    @classmethod
    def of(cls, *steps: Says) -> "AgentScript":
        """A script of these steps."""
        return cls(steps)

    def answer(self, request: Request) -> Answer:
        """The step that a request is at, told from the answers that it already holds: one script serves many tasks.

        Raises:
            AssertionError: the script has no more steps.
        """
        place = sum(isinstance(message, ModelMessage) for message in request.messages)
        if place >= len(self.steps):
            raise AssertionError(f"the script has {len(self.steps)} steps and was asked for step {place + 1}")
        step = self.steps[place]
        if step.raises:
            raise ConnectionError(step.raises)
        calls = tuple(ToolCall(f"s{place + 1}.{nth}", name, given) for nth, (name, given) in enumerate(step.calls, 1))
        return Answer(ModelMessage(step.words, calls), step.usage)
