"""How is a model's part written down for a test?

model = ScriptedModel("test", AgentScript.of(Says.tool("look", {"q": "a"}), Says.hand_back({"n": 1})).answer)
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, overload

from ..domain.call import HAND_BACK
from ..domain.compact import compact
from ..domain.message import Answer, ModelMessage, Request, ToolCall
from ..domain.money import Usage
from ..domain.permits import Named


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
    def tool(cls, tool: "str | Named", arguments: Mapping[str, Any] | str | None = None) -> "Says":
        """It calls one tool, listed or not.

        Args:
            tool: its name, or what `Actions.of` answers.
            arguments: JSON data, or its text. A text that is no JSON object stands for arguments that are none.
        """
        name = tool if isinstance(tool, str) else tool.action
        return cls(calls=((name, _read(arguments)),))

    @classmethod
    def hand_back(cls, result: object) -> "Says":
        """It hands back a result: JSON data, or an instance of what the job hands back."""
        return cls.tool(HAND_BACK, result if isinstance(result, Mapping) else _written(result))

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
    """The steps that a scripted model takes, one for each time it is asked. One script serves any number of tasks."""

    steps: tuple[Says, ...]
    taken: set[int] = field(default_factory=set[int], compare=False)
    """The steps that were taken so far, by their places from 1."""

    @classmethod
    def of(cls, *steps: Says) -> "AgentScript":
        """A script of these steps."""
        script = cls(steps)
        for watched in WATCHED:
            watched.append(script)
        return script

    @overload
    def answer(self, model: Request, /) -> Answer: ...
    @overload
    def answer(self, model: object, request: Request, /) -> Answer: ...
    def answer(self, model: object, request: Request | None = None, /) -> Answer:
        """The step that a request is at, told from the answers that it already holds; it takes the model too, for a stub.

        Raises:
            AssertionError: the script has no more steps.
        """
        asked = request if request is not None else model
        assert isinstance(asked, Request), "a script answers a Request"
        place = sum(isinstance(message, ModelMessage) for message in asked.messages)
        if place >= len(self.steps):
            last = str(asked.messages[-1])[:200] if asked.messages else "nothing"
            raise AssertionError(
                f"the script has {len(self.steps)} steps and was asked for step {place + 1}, after: {last}"
            )
        step = self.steps[place]
        self.taken.add(place + 1)
        if step.raises:
            raise ConnectionError(step.raises)
        calls = tuple(ToolCall(f"s{place + 1}.{nth}", name, given) for nth, (name, given) in enumerate(step.calls, 1))
        return Answer(ModelMessage(step.words, calls), step.usage)

    @property
    def unused(self) -> list[str]:
        """The steps that no request came to, each by its place and what it says (O116)."""
        return [f"step {place}: {_told(step)}" for place, step in enumerate(self.steps, 1) if place not in self.taken]


WATCHED: list[list[AgentScript]] = []
"""Lists that each new script is added to, such as that of a test which must use up all its scripts."""


def _told(step: Says) -> str:
    calls = [f"{name} {given if isinstance(given, str) else compact(given)}" for name, given in step.calls]
    said = [*([f"fails: {step.raises}"] if step.raises else []), *([repr(step.words)] if step.words else []), *calls]
    return "; ".join(said)[:200]


def _read(arguments: Mapping[str, Any] | str | None) -> Mapping[str, Any] | str:
    if not isinstance(arguments, str):
        return {} if arguments is None else arguments
    try:
        read = json.loads(arguments)
    except ValueError:
        return arguments
    return read if isinstance(read, dict) else arguments


def _written(result: object) -> Mapping[str, Any]:
    from ..actions.types import json_type  # noqa: PLC0415 - pydantic: only for a result that is no JSON data

    written: Mapping[str, Any] = json_type(type(result)).write(result)
    return written
