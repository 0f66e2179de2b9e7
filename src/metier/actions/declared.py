"""What is known of an action when its function is declared, before any schema is made?

Declaring costs no import of pydantic: what a model could never fill is told at once, the rest when it is first asked for.
"""

import inspect
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from ..domain.action import EFFECTS, UNDECLARED, Action, Effect
from ..domain.call import HAND_BACK
from ..errors import ActionError
from .rows import Rows

ATTRIBUTE = "__metier_action__"
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
"""What every model's provider takes as the name of a tool."""


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """One decorated function."""

    function: Callable[..., Any]
    description: str
    label: str
    effects: frozenset[Effect]
    polls: bool
    parameters: Mapping[str, inspect.Parameter]
    names: Mapping[str, Any]
    """What the annotations name, where the function was declared inside of another."""
    made: dict[int, tuple[Rows, Action]] = field(default_factory=dict[int, tuple[Rows, Action]])
    """The action that was made for each app's rows."""

    @property
    def name(self) -> str:
        """The action's name, which is the function's."""
        return self.function.__name__

    @property
    def place(self) -> str:
        """Where the function stands, for errors."""
        return f"{self.function.__module__}.{self.function.__qualname__}"


def declare(
    function: Callable[..., Any],
    description: str,
    *,
    label: str,
    effects: frozenset[Effect],
    polls: bool,
    around: FrameType | None,
) -> Declared:
    """What a function declares as an action.

    Raises:
        ActionError: a model could not call it: it has a parameter without a name or a type, or is no plain function.
    """
    if not inspect.isfunction(function):
        raise ActionError(f"{function!r} cannot be an action.", hint="Decorate a plain function.")
    _name_of(function)
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise ActionError(
            f"{function.__qualname__} yields, but an action has one answer.", hint="Return a list instead."
        )
    parameters = inspect.signature(function).parameters
    for one in parameters.values():
        _fillable(function, one)
    told = description or (inspect.getdoc(function) or "").split("\n")[0]
    words = label or in_words(function.__name__)
    return Declared(function, told, words, effects, polls, parameters, _names_around(function, around))


def effects_of(*, query: bool, **touches: bool) -> frozenset[Effect]:
    """The effects that are declared; nothing declared is changing and sending (O42).

    Raises:
        ActionError: a query changes, sends, runs or acts.
    """
    touched: list[Effect] = [effect for effect in EFFECTS if touches.get(effect)]
    beyond = [effect for effect in touched if effect != "loads"]
    if query and beyond:
        raise ActionError(
            f"An action cannot be a query and declare {' and '.join(beyond)}.", hint="Leave one of them out."
        )
    return frozenset({"reads", *touched} if query else touched) or UNDECLARED


def in_words(name: str) -> str:
    """A name as people read it: `parts_for` and `PartsFor` are "Parts for"."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name.replace("_", " "))
    words = [word if word.isupper() and len(word) > 1 else word.lower() for word in apart.split()]
    text = " ".join(words)
    return text[:1].upper() + text[1:]


def _name_of(function: Callable[..., Any]) -> None:
    name = function.__name__
    if not NAME.fullmatch(name):
        raise ActionError(
            f"An action cannot be called {name!r}.", hint="Name it with up to 64 letters a-z, digits and underscores."
        )
    if name == HAND_BACK:
        raise ActionError(f"{HAND_BACK} is how a job ends; no action can be called so.", hint="Name it otherwise.")


def _fillable(function: Callable[..., Any], one: inspect.Parameter) -> None:
    if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
        raise ActionError(
            f"{function.__qualname__} takes {one}, which a model cannot fill.",
            hint="Give each parameter a name and a type; a `dict` or a `list` takes what is open.",
        )
    if type(one.default).__module__ == "pydantic.fields":
        raise ActionError(
            f"{function.__qualname__} has a Field as the default of {one.name!r}.",
            hint=f"Write `{one.name}: Annotated[…, Field(…)]`.",
        )
    if one.annotation is one.empty:
        hint = "Annotate it, as in `name: str`."
        if one.name in {"self", "cls"}:
            hint = "Declare a plain function; a method has nobody to be called on."
        raise ActionError(f"{function.__qualname__} does not say what type {one.name!r} is of.", hint=hint)


def _names_around(function: Callable[..., Any], around: FrameType | None) -> Mapping[str, Any]:
    """What the annotations name of the function that this one was declared in, where they are kept as text."""
    written = [one for one in function.__annotations__.values() if isinstance(one, str)]
    if not written or around is None or around.f_locals is around.f_globals:
        return {}
    words = {word for text in written for word in re.findall(r"\w+", text)}
    return {name: value for name, value in around.f_locals.items() if name in words}


def caller() -> FrameType:
    """The frame of whoever called the function that calls this."""
    return sys._getframe(2)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - the one way to see the names that a local annotation means
