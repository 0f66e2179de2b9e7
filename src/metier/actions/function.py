"""How does an app's function become an action?

Nothing is described twice: name, description and schema come from the function (O38-O40).
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from decimal import Decimal
from typing import Any, TypeVar

from ..domain.action import APP, UNDECLARED, Action, Effect, Hands, Returned
from ..errors import ActionError

F = TypeVar("F", bound=Callable[..., Any])
Convert = Callable[[Mapping[str, Any]], Mapping[str, Any]]
ATTRIBUTE = "__metier_action__"
_PLAIN = (int, str, bool, list, dict)
"""Types that JSON data has already. A float is none of them: JSON writes 1.0 as 1."""


def action(
    description: str = "",
    *,
    query: bool = False,
    changes: bool = False,
    sends: bool = False,
    polls: bool = False,
) -> Callable[[F], F]:
    """Make a function of the app an action that a job can list. The function itself stays as it is.

    Args:
        description: what the model is told; the docstring's first line if empty.
        query: it only reads.
        changes: it changes something.
        sends: it sends something out.
        polls: it is meant to be called again and again with the same arguments.

    An action that declares nothing counts as changing and sending (O42).

    Raises:
        ActionError: the declaration contradicts itself, or a parameter cannot be described.
    """
    if query and (changes or sends):
        raise ActionError("An action cannot be a query and change or send.", hint="Leave one of them out.")

    def mark(function: F) -> F:
        effects = _effects(query=query, changes=changes, sends=sends)
        setattr(function, ATTRIBUTE, _make(function, description, effects, polls=polls))
        return function

    return mark


def action_of(function: Callable[..., Any]) -> Action:
    """The action that a decorated function is.

    Raises:
        ActionError: the function is not decorated.
    """
    found = getattr(function, ATTRIBUTE, None)
    if not isinstance(found, Action):
        name = getattr(function, "__qualname__", repr(function))
        raise ActionError(f"{name} is no action.", hint="Decorate it with @action(…).")
    return found


def _effects(*, query: bool, changes: bool, sends: bool) -> frozenset[Effect]:
    if query:
        return frozenset({"reads"})
    declared: set[Effect] = {"changes"} if changes else set()
    if sends:
        declared.add("sends")
    return frozenset(declared) or UNDECLARED


def _make(function: Callable[..., Any], description: str, effects: frozenset[Effect], *, polls: bool) -> Action:
    told = description or (inspect.getdoc(function) or "").split("\n")[0]
    schema, convert = _schema_of(function)
    return Action(function.__name__, told, schema, _body_of(function, convert), effects, APP, polls)


def _schema_of(function: Callable[..., Any]) -> tuple[dict[str, Any], Convert]:
    """The schema of a function's parameters, and what turns JSON arguments into Python ones."""
    from pydantic import ConfigDict, PydanticUserError, create_model  # noqa: PLC0415 - 100 ms, only where functions are declared

    try:
        hints = inspect.get_annotations(function, eval_str=True)
        members = {
            name: _member(function, name, one, hints) for name, one in inspect.signature(function).parameters.items()
        }
        model = create_model(function.__name__, __config__=ConfigDict(extra="forbid"), **members)  # type: ignore[call-overload]  # members are built by name
        schema = model.model_json_schema()
    except (PydanticUserError, NameError, TypeError) as error:
        raise ActionError(
            f"{function.__qualname__} cannot be an action: {error}.", hint="Annotate each parameter."
        ) from error

    def convert(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        filled = model.model_validate(arguments)
        return {name: getattr(filled, name) for name in filled.model_fields_set}

    plain = all(hint in _PLAIN for hint, _ in members.values())
    return _without_titles(schema), _as_it_is if plain else convert


def _as_it_is(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """For parameters that take JSON data as it comes: the schema has judged it already."""
    return arguments


def _member(
    function: Callable[..., Any], name: str, one: inspect.Parameter, hints: Mapping[str, Any]
) -> tuple[Any, Any]:
    if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD, one.POSITIONAL_ONLY):
        raise ActionError(
            f"{function.__qualname__} takes {one}, which a model cannot fill.",
            hint="Give each parameter a name and a type.",
        )
    return hints.get(name, Any), ... if one.default is one.empty else one.default


def _without_titles(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {
            key: {name: _without_titles(one) for name, one in value.items()}
            if key == "properties"
            else _without_titles(value)
            for key, value in schema.items()
            if key != "title"
        }
    if isinstance(schema, list):
        return [_without_titles(one) for one in schema]
    return schema


def _body_of(function: Callable[..., Any], convert: Convert) -> Callable[[Mapping[str, Any], Hands], Awaitable[Any]]:
    if inspect.iscoroutinefunction(function):

        async def body(arguments: Mapping[str, Any], _: Hands) -> Any:
            return _answered(await function(**convert(arguments)))
    else:

        async def body(arguments: Mapping[str, Any], _: Hands) -> Any:
            # In a thread, with its context: a function that waits must not stop the others.
            return _answered(await _to_its_end(asyncio.to_thread(function, **convert(arguments))))

    return body


async def _to_its_end(thread: Coroutine[Any, Any, Any]) -> Any:
    """What a thread answers. It cannot be cut, so a cancel waits for it: nothing it does may come after the task's end."""
    work = asyncio.ensure_future(thread)
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.wait([work])
        if not work.cancelled():
            work.exception()  # looked at, so that nobody warns; the call's end says that it was stopped
        raise


def _answered(value: Any) -> Any:
    try:
        return _as_json(value)
    except (TypeError, ValueError) as error:
        return Returned(text=f"the answer is no JSON: {error}", ok=False, code="output.not_json")


def _as_json(value: Any) -> Any:
    """The value as JSON data; nothing is turned into text by `repr` (case 065).

    Raises:
        TypeError: it holds what is no JSON, such as a set, whose order is chance, or a number that is none.
    """
    if value is None or isinstance(value, str | bool | int | Returned):
        return value
    from pydantic_core import to_jsonable_python  # noqa: PLC0415 - loaded with pydantic, where functions are declared

    if isinstance(value, set | frozenset):
        raise TypeError("a set has no order")
    if isinstance(value, Decimal) and not value.is_finite():
        raise TypeError(f"{value} is no number")
    return to_jsonable_python(value)
