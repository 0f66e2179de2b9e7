"""Form fields from a schema, and JSON from what was typed into them."""

import enum
import json
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from metier.actions.forms import TEXT, FormField, fields_of, json_of
from metier.actions.misfit import Misfit
from metier.actions.types import json_type
from metier.errors import InputInvalid

from .kinds import Crate

BY_ID = {
    "type": "object",
    "properties": {"id": {"type": "string", "description": "The crate to grade."}},
    "required": ["id"],
    "additionalProperties": False,
}


class Size(enum.Enum):
    """Mixed values."""

    SMALL = 1
    LARGE = "large"


@dataclass
class Order:
    """What is ordered."""

    crate_id: str
    """Which crate."""
    count: int
    share: Decimal
    urgent: bool
    due: date
    size: Size = Size.SMALL
    at: time | None = None
    seen: datetime | None = None
    tags: list[str] | None = None
    more: dict[str, Any] | None = None


FIELDS = fields_of(json_type(Order).schema)
FULL = {
    "crate_id": " c 7",
    "count": "3",
    "share": "0.10",
    "urgent": "Yes",
    "due": "2026-03-31",
    "size": "large",
    "at": "14:30",
    "seen": "2026-03-31 14:30",
    "tags": "red\n blue \n\n",
    "more": '{"a": 1}',
}


def said(values: dict[str, str]) -> str:
    """What is wrong with what was typed."""
    with pytest.raises(InputInvalid) as told:
        json_of(FIELDS, values)
    return told.value.message


def test_row_is_one_field() -> None:
    """A row that is taken by its id is one field, told by its description (O104, O105, O106)."""
    (only,) = fields_of(BY_ID)
    assert only == FormField("id", "The crate to grade.", "The crate to grade.")
    assert (only.number, only.yes_no, only.required) == (False, False, True)
    assert json_of([only], {"id": "c1"}) == '{"id":"c1"}'


@pytest.mark.parametrize("schema", [None, {"type": "string"}])
def test_text_is_one_line(schema: Any) -> None:
    """A job that takes text is one line, and what was typed is its JSON (O105)."""
    (only,) = fields_of(schema)
    assert (only.name, only.kind, only.required) == (TEXT, "text", True)
    assert json_of([only], {TEXT: 'Say "hi".'}) == '"Say \\"hi\\"."'


def test_members_are_fields() -> None:
    """A class is one field for each member, with its label, its kind and whether it must be there (O105, O106)."""
    assert [one.name for one in FIELDS] == list(Order.__dataclass_fields__)
    assert [one.kind for one in FIELDS] == [
        "text", "whole", "number", "yes_no", "date", "choice", "time", "date-time", "lines", "json",
    ]  # fmt: skip
    assert [one.required for one in FIELDS] == [True] * 5 + [False] * 5
    assert [(one.label, one.number, one.yes_no) for one in FIELDS[:4]] == [
        ("Which crate.", False, False), ("Count", True, False), ("Share", True, False), ("Urgent", False, True),
    ]  # fmt: skip
    assert (FIELDS[5].choices, FIELDS[5].values, FIELDS[5].default) == (("1", "large"), (1, "large"), "1")


def test_typed_text_becomes_json() -> None:
    """What was typed becomes the JSON that the skill takes, and reads as its type (O107)."""
    text = json_of(FIELDS, FULL)
    assert json_type(Order).read(json.loads(text)) == Order(
        " c 7", 3, Decimal("0.1"), True, date(2026, 3, 31), Size.LARGE, time(14, 30), datetime.fromisoformat("2026-03-31 14:30"),
        ["red", "blue"], {"a": 1},
    )  # fmt: skip
    assert '"share":0.10' in text


def test_empty_fields_are_left_out() -> None:
    """A field that is left empty is left out, so the skill's own default holds (O107)."""
    few = {name: FULL[name] for name in list(FULL)[:5]} | {"size": "", "tags": "  "}
    assert list(json.loads(json_of(FIELDS, few))) == list(FULL)[:5]


def test_what_is_missing_is_told_together() -> None:
    """Everything that is missing or wrong is told at once, with what the form asks for (O107, O110)."""
    told = said({"crate_id": " ", "count": "3.5", "share": "much"})
    assert "crate_id is missing" in told
    assert "count: '3.5' is no whole number" in told
    assert "share: 'much' is no number" in told
    assert "urgent is missing; due is missing" in told
    with pytest.raises(InputInvalid) as error:
        json_of(FIELDS, {})
    assert "count (a whole number), share (number), urgent (yes or no)" in error.value.hint
    assert "size (1 or large, may be left out)" in error.value.hint


@pytest.mark.parametrize(
    ("name", "typed", "reason"),
    [
        ("count", "1e-1", "no whole number"),
        ("count", "three", "no whole number"),
        ("count", "1_000", "no whole number"),
        ("share", "NaN", "no number"),
        ("share", "0x10", "no number"),
        ("share", "٣", "no number"),
        ("urgent", "maybe", "neither yes nor no"),
        ("due", "31.3.2026", "not a date, such as 2026-03-31"),
        ("due", "2026-02-30", "not a date, such as 2026-03-31"),
        ("at", "noon", "not a time, such as 14:30"),
        ("seen", "today", "not a date and time, such as 2026-03-31T14:30"),
        ("size", "2", "none of 1, large"),
        ("more", "{a: 1}", "no JSON"),
        ("tags", "[1", "no JSON"),
        ("more", "x" * 60, "no JSON"),
    ],
)
def test_what_is_none_is_told(name: str, typed: str, reason: str) -> None:
    """What is no number, no date, none of the choices is told by the field, what was typed, and what is due (O107)."""
    told = said({**FULL, name: typed})
    assert told.startswith(f"The form cannot be taken: {name}: ")
    assert told.endswith(f"is {reason}.")


def test_unknown_field_is_told() -> None:
    """A name that is no field is told, with the names that are (O110)."""
    assert "there is no field 'cuont'. There is: count" in said({**FULL, "cuont": "1"})


@pytest.mark.parametrize(
    ("typed", "text"), [("1.", "1"), ("+2", "2"), (".5", "0.5"), ("1e3", "1000"), ("-0", "0"), ("1E-2", "0.01")]
)
def test_numbers_are_written_as_json_does(typed: str, text: str) -> None:
    """A number is taken as people write it and written as JSON does, with all its digits (O107)."""
    assert f'"share":{text},' in json_of(FIELDS, {**FULL, "share": typed})
    long = "1.123456789012345678901234567890"
    assert f'"share":{long},' in json_of(FIELDS, {**FULL, "share": long})


def test_nested_members_are_json() -> None:
    """A member that has parts of its own is typed as JSON, and a tree is no end of fields (O105)."""
    fields = {one.name: one for one in fields_of(json_type(Crate).schema)}
    assert (fields["estimate"].kind, fields["member"].kind, fields["grade"].choices) == (
        "json",
        "json",
        ("fine", "poor"),
    )
    assert (fields["kind"].choices, fields["kind"].values) == (("wood", "1"), ("wood", 1))


def test_other_inputs_are_one_field() -> None:
    """An input that is no object is one field too; one that may be null may be left empty."""
    (only,) = fields_of({"type": ["integer", "null"], "description": "How many."})
    assert (only.kind, only.label, only.required) == ("whole", "How many.", False)
    assert (json_of([only], {TEXT: "4"}), json_of([only], {})) == ("4", "null")
    assert fields_of({"anyOf": [{"type": "integer"}, {"type": "string"}]})[0].kind == "json"


@hypothesis.given(st.dictionaries(st.sampled_from([one.name for one in FIELDS]), st.text(max_size=12)))
def test_any_typing_is_taken_or_told(values: dict[str, str]) -> None:
    """Whatever is typed is either JSON that the type reads or is told as wrong; nothing breaks (O107, O110)."""
    try:
        text = json_of(FIELDS, {**FULL, **values})
    except InputInvalid:
        return
    assert not isinstance(json_type(Order).read(json.loads(text)), Misfit)
