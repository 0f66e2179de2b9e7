"""Functions of the app as actions."""

import asyncio
import contextvars
import dataclasses
import threading
from collections.abc import Awaitable, Callable, Iterator
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal

import pydantic
import pytest

from metier.actions.function import action, action_of
from metier.actions.schema import check_for
from metier.domain.action import Effect, Miss, Narrowed, Returned
from metier.errors import ActionError

from .hands import NoHands

TENANT = contextvars.ContextVar("TENANT", default="none")


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


@pytest.mark.parametrize("other", [{"changes": True}, {"sends": True}, {"runs": True}, {"acts": True}])
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


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ("*items", "act takes \\*items"),
        ("**options: int", "act takes \\*\\*options: int"),
        ("x", "act does not say what type 'x' is of"),
        ("self, x: int", "'self'"),
        ("x: int = pydantic.Field(ge=1)", "Field as the default of 'x'"),
    ],
)
def test_unfillable_parameters_are_told_at_once(parameters: str, said: str) -> None:
    """A parameter that no model can fill is told where it is written, by the names of function and parameter (case 086)."""
    namespace: dict[str, Any] = {"action": action, "pydantic": pydantic}
    with pytest.raises(ActionError, match=said) as told:
        exec(f"@action(query=True)\ndef act({parameters}): pass", namespace)
    assert told.value.hint


@pytest.mark.parametrize(
    ("signature", "said"),
    [
        ("a: 'Nowhere'", "Nowhere"),
        ("a: Callable", "parameter 'a'"),
        ("a: object()", "parameter 'a'"),
        ("a: Iterator[Awaitable]", "parameter 'a'"),
        (") -> (Callable", "the answer"),
    ],
)
def test_types_without_schema_are_told(signature: str, said: str) -> None:
    """A type that JSON has no schema for is an error of the first look, which names function and parameter (O35, O40)."""
    namespace: dict[str, Any] = {"action": action, "Callable": Callable, "Iterator": Iterator, "Awaitable": Awaitable}
    exec(f"@action(query=True)\ndef act({signature}): pass", namespace)
    with pytest.raises(ActionError, match=f"act.*{said}"):
        action_of(namespace["act"])


@pytest.mark.parametrize("name", ["hand_back", "größe", "x" * 65])
def test_names_that_cannot_be_called_are_errors(name: str) -> None:
    """An action's name is one that every provider takes, and never that of the way a job ends (O21, O40)."""
    with pytest.raises(ActionError, match="called"):
        exec(f"@action(query=True)\ndef {name}(): pass", {"action": action})


@pytest.mark.parametrize("thing", [print, Crate, "text", lambda: None])
def test_only_plain_functions_are_actions(thing: Any) -> None:
    """What is no plain function with a name cannot be an action (O38)."""
    with pytest.raises(ActionError, match="cannot be"):
        action(query=True)(thing)


def test_generators_are_no_actions() -> None:
    """A function that yields has no one answer."""
    with pytest.raises(ActionError, match="yields"):

        @action(query=True)
        def count() -> Iterator[int]:
            """Count."""
            yield 1


def test_undecorated_function_is_no_action() -> None:
    """A function that is not decorated is an error that names it (O39)."""
    with pytest.raises(ActionError, match=r"test_undecorated_function_is_no_action.*is no action"):
        action_of(test_undecorated_function_is_no_action)


def test_arguments_become_python_values() -> None:
    """JSON arguments reach the function as the types that it declares; defaults stay the function's own (O40)."""
    seen: list[Any] = []

    @action(changes=True)
    def put(crate: Crate, share: float, due: date, most: int = 1, tags: list[str] | None = None) -> None:
        """Put."""
        seen.extend([crate, share, due, most, tags])

    answer(put, crate={"name": "a", "weight": 1.50}, share=1, due="2026-03-31", most=2.0)
    assert seen == [Crate("a", Decimal("1.50")), 1.0, date(2026, 3, 31), 2, None]
    assert [type(one) for one in seen[1:4:2]] == [float, int]


def test_parameters_by_place_are_filled() -> None:
    """A parameter that can only be given by its place is given by its name like any other (case 086)."""

    @action(query=True)
    def minus(a: int, b: int = 1, /, *, c: int = 0) -> int:
        """Subtract."""
        return a - b - c

    assert list(action_of(minus).parameters["properties"]) == ["a", "b", "c"]
    assert (answer(minus, a=5), answer(minus, a=5, b=2), answer(minus, a=5, c=3)) == (4, 3, 1)


def test_annotations_may_be_text() -> None:
    """Annotations that are kept as text are read, also where they name a class inside a function."""

    @dataclasses.dataclass
    class Inner:
        n: int

    @action(query=True)
    def look(inner: "Inner", most: "int | None" = None) -> "list[Inner]":
        """Look."""
        return [inner]

    assert answer(look, inner={"n": 1}) == [{"n": 1}]


def test_unfit_dates_are_refused_before_anything() -> None:
    """What the schema cannot judge is judged before the call begins, with the reason; what fits goes on as it is (O48)."""

    @action(changes=True)
    def book(day: date, amount: Annotated[Decimal, pydantic.Field(decimal_places=2)], note: str = "") -> None:
        """Book."""

    made = action_of(book)
    assert made.narrow is not None
    arguments = {"day": "2026-03-31", "amount": 1.25}
    assert made.narrow(arguments) == Narrowed(made, arguments) or isinstance(made.narrow(arguments), Narrowed)
    missed = made.narrow({"day": "2026-02-30", "amount": 1.255})
    assert isinstance(missed, Miss)
    assert (missed.code, missed.reason.count("; ")) == ("arguments.schema", 1)
    assert missed.reason.startswith("day: ")
    refused = answer(book, day="soon", amount=1)
    assert (refused.ok, refused.code) == (False, "arguments.schema")


def test_plain_arguments_need_no_second_look() -> None:
    """Where JSON data is what the function takes, the schema alone judges."""

    @action(query=True)
    def look(q: str, most: int, tags: list[str], more: dict[str, Any], kind: Literal["a", "b"] | None = None) -> str:
        """Look."""
        return q

    assert action_of(look).narrow is None


def test_default_stands_in_the_schema() -> None:
    """A parameter's default is told as JSON data; one that has no JSON form leaves it optional (O40)."""

    @action(query=True)
    def look(since: date = date(2026, 1, 1), share: Decimal = Decimal("0.50"), how: Any = print) -> None:
        """Look."""

    told = action_of(look).parameters
    assert [one.get("default") for one in told["properties"].values()] == ["2026-01-01", 0.5, None]
    assert "required" not in told
    assert check_for(told)({}) == ()


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
        (Decimal("1.50"), 1.5),
        (Crate("a", Decimal(2)), {"name": "a", "weight": 2}),
        ([Crate("a", Decimal(2))], [{"name": "a", "weight": 2}]),
        ({"total": Decimal("1.50")}, {"total": 1.5}),
    ],
)
def test_answers_become_json(value: Any, json_value: Any) -> None:
    """What a function answers becomes JSON data, also inside lists and mappings; nothing becomes a printed object (case 065)."""

    @action(query=True)
    def give() -> Any:
        """Give."""
        return value

    assert answer(give) == json_value


@pytest.mark.parametrize(
    ("promised", "value", "code", "said"),
    [
        (dict[str, int], {"count": "three"}, "output.schema", "count: expected integer"),
        (list[str], {"x", "y"}, "output.schema", "no order"),
        (Crate, {"name": "a"}, "output.schema", "weight"),
        (str, None, "output.schema", "expected string, got null"),
        (str, Decimal("NaN"), "output.not_json", "NaN is no number"),
        (Any, {"x", "y"}, "output.not_json", "no order"),
        (Any, object(), "output.not_json", "object"),
        (Decimal, Decimal(1) / 3, "output.not_json", "round it"),
    ],
)
def test_broken_promises_are_told(promised: Any, value: Any, code: str, said: str) -> None:
    """An answer that is not what the function promises fails, with tool and member, and is never printed (case 065)."""

    def give() -> Any:
        """Give."""
        return value

    give.__annotations__["return"] = promised
    returned = answer(action(query=True)(give))
    assert isinstance(returned, Returned)
    assert (returned.ok, returned.code, returned.value) == (False, code, None)
    assert said in str(returned.text)
    assert code == "output.not_json" or str(returned.text).startswith("give did not answer what it promises")


def test_kept_promises_are_written() -> None:
    """An answer is written as its declared type; what a body says in its own words passes as it is (O40)."""

    @action(query=True)
    async def look() -> dict[str, Crate] | None:
        """Look."""
        return {"a": Crate("a", Decimal("0.5"))}

    @action(query=True)
    def say() -> Returned:
        """Say."""
        return Returned(text="no", ok=False)

    assert answer(look) == {"a": {"name": "a", "weight": 0.5}}
    assert answer(say) == Returned(text="no", ok=False)


def test_loading_and_acting_are_declared() -> None:
    """An action may say that it loads outside text, runs code or acts; a query may load (O41, O42)."""

    @action(query=True, loads=True)
    def fetch(page: str) -> str:
        """Fetch."""
        return page

    @action(acts=True, runs=True)
    def press() -> None:
        """Press."""

    assert action_of(fetch).effects == frozenset[Effect]({"reads", "loads"})
    assert action_of(press).effects == frozenset[Effect]({"acts", "runs"})


def test_polling_is_declared() -> None:
    """An action may say that it is meant to be called again and again (case 074)."""

    @action(query=True, polls=True)
    def status() -> str:
        """Status."""
        return "10 %"

    assert action_of(status).polls
