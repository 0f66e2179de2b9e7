"""What pydantic accepts, the sent schema accepts, and back: for every kind of type."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Literal
from uuid import UUID

import hypothesis
import jsonschema_rs
import pydantic
import pytest
from hypothesis import strategies as st

from metier.actions.misfit import Misfit
from metier.actions.rows import NoRows
from metier.actions.types import JsonType, json_type

from .json_data import ANY, fitting
from .kinds import (
    Animal,
    Branch,
    Cat,
    Crate,
    Dog,
    Estimate,
    Folder,
    Grade,
    Level,
    Made,
    Member,
    Note,
    Page,
    Place,
    Price,
    PricedNote,
    Scale,
    Term,
)

Bounded = Annotated[int, pydantic.Field(ge=2, lt=9)]
Short = Annotated[str, pydantic.StringConstraints(min_length=1, max_length=3)]
Nickels: Any = pydantic.condecimal(multiple_of=Decimal("0.05"), ge=Decimal(0))
Few = Annotated[list[int], pydantic.Field(min_length=1, max_length=2)]
EXAMPLES = 20
"""For each kind and rule; there are a hundred and fifty of them."""

KINDS: Sequence[Any] = (
    str, int, float, bool, Decimal, date, datetime, time, UUID, Grade, Bounded, Short, None,
    Literal["a", 2], int | str, Decimal | None, list[Decimal], dict[str, Decimal], set[int], tuple[int, str],
    tuple[int, ...], Mapping[str, Any], list[Any], Estimate, Made, Member, Folder, Place, Price, Crate,
    list[Crate | None], Estimate | Price | None, dict[str, Folder],
    Level, Scale, Term, Note, PricedNote, Animal, Cat | Dog | None, list[Animal], Branch, Page[int], Page[Animal | None],
    Nickels, Few, dict[Grade, int], dict[date, Decimal], dict[Literal["x", "y"], int], dict[Scale, Term],
    Literal["a", True, 3] | None, bool | int | str, date | str, datetime | date, Decimal | str, timedelta | None,
    list[Note | int], tuple[Scale | None, ...], dict[str, Note | Branch | None],
)  # fmt: skip
STRICT: Sequence[Any] = (
    str, int, float, bool, Grade, Bounded, Short, None, int | str, list[int], dict[str, float], tuple[int, str],
    set[int], UUID, Place, list[Grade | None], dict[str, list[bool]], date, datetime, date | None, Literal["a", 2] | None,
    bool | int, dict[Grade, int], dict[Literal["x", "y"], int], Few, Member, Note, Cat, Dog, Animal, Folder, list[Note],
    Note | None, dict[str, Animal], Cat | Dog,
)  # fmt: skip
"""Kinds that pydantic judges as strictly as JSON Schema does; it also takes the text of a number for a decimal, and the
text of seconds for a time, which we do not."""


@dataclass(frozen=True)
class Box:
    """A stored row."""

    id: str


@dataclass(frozen=True)
class Order:
    """What holds rows."""

    box: Box
    more: list[Box]
    spare: Box | None = None
    named: Mapping[str, Box | int] = field(default_factory=dict[str, Box | int])


class Shelf(NoRows):
    """The rows of a shelf, which has any box that is asked for."""

    def knows(self, kind: type) -> bool:
        return kind is Box

    def find(self, kind: type, row_id: str) -> object | None:
        assert kind is Box
        return Box(row_id)

    def id_of(self, row: object) -> str:
        assert isinstance(row, Box)
        return row.id


SHELF = Shelf()


@cache
def made(at: int) -> JsonType[Any]:
    """The JSON side of one kind."""
    return json_type(KINDS[at])  # type: ignore[no-any-return]  # of whatever type


@pytest.mark.parametrize("at", range(len(KINDS)), ids=lambda at: str(KINDS[at]))
@hypothesis.settings(max_examples=EXAMPLES)
@hypothesis.given(data=st.data())
def test_what_fits_the_schema_is_read(at: int, data: st.DataObject) -> None:
    """Whatever fits the sent schema is read, and what is written of it fits and reads the same (O24, O34, O35)."""
    kind = made(at)
    value = data.draw(fitting(kind.schema))
    read = kind.read(value)
    assert not isinstance(read, Misfit), read
    again = kind.write(read)
    assert kind.faults(json.loads(json.dumps(again))) == ()
    assert kind.write(kind.read(again)) == again


@pytest.mark.parametrize("at", range(len(KINDS)), ids=lambda at: str(KINDS[at]))
@hypothesis.settings(max_examples=EXAMPLES)
@hypothesis.given(data=st.data())
def test_what_is_read_fits_the_schema(at: int, data: st.DataObject) -> None:
    """Any other JSON data is either refused with reasons, or fits the sent schema by any other judge (O24, O35)."""
    kind = made(at)
    value = data.draw(ANY | _mutated(fitting(kind.schema)))
    read = kind.read(value)
    if isinstance(read, Misfit):
        assert all(read.faults)
    else:
        assert jsonschema_rs.validator_for(dict(kind.schema), validate_formats=False).is_valid(value)


@pytest.mark.parametrize("kind", STRICT, ids=str)
@hypothesis.settings(max_examples=EXAMPLES)
@hypothesis.given(data=st.data())
def test_pydantic_and_the_schema_agree(kind: Any, data: st.DataObject) -> None:
    """What pydantic alone accepts as JSON the sent schema accepts, and the other way round (O35).

    Members that nobody declared are left aside: pydantic passes over them, and we refuse them.
    """
    sent = json_type(kind)
    value = data.draw(ANY | _mutated(fitting(sent.schema), more=False))
    by_pydantic = _accepts(kind, value)
    if not _holds_whole_float(value):  # 1.0, which JSON does not tell from 1, pydantic tells from it
        assert (sent.faults(value) == ()) == by_pydantic or kind is UUID


@hypothesis.settings(max_examples=EXAMPLES * 3)
@hypothesis.given(data=st.data())
def test_rows_inside_may_be_left_out(data: st.DataObject) -> None:
    """Rows travel as their ids wherever they stand, and where they may be left out they may (O43, O127)."""
    kind = json_type(Order, rows=SHELF)
    value = data.draw(fitting(kind.schema))
    read = kind.read(value, rows=SHELF)
    assert isinstance(read, Order), read
    assert [type(one) for one in (read.box, *read.more)] == [Box] * (1 + len(read.more))
    assert read.spare is None if value.get("spare") is None else read.spare == Box(value["spare"])
    again = kind.write(read, rows=SHELF)
    assert again == {"spare": None, "named": {}, **value}


def _accepts(kind: Any, value: Any) -> bool:
    try:
        pydantic.TypeAdapter(kind).validate_json(json.dumps(value), strict=True)
    except pydantic.ValidationError:
        return False
    return True


def _holds_whole_float(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_holds_whole_float(one) for one in value.values())
    if isinstance(value, list):
        return any(_holds_whole_float(one) for one in value)
    return isinstance(value, float) and value.is_integer()


def _mutated(values: st.SearchStrategy[Any], *, more: bool = True) -> st.SearchStrategy[Any]:
    """Values with one thing about them changed: a member gone, one more, or one of another kind."""
    ways = st.integers(0, 9) if more else st.integers(0, 9).filter(lambda at: at % 3 != 1)
    return st.builds(_change, values, ways, ANY)


def _change(value: Any, at: int, other: Any) -> Any:
    if isinstance(value, dict) and value:
        name = list(value)[at % len(value)]
        if at % 3 == 0:
            return {key: one for key, one in value.items() if key != name}
        return {**value, ("more" if at % 3 == 1 else name): other}
    if isinstance(value, list) and value:
        return [*value[: at % len(value)], other, *value[at % len(value) + 1 :]]
    return other
