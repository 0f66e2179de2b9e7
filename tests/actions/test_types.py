"""The JSON Schema that is sent for a Python type."""

import enum
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import Annotated, Any, Literal, Optional, Union
from uuid import UUID

import pydantic
import pytest

from metier.actions.types import held_to, json_type
from metier.errors import ActionError

from ..rules.source import environment
from .kinds import Crate, Estimate, Folder, Grade, Level, Made, Member, Odd, Place, Price, Scale, Shape, Term

NOWHERE: Any = "Nowhere"
HALF = Decimal("0.5")


def schema(kind: Any) -> Any:
    """The schema of a type."""
    return json_type(kind).schema


def members(kind: Any) -> Any:
    """The schemas of a type's members."""
    return schema(kind)["properties"]


def test_decimal_is_a_number_under_its_own_name() -> None:
    """The text holds the member as the document writes it: compact, its name unchanged, a number (O34)."""
    assert '"Hours":{"type":"number"' in json_type(Estimate).text
    assert json.loads(json_type(Estimate).text) == schema(Estimate)


@pytest.mark.parametrize("kind", [Estimate, Crate, Price, Member, Folder, Made])
def test_unknown_members_are_refused(kind: Any) -> None:
    """Every kind of class is an object whose members are all listed (O35)."""
    assert (schema(kind)["type"], schema(kind)["additionalProperties"]) == ("object", False)


def test_order_and_defaults_are_kept() -> None:
    """Members stand in the order they were written, and one with a default is optional (O35)."""
    assert list(members(Crate)) == list(Crate.__dataclass_fields__)
    assert schema(Crate)["required"] == ["owner", "estimate", "member", "price", "grade", "due"]
    assert schema(Estimate)["required"] == ["Hours"]
    assert schema(Member)["required"] == ["n"]


def test_defaults_are_json_values() -> None:
    """A default stands in the schema as the JSON data it is written as (O34, O35)."""
    told = members(Crate)
    assert (told["weights"]["default"], told["place"]["default"], told["seen"]["default"]) == ([1.5], [1, "a"], None)
    assert (members(Price)["amount"]["default"], members(Price)["grade"]["default"]) == (1.5, "fine")


def test_default_without_json_is_left_out() -> None:
    """A default that JSON has no form for is not told, and its member stays optional (O35)."""

    @dataclass
    class Odd:
        n: Decimal = Decimal("NaN")
        m: Any = field(default=print)

    assert members(Odd) == {"n": {"type": "number"}, "m": {}}
    assert "required" not in schema(Odd)


def test_nothing_has_a_title() -> None:
    """There are no titles, but a member called `title` stays, and so does a default that holds one."""

    @dataclass
    class Book:
        title: str
        more: dict[str, str] = field(default_factory=dict[str, str])
        cover: Annotated[Any, pydantic.Field(title="Cover")] = None
        form: Literal["title"] = "title"

    assert '"title":{"type":"string"}' in json_type(Book).text
    assert "Cover" not in json_type(Book).text
    assert members(Book)["form"]["default"] == "title"


def test_code_describes_its_members() -> None:
    """What a docstring, `Annotated`, `Field` or a text below a member says is told of it (O40)."""
    told = members(Crate)
    assert told["owner"]["description"] == "who it belongs to, by name"
    assert told["grade"]["description"] == "How good the crate is."
    assert told["seen"]["description"] == "When it was seen."
    assert told["price"]["properties"]["amount"]["description"] == "In dollars."
    assert members(Estimate)["Hours"]["description"] == "How long it takes, in hours."
    assert members(Member)["n"]["description"] == "How many."
    assert schema(Estimate)["description"] == "What an estimate says."


@pytest.mark.parametrize(
    ("kind", "sent"),
    [
        (str, {"type": "string"}),
        (int, {"type": "integer"}),
        (Decimal, {"type": "number"}),
        (
            Annotated[Decimal, pydantic.Field(gt=HALF, le=10)],
            {"type": "number", "exclusiveMinimum": 0.5, "maximum": 10},
        ),
        (date, {"type": "string", "format": "date"}),
        (datetime, {"type": "string", "format": "date-time"}),
        (time, {"type": "string", "format": "time"}),
        (UUID, {"type": "string", "format": "uuid"}),
        (Grade, {"type": "string", "description": "How good it is.", "enum": ["fine", "poor"]}),
        (Literal["a"], {"type": "string", "const": "a"}),
        (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),  # noqa: UP045 - as it may be written
        (Union[int, str], {"anyOf": [{"type": "integer"}, {"type": "string"}]}),  # noqa: UP007 - as it may be written
        (list[Decimal], {"type": "array", "items": {"type": "number"}}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (dict, {"type": "object", "additionalProperties": True}),
    ],
)
def test_plain_types_are_json_schema(kind: Any, sent: Any) -> None:
    """A plain type is what JSON Schema says of it, and an open mapping is an open object (O34, case 086)."""
    assert schema(kind) == sent


@pytest.mark.parametrize(
    ("kind", "sent"),
    [
        (Scale, {"type": "number", "description": "How large it is drawn.", "enum": [1, 0.1]}),
        (Term, {"type": "string", "description": "When it is paid.", "enum": ["2026-03-31", "2026-09-30"]}),
    ],
)
def test_enum_is_chosen_by_its_json(kind: Any, sent: Any) -> None:
    """An enum of decimals or dates is chosen by what they are as JSON, and each choice is read as its member (O34, O35)."""
    made = json_type(kind)
    assert made.schema == sent
    assert [made.read(made.write(one)) for one in kind] == list(kind)
    assert json_type(dict[str, kind | None]).read({"a": sent["enum"][1], "b": None}) == {"a": list(kind)[1], "b": None}


@pytest.mark.parametrize("kind", [Scale, Level, Grade])
def test_members_are_named_by_text(kind: Any) -> None:
    """A mapping whose members an enum names takes their texts, also where the enum is one of numbers (O35)."""
    made = json_type(dict[kind, int])
    value = dict.fromkeys(kind, 1)
    assert set(made.schema["propertyNames"]["enum"]) == set(made.write(value))
    assert made.read(made.write(value)) == value
    assert made.faults({"huge": 1})


def test_tuple_with_names_is_an_array() -> None:
    """A named tuple travels as an array and is read back as itself."""
    assert schema(Place)["type"] == "array"
    assert json_type(Place).read([1, 2.5]) == Place(1, 2.5)


def test_tree_is_an_object_with_a_definition() -> None:
    """A type that holds itself is an object at its root, keeps one definition, and goes there and back (case 084)."""
    made = json_type(Folder)
    tree = {"name": "a", "parts": [{"name": "b", "parts": [{"name": "c", "parts": []}]}]}
    assert (made.schema["type"], list(made.schema["$defs"])) == ("object", ["Folder"])
    assert made.read(tree) == Folder("a", [Folder("b", [Folder("c")])])
    assert made.write(made.read(tree)) == tree


def test_tree_is_refused_without_references() -> None:
    """Where a provider takes no references, a tree is refused by the name of the member that goes round (case 084)."""
    with pytest.raises(ActionError, match=r"schema\.recursive: Folder\.parts"):
        held_to(schema(Folder), references=False, open_objects=True)
    assert held_to(schema(Price), references=False, open_objects=False) == schema(Price)


def test_open_object_is_refused_where_closed() -> None:
    """Where a provider takes closed objects only, an open one is refused by its name (case 086)."""
    with pytest.raises(ActionError, match=r"schema\.open: notes"):
        held_to(schema(Crate), references=True, open_objects=False)
    assert held_to(schema(Crate), references=True, open_objects=True) == schema(Crate)


UNREADABLE = (dict[Literal[1, 2], int], enum.Enum("Odd", {"A": object()}), enum.Enum("Third", {"A": Decimal(1) / 3}))


@pytest.mark.parametrize(
    "kind", [Shape, Odd, Callable, object(), "Nowhere", list[NOWHERE], type("X", (), {}), *UNREADABLE]
)
def test_type_without_schema_is_named(kind: Any) -> None:
    """A type that has no schema is an error that names it and says what would do (O35)."""
    with pytest.raises(ActionError, match="has no JSON Schema") as told:
        json_type(kind)
    assert "dataclass" in told.value.hint


def test_local_class_is_read() -> None:
    """A class that is declared inside a function has a schema like any other, and a model that allows more stays open."""

    class Inner:
        n: int = 1

    class Open(pydantic.BaseModel, extra="allow"):
        inner: dict[str, int]

    assert members(Inner) == {"n": {"type": "integer", "default": 1}}
    assert schema(Open)["additionalProperties"] is True


def test_declaring_loads_no_pydantic() -> None:
    """To import metier and to declare an action loads no pydantic; that comes with the first schema (O39, O40)."""
    code = (
        "import sys, metier\nfrom metier.actions.info import Actions\n"
        "@metier.action('Look.', query=True)\ndef look(crate: 'list[int]') -> str: return ''\n"
        "told = Actions.of(look)\n"
        "assert (told.action, told.reads_only) == ('look', True)\n"
        "assert not {'pydantic', 'pydantic_core', 'jsonschema_rs'} & set(sys.modules), 'loaded'\n"
        "told.parameters_schema\nassert 'pydantic' in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
