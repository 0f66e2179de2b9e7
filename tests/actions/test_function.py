"""Functions of the app as actions."""

import asyncio
import contextvars
import dataclasses
import threading
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Literal

import pytest

from metier.actions.function import action, action_of
from metier.domain.action import Action, Effect
from metier.domain.call import Answered
from metier.errors import ActionError

TENANT = contextvars.ContextVar("TENANT", default="none")


class NoHands:
    """Hands that must not be used."""

    call_id = "c1"
    key = "t:c1"

    async def call(self, action: Action, arguments: Mapping[str, Any]) -> Answered:
        raise NotImplementedError

    def keep(self, data: bytes) -> str:
        raise NotImplementedError

    def keep_file(self, path: str) -> str:
        raise NotImplementedError


def answer(function: Callable[..., Any], **arguments: Any) -> Any:
    """What the action's body answers."""
    body = action_of(function).body

    async def go() -> Any:
        return await body(arguments, NoHands())

    return asyncio.run(go())


@dataclasses.dataclass(frozen=True)
class Crate:
    """A row of the app."""

    name: str
    weight: Decimal


def test_everything_comes_from_the_function() -> None:
    """Name, description and schema are the function's own; nothing is said twice (O38, O40)."""

    @action(query=True)
    def look(q: str, most: int = 5) -> str:
        """Look something up.

        A second line that the model is not told.
        """
        return q * most

    made = action_of(look)
    assert (made.name, made.description, made.origin.kind) == ("look", "Look something up.", "app")
    assert made.parameters["properties"] == {"q": {"type": "string"}, "most": {"type": "integer", "default": 5}}
    assert (made.parameters["required"], made.parameters["additionalProperties"]) == (["q"], False)
    assert look("a", 2) == "aa"


def test_given_description_wins() -> None:
    """A description that is given replaces the docstring's."""

    @action("Weigh a crate.", query=True)
    def weigh(crate: str) -> int:
        """Something for programmers."""
        return len(crate)

    assert action_of(weigh).description == "Weigh a crate."


@pytest.mark.parametrize(
    ("declared", "effects"),
    [
        ({"query": True}, {"reads"}),
        ({"changes": True}, {"changes"}),
        ({"sends": True}, {"sends"}),
        ({"changes": True, "sends": True}, {"changes", "sends"}),
        ({}, {"changes", "sends"}),
    ],
)
def test_effects_are_as_declared(declared: dict[str, Any], effects: set[Effect]) -> None:
    """What is declared is what counts; nothing declared is changing and sending (O42)."""

    @action(**declared)
    def act() -> None:
        """Act."""

    assert action_of(act).effects == effects


@pytest.mark.parametrize("other", [{"changes": True}, {"sends": True}])
def test_contradiction_is_an_error(other: dict[str, Any]) -> None:
    """A query that changes or sends is a declaration error (O42)."""
    with pytest.raises(ActionError, match="cannot be a query"):
        action(query=True, **other)


def test_titles_go_and_members_stay() -> None:
    """The schema has no titles, but a parameter called `title` stays, and a decimal is a number (O34)."""

    @action(query=True)
    def sell(title: str, price: Decimal, kind: Literal["a", "b"] = "a") -> None:
        """Sell."""

    schema = action_of(sell).parameters
    assert set(schema["properties"]) == {"title", "price", "kind"}
    assert schema["properties"]["title"] == {"type": "string"}
    assert schema["properties"]["kind"] == {"default": "a", "enum": ["a", "b"], "type": "string"}
    assert "title" not in schema


@pytest.mark.parametrize("parameters", ["*args: int", "**more: int", "a: int, /", "a: 'Nowhere'"])
def test_unfillable_parameters_are_errors(parameters: str) -> None:
    """A parameter that a model cannot fill, or whose type is not known, is an error that names the function."""
    namespace: dict[str, Any] = {"action": action}
    with pytest.raises(ActionError, match="act"):
        exec(f"@action(query=True)\ndef act({parameters}): pass", namespace)


def test_undecorated_function_is_no_action() -> None:
    """A function that is not decorated is an error that names it (O39)."""
    with pytest.raises(ActionError, match=r"test_undecorated_function_is_no_action.*is no action"):
        action_of(test_undecorated_function_is_no_action)


def test_arguments_become_python_values() -> None:
    """JSON arguments reach the function as the types that it declares; defaults stay the function's own."""
    seen: list[Any] = []

    @action(changes=True)
    def put(crate: Crate, share: float, tags: list[str] | None = None) -> None:
        """Put."""
        seen.extend([crate, share, tags])

    answer(put, crate={"name": "a", "weight": "1.50"}, share=1)
    assert seen == [Crate("a", Decimal("1.50")), 1.0, None]
    assert type(seen[1]) is float


def test_async_function_runs_in_the_loop() -> None:
    """An async function runs on the loop's own thread."""

    @action(query=True)
    async def where() -> int:
        """Where."""
        await asyncio.sleep(0)
        return threading.get_ident()

    assert answer(where) == threading.get_ident()


def test_sync_function_runs_in_a_thread() -> None:
    """A plain function runs in a worker thread, and sees the context of who called."""

    @action(query=True)
    def where() -> list[Any]:
        """Where."""
        return [threading.get_ident() == main, TENANT.get()]

    main = threading.get_ident()
    token = TENANT.set("packhouse")
    try:
        assert answer(where) == [False, "packhouse"]
    finally:
        TENANT.reset(token)


@pytest.mark.parametrize(
    ("value", "json_value"),
    [
        (None, None),
        (1.0, 1.0),
        ((1, 2), [1, 2]),
        (Decimal("1.50"), "1.50"),
        (Crate("a", Decimal(2)), {"name": "a", "weight": "2"}),
        ([Crate("a", Decimal(2))], [{"name": "a", "weight": "2"}]),
        ({"total": Decimal("1.50")}, {"total": "1.50"}),
    ],
)
def test_answers_become_json(value: Any, json_value: Any) -> None:
    """What a function answers becomes JSON data, also inside lists and mappings; nothing becomes a printed object (case 065)."""

    @action(query=True)
    def give() -> Any:
        """Give."""
        return value

    assert answer(give) == json_value


def test_polling_is_declared() -> None:
    """An action may say that it is meant to be called again and again (case 074)."""

    @action(query=True, polls=True)
    def status() -> str:
        """Status."""
        return "10 %"

    assert action_of(status).polls
