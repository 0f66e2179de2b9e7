"""How does an app's function become an action?

Nothing is described twice: name, description and schema come from the function (O38-O40).
"""

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ..domain.action import APP, Action, Body, Hands, Miss, Narrowed
from ..errors import ActionError
from .declared import ATTRIBUTE, Declared, caller, declare, effects_of
from .held import in_thread, on_loop
from .misfit import Misfit
from .rows import NO_ROWS, NoRows, Rows

if TYPE_CHECKING:
    from .info import ActionInfo
    from .signature import Signature

MOST_KEPT = 8
"""The most apps' rows that a function's action is kept for."""

F = TypeVar("F", bound=Callable[..., Any])


def action(
    description: str = "",
    *,
    query: bool = False,
    changes: bool = False,
    sends: bool = False,
    loads: bool = False,
    runs: bool = False,
    acts: bool = False,
    polls: bool = False,
    label: str = "",
) -> Callable[[F], F]:
    """Make a function of the app an action that a job can list. The function itself stays as it is.

    Args:
        description: what the model is told; the docstring's first line if empty.
        query: it only reads.
        changes: it changes something.
        sends: it sends something out.
        loads: it brings text from outside into what the model reads.
        runs: it runs code that is not the app's.
        acts: it acts on an environment, such as a desktop or a robot.
        polls: it is meant to be called again and again with the same arguments.
        label: what people read; the function's name in words if empty.

    An action that declares nothing counts as changing and sending (O42).

    Raises:
        ActionError: the declaration contradicts itself, or a model could not call the function.
    """
    effects = effects_of(query=query, changes=changes, sends=sends, loads=loads, runs=runs, acts=acts)

    def mark(function: F) -> F:
        declared = declare(function, description, label=label, effects=effects, polls=polls, around=caller())
        setattr(function, ATTRIBUTE, declared)
        return function

    return mark


def declared_of(function: Callable[..., Any]) -> Declared:
    """What a decorated function declares.

    Raises:
        ActionError: the function is not decorated.
    """
    found = getattr(function, ATTRIBUTE, None)
    if not isinstance(found, Declared):
        name = getattr(function, "__qualname__", repr(function))
        raise ActionError(f"{name} is no action.", hint="Decorate it with @action(…).")
    return found


def action_of(function: "Callable[..., Any] | ActionInfo", *, rows: Rows = NO_ROWS) -> Action:
    """The action that a decorated function is. It is made once for each app's rows.

    Args:
        function: the function, or what `Actions.of` answered for it.
        rows: looks up the rows that are named by their ids (O43).

    Raises:
        ActionError: the function is not decorated, or has a parameter or an answer that JSON has no schema for.
    """
    declared = getattr(function, "declared", None) or declared_of(function)  # type: ignore[arg-type]  # an ActionInfo has it
    kept = declared.made.get(id(rows))
    if kept is None:
        if len(declared.made) >= MOST_KEPT:
            declared.made.clear()
        kept = declared.made[id(rows)] = (rows, _make(declared, rows))
    return kept[1]


def _make(declared: Declared, rows: Rows) -> Action:
    from .signature import signature_of  # noqa: PLC0415 - 100 ms for pydantic, which declaring an action must not cost

    signature = signature_of(declared, rows)

    def narrow(arguments: Mapping[str, Any]) -> Narrowed | Miss:
        """Judge what the schema cannot, such as the days of a date, before anything begins (O48)."""
        misfit = signature.misfit(arguments)
        return Narrowed(made, arguments) if misfit is None else Miss("arguments.schema", misfit.text)

    made = Action(
        declared.name,
        declared.description,
        signature.schema,
        _body_of(declared, signature, rows),
        declared.effects,
        APP,
        declared.polls,
        narrow if signature.judges else None,
        settle=rows.settle(declared.effects),
    )
    return made


def _body_of(declared: Declared, signature: "Signature", rows: Rows) -> Body:
    effects = declared.effects

    async def awaited(arguments: Mapping[str, Any], _: Hands | None = None) -> Any:
        value = signature.call(arguments)
        return signature.answered(value if isinstance(value, Misfit) else await value)

    async def held(arguments: Mapping[str, Any], hands: Hands) -> Any:
        return await on_loop(rows, effects, hands.key, lambda: awaited(arguments))

    async def threaded(arguments: Mapping[str, Any], hands: Hands) -> Any:
        # In a thread, with its context: a function that waits must not stop the others. Rows are looked up there too.
        return await in_thread(rows, effects, hands.key, lambda: signature.answered(signature.call(arguments)))

    if not inspect.iscoroutinefunction(signature.function):
        return threaded
    return awaited if isinstance(rows, NoRows) else held  # what no app has, nothing holds
