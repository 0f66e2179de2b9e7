"""What has a row: its members as facts, and the schema that a model is shown."""

import json
from typing import Any

import jsonschema_rs
import pytest
from sqlalchemy import JSON, LargeBinary, text
from sqlalchemy.orm import DeclarativeBase, Mapped, column_property, mapped_column

from metier.domain.compact import compact
from metier.errors import ActionError
from metier.rows.schema import row_members, row_schema

from .shop import Bill, Line, Part, Repair


class _Odd(DeclarativeBase):
    type_annotation_map = {dict[str, Any]: JSON}  # noqa: RUF012 - so SQLAlchemy wants it


class Odd(_Odd):
    """A row with members of rarer kinds."""

    __tablename__ = "odd"
    Key: Mapped[int] = mapped_column("key_column", primary_key=True)
    Data: Mapped[dict[str, Any]]
    Raw: Mapped[bytes] = mapped_column(LargeBinary)
    Made: Mapped[str] = mapped_column(server_default=text("now"))
    Flag: Mapped[bool] = mapped_column(default=False)
    Listed: Mapped[list[str]] = mapped_column(JSON, default=list)
    Next: Mapped[int] = column_property(Key + 1)


def test_a_row_is_described() -> None:
    """A row is described compactly under its own names: types, lengths, defaults, no id (O34, O118)."""
    assert compact(row_schema(Repair)) == (
        '{"type":"object","properties":{"ticket":{"type":"string","maxLength":40},'
        '"fault":{"type":"string","maxLength":200},"note":{"type":"string","maxLength":400,"default":""},'
        '"price":{"type":["number","null"],"description":"What the customer is charged."}},'
        '"required":["ticket","fault"],"additionalProperties":false}'
    )


def test_a_shown_row_has_its_id() -> None:
    """A row that is shown has its id and what the database works out."""
    assert row_schema(Repair, ids=True)["required"] == ["id", "ticket", "fault"]
    assert row_schema(Bill, ids=True)["properties"]["id"] == {"type": "string", "format": "uuid"}
    assert "euros" in row_schema(Part, ids=True)["properties"]


def test_ids_are_known() -> None:
    """An id that the database or the class makes is none to give; a code of the app's own is (O118)."""
    assert list(row_schema(Bill)["properties"]) == ["repair"]
    assert row_schema(Part)["required"] == ["code", "cents", "bought"]
    assert list(row_schema(Line)["properties"]) == ["bill", "number", "text"]


def test_facts_are_known() -> None:
    """Required, unique and longest are told of each member (O118)."""
    facts = {one.name: (one.required, one.unique, one.max_length, one.identity) for one in row_members(Repair)}
    assert facts == {
        "id": (False, True, None, True),
        "ticket": (True, True, 40, False),
        "fault": (True, False, 200, False),
        "note": (False, False, 400, False),
        "price": (False, False, None, False),
    }
    assert [one.name for one in row_members(Part) if one.unique] == ["code", "shelf"]
    assert [one.name for one in row_members(Line) if one.unique] == []


def test_rarer_kinds_are_described() -> None:
    """An enumeration is its names; JSON is anything; the class's name of a member counts, and not the column's."""
    assert row_schema(Part)["properties"]["size"] == {"enum": ["small", "large"], "default": "small"}
    schema = row_schema(Odd)
    assert schema["properties"] == {
        "Data": {},
        "Raw": {"type": "string", "contentEncoding": "base64"},
        "Made": {"type": "string"},
        "Flag": {"type": "boolean", "default": False},
        "Listed": {},
    }
    assert schema["required"] == ["Data", "Raw"]
    assert next(iter(row_schema(Odd, ids=True)["properties"])) == "Key"


@pytest.mark.parametrize(
    ("given", "fits"),
    [
        ('{"ticket":"T-8","fault":"bell"}', True),
        ('{"ticket":"T-8","fault":"bell","price":null}', True),
        ('{"ticket":"T-8"}', False),
        ('{"ticket":"' + "T" * 41 + '","fault":"bell"}', False),
        ('{"ticket":"T-8","fault":"bell","id":1}', False),
    ],
)
def test_the_schema_judges(given: str, *, fits: bool) -> None:
    """The schema is valid, and judges as the row's own declaration would (O48)."""
    assert jsonschema_rs.validator_for(row_schema(Repair)).is_valid(json.loads(given)) is fits


def test_other_classes_are_told() -> None:
    """A class that is not mapped has no members."""
    with pytest.raises(ActionError, match="no mapped class"):
        row_schema(int)
