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
from ..skills.job_types import ID
from .naming import HasAction, HasName, name_of


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
    def tool(cls, tool: str | HasAction | HasName, arguments: Mapping[str, Any] | str | None = None) -> "Says":
        """It calls one tool, listed or not.

        Args:
            tool: its name, or what `Actions.of` answers.
            arguments: JSON data, or its text. A text that is no JSON object stands for arguments that are none.

        Raises:
            TypeError: the tool is neither.
        """
        return cls(calls=((name_of(tool), _read(arguments)),))

    @classmethod
    def hand_back(cls, result: object) -> "Says":
        """It hands back a result.

        Args:
            result: JSON data, its text, or an instance of what the job hands back; a stored row goes by its id.

        Raises:
            TypeError: it is no object, so no job can hand it back.
        """
        return cls.tool(HAND_BACK, result if isinstance(result, Mapping | str) else _written(result))

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


@dataclass(slots=True, eq=False)
class AgentScript:
    """The steps that a scripted model takes, one for each time it is asked. One script serves any number of tasks."""

    steps: tuple[Says, ...]
    taken: int = 0
    """How far it came: the furthest step that it answered with, from 1."""
    asked_past: list[str] = field(default_factory=list[str])
    """What it was asked for past its end, in words."""

    def __post_init__(self) -> None:
        if WATCHED:
            WATCHED[-1].append(self)

    @classmethod
    def of(cls, *steps: Says) -> "AgentScript":
        """A script of these steps."""
        return cls(steps)

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
            told = _past_the_end(len(self.steps), place + 1, asked)
            self.asked_past.append(told)
            raise AssertionError(told)
        step = self.steps[place]
        self.taken = max(self.taken, place + 1)
        if step.raises:
            raise ConnectionError(step.raises)
        calls = tuple(ToolCall(f"s{place + 1}.{nth}", name, given) for nth, (name, given) in enumerate(step.calls, 1))
        return Answer(ModelMessage(step.words, calls), step.usage)

    @property
    def unused(self) -> list[str]:
        """The steps that no request came to, each by its place and what it says (O116)."""
        return [f"step {place}: {_told(step)}" for place, step in enumerate(self.steps, 1) if place > self.taken]


WATCHED: list[list[AgentScript]] = []
"""Lists of scripts, each of a test which must use up all that it makes. A new script goes into the last."""


def _past_the_end(steps: int, asked: int, request: Request) -> str:
    last = request.messages[-1] if request.messages else None
    after = "nothing" if last is None else f"{type(last).__name__} {last.text!r}"
    has = "1 step" if steps == 1 else f"{steps} steps"
    return f"the script has {has} and was asked for step {asked}, after {after[:200]}"


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
    from ..actions.rows import NO_ROWS  # noqa: PLC0415 - as below
    from ..actions.types import json_type  # noqa: PLC0415 - pydantic: only for a result that is no JSON data
    from ..rows.here import ROWS  # noqa: PLC0415 - as above

    rows = ROWS.get()[-1] if ROWS.get() else NO_ROWS
    if NO_ROWS.knows(type(result)):
        return {ID: rows.id_of(result)}
    written = json_type(type(result)).write(result, rows=rows)
    if not isinstance(written, dict):
        raise TypeError(f"{result!r} is no result: a job hands back an object, and words come by Says.text")
    return written
