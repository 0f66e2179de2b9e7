"""What has a row of a mapped class, as facts and as JSON Schema (O118)?"""

import enum
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from sqlalchemy import JSON, Column, Table, UniqueConstraint
from sqlalchemy.orm import ColumnProperty

from ..domain.compact import compact
from .find import mapper_of

_TYPES: dict[type, Mapping[str, Any]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    Decimal: {"type": "number"},
    str: {"type": "string"},
    bytes: {"type": "string", "contentEncoding": "base64"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
    time: {"type": "string", "format": "time"},
    uuid.UUID: {"type": "string", "format": "uuid"},
    dict: {"type": "object"},
    list: {"type": "array"},
}


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a row."""

    name: str
    """As the class names it."""
    schema: Mapping[str, Any]
    """The schema of its value."""
    required: bool
    """Whether whoever makes a row must give it."""
    nullable: bool
    unique: bool
    """Whether no two rows have the same value; of a key of several columns none is unique alone."""
    max_length: int | None
    identity: bool
    """Whether it is an id that the database or the class makes."""
    computed: bool
    """Whether the database works it out, so that nobody gives it."""


def row_members(cls: type[Any]) -> tuple[Member, ...]:
    """The members of a mapped class that are columns, in the order of their declaration.

    Raises:
        ActionError: the class is not mapped.
    """
    mapper = mapper_of(cls)
    table = mapper.local_table
    found: list[Member] = []
    for one in mapper.column_attrs:
        column = _column(one)
        if column is not None:
            found.append(_member(one.key, one.doc or column.comment or "", column, table))
    return tuple(found)


def row_schema(cls: type[Any], *, ids: bool = False) -> dict[str, Any]:
    """The JSON Schema of a row, as a plain dict with the names of the members unchanged (O34).

    Args:
        cls: the mapped class.
        ids: with the ids and the computed members, for a row that is shown. Without them for one that is made.

    Raises:
        ActionError: the class is not mapped.
    """
    shown = [one for one in row_members(cls) if ids or not (one.identity or one.computed)]
    required = [one.name for one in shown if one.required or one.identity]
    schema = {"type": "object", "properties": {one.name: dict(one.schema) for one in shown}, "required": required}
    return {**schema, "additionalProperties": False}


def _column(one: ColumnProperty[Any]) -> Column[Any] | None:
    """The column that a member stands for; none for an expression."""
    found = one.columns[0]
    return found if isinstance(found, Column) else None


def _member(name: str, told: str, column: Column[Any], table: Any) -> Member:
    nullable = bool(column.nullable)
    identity = _is_identity(column, table)
    has_default = column.default is not None or column.server_default is not None
    length = getattr(column.type, "length", None)
    max_length = length if isinstance(length, int) and _python(column) is str and not _is_enum(column) else None
    return Member(
        name=name,
        schema=_schema(column, told, nullable=nullable, max_length=max_length),
        required=not (nullable or has_default or identity or column.computed is not None),
        nullable=nullable,
        unique=_is_unique(column),
        max_length=max_length,
        identity=identity,
        computed=column.computed is not None,
    )


def _schema(column: Column[Any], told: str, *, nullable: bool, max_length: int | None) -> dict[str, Any]:
    names = getattr(column.type, "enums", None) if _is_enum(column) else None
    if names is not None:
        schema: dict[str, Any] = {"enum": [*names, *([None] if nullable else [])]}
    else:
        schema = dict(_TYPES.get(_python(column), {}))
        if nullable and "type" in schema:
            schema["type"] = [schema["type"], "null"]
    if max_length is not None:
        schema["maxLength"] = max_length
    if told:
        schema["description"] = told
    default = _default(column)
    if default is not None:
        schema["default"] = default
    return schema


def _default(column: Column[Any]) -> Any:
    """A default that is a plain value, as JSON; one that is worked out is only a reason to be optional."""
    if column.default is None or not column.default.is_scalar:
        return None
    value = getattr(column.default, "arg", None)
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, Decimal):
        return float(value) if value.is_finite() else None
    if isinstance(value, uuid.UUID | date | time):
        return str(value) if isinstance(value, uuid.UUID) else value.isoformat()
    try:
        compact(value)
    except (TypeError, ValueError):
        return None
    return value


def _python(column: Column[Any]) -> type:
    if isinstance(column.type, JSON):
        return object  # any JSON value at all
    try:
        return column.type.python_type
    except NotImplementedError:
        return object


def _is_enum(column: Column[Any]) -> bool:
    return hasattr(column.type, "enums")


def _is_identity(column: Column[Any], table: Any) -> bool:
    if not column.primary_key:
        return False
    counted = isinstance(table, Table) and table.autoincrement_column is column
    made = column.default is not None and not column.default.is_scalar
    return counted or made or column.identity is not None or column.server_default is not None


def _is_unique(column: Column[Any]) -> bool:
    table: Any = column.table
    if column.unique or not isinstance(table, Table):
        return bool(column.unique)
    alone = [column]
    sets = [list(one.columns) for one in table.constraints if isinstance(one, UniqueConstraint)]
    sets += [list(one.columns) for one in table.indexes if one.unique]
    return alone in [list(table.primary_key.columns), *sets]
