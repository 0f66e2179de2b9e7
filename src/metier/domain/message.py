"""What passes between a task and a model?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .money import Usage


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that a model asks for."""

    id: str
    name: str
    arguments: Mapping[str, Any] | str
    """JSON data; or the text as it came where that is no JSON object."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a model is shown."""

    media_type: str
    data: bytes = field(repr=False)
    digest: str
    """The SHA-256 of its data in hexadecimal, by which it is kept beside the record."""


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the model is told: the task, a notice, help."""

    text: str
    role: Literal["user"] = "user"


@dataclass(frozen=True, slots=True)
class ModelMessage:
    """What the model answered: words, calls or both."""

    text: str = ""
    calls: Sequence[ToolCall] = ()
    role: Literal["model"] = "model"


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """The answer to one call. Every call has its answer before the next request."""

    call_id: str
    name: str
    text: str
    ok: bool = True
    role: Literal["tool"] = "tool"
    pictures: Sequence[Picture] = ()
    """What is shown with the text; only a model with `vision` is given any."""


Message = UserMessage | ModelMessage | ToolMessage


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model is offered it."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """All that one model call is sent."""

    system: str
    messages: Sequence[Message]
    """The whole conversation, oldest first. A model reads it and never changes it."""
    tools: Sequence[ToolSpec]
    max_output_tokens: int
    must_call: str | None = None
    """The tool that must be called; only asked of a model that can be made to."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one model call came back with."""

    message: ModelMessage
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of text of an answer that is still coming."""

    text: str
