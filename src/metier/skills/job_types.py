"""What does a job's class take and hand back, as JSON?

A stored row travels by its id: `{"id": "7"}`. It is looked up in a unit of work that only reads, by the rights in force.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ..actions.misfit import Misfit
from ..actions.rows import NO_ROWS, Rows
from ..errors import InputInvalid
from .job import Skill, types_of

if TYPE_CHECKING:
    from ..actions.types import JsonType

ID = "id"
"""The one member of an input that is a stored row."""


@dataclass(frozen=True, slots=True)
class Types:
    """The JSON sides of a job; none for text."""

    takes: "JsonType[Any] | None"
    back: "JsonType[Any] | None"
    row: bool
    """Whether what it takes is a stored row itself."""

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """JSON Schema of the input; none for text."""
        return by_id("") if self.row else None if self.takes is None else self.takes.schema

    @property
    def back_schema(self) -> Mapping[str, Any] | None:
        """JSON Schema of the result; none for words."""
        if self.back is None:
            return None
        return by_id("") if _is_row(self.back.kind) else self.back.schema

    def input(self, given: Any, rows: Rows) -> Any:
        """What the job takes, from an input as it stands on the record.

        Raises:
            InputInvalid: a row is not there or may not be read, which are told alike (O44); or the value is none.
        """
        if self.takes is None or given is None:
            return given
        read = self.takes.read(given.get(ID) if self.row else given, rows=rows)
        if isinstance(read, Misfit):
            raise InputInvalid(f"The input does not fit: {read.text}.", hint="Name what is there and may be read.")
        return read

    def written(self, value: Any, rows: Rows) -> Any:
        """An input as it stands on the record: from what the job takes, or from JSON data, as it is.

        Raises:
            InputInvalid: it cannot be written as what the job takes.
        """
        if self.row and self.takes is not None and isinstance(value, self.takes.kind):
            return {ID: rows.id_of(value)}
        if self.takes is None or _is_json(value):
            return value
        try:
            return self.takes.write(value, rows=rows)
        except (TypeError, ValueError, AttributeError) as error:
            kind = getattr(self.takes.kind, "__name__", self.takes.kind)
            raise InputInvalid(f"The input is no {kind}: {error}.", hint="Give what the skill takes.") from error


_TYPES: "WeakKeyDictionary[type, Types]" = WeakKeyDictionary()
"""The types of each class, made once, for as long as the class is there."""


def json_types(cls: type[Skill[Any, Any]]) -> Types:
    """What a skill takes and what it hands back."""
    found = _TYPES.get(cls)
    if found is None:
        takes, back = types_of(cls)
        found = _TYPES[cls] = Types(_json_type(takes), _json_type(back), _is_row(takes))
    return found


def input_json(skill: Skill[Any, Any], value: Any, rows: Rows = NO_ROWS) -> Any:
    """An input as JSON data: an instance of what the skill takes, or JSON data already.

    Raises:
        InputInvalid: it cannot be written as what the skill takes.
    """
    return json_types(type(skill)).written(value, rows)


def result_of(skill: Skill[Any, Any], result: Any, rows: Rows = NO_ROWS) -> Any:
    """A result as an instance of what the skill hands back; as it is where that is text. Its rows are loaded and on their own.

    Raises:
        InputInvalid: a row that it names is not there any more.
    """
    back = json_types(type(skill)).back
    if back is None or result is None:
        return result
    read = read_back(back, result, rows)
    if isinstance(read, Misfit):
        raise InputInvalid(
            f"The result of {skill.name} cannot be read any more: {read.text}.", hint="Read it as JSON, on the receipt."
        )
    return read


def read_back(back: "JsonType[Any]", result: Any, rows: Rows) -> Any:
    """A result as its type, or the reasons why it is none. Where it holds rows, they are looked up for it."""
    if not back.has_rows:
        return back.read(result)
    with rows.reading():
        return back.read(in_back(back, result), rows=rows)


def in_back(back: "JsonType[Any]", result: Any) -> Any:
    """What of a result the type reads: a stored row is handed back by its id, as a member of an object."""
    return result.get(ID) if _is_row(back.kind) and isinstance(result, dict) else result


def by_id(label: str) -> Mapping[str, Any]:
    """JSON Schema of a stored row, by its id."""
    told = {"type": "string", "description": label} if label else {"type": "string"}
    return {"type": "object", "properties": {ID: told}, "required": [ID], "additionalProperties": False}


def _is_row(kind: Any) -> bool:
    return kind is not str and isinstance(kind, type) and NO_ROWS.knows(kind)


def _json_type(kind: Any) -> "JsonType[Any] | None":
    if kind is str:
        return None
    from ..actions.types import json_type  # noqa: PLC0415 - pydantic: 100 ms, only for what is no text

    found: JsonType[Any] = json_type(kind)
    return found


def _is_json(value: Any) -> bool:
    """Whether a value is JSON data already. A TypedDict with a date or a row in it is a dict, and none."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_json(one) for key, one in value.items())
    if isinstance(value, list):
        return all(_is_json(one) for one in value)
    return value is None or isinstance(value, str | int | float | Decimal)
