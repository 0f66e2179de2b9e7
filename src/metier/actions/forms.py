"""What does a form ask for, so that its answers are the JSON a skill takes?

A form is made from the schema that another agent is handed the work by, and from nothing else (O104).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..domain.compact import compact
from ..domain.near import there_is
from ..errors import InputInvalid
from .declared import in_words
from .references import resolved
from .typed_text import Kind, NotSoError, as_typed, json_text

TEXT = "text"
"""The name of the one field of a job that takes text."""

_OF_TYPE: Mapping[str, Kind] = {"integer": "whole", "number": "number", "boolean": "yes_no", "string": "text"}
_OF_FORMAT: Mapping[str, Kind] = {"date": "date", "time": "time", "date-time": "date-time"}


@dataclass(frozen=True, slots=True)
class FormField:
    """One thing that a form asks for (O106)."""

    name: str
    label: str
    """What stands beside the field: its description, or its name in words."""
    description: str = ""
    kind: Kind = "text"
    required: bool = True
    choices: tuple[str, ...] = ()
    """What may be chosen, as it is typed."""
    default: str = ""
    """What stands in the field at first, as it would be typed; left alone it is what the skill itself takes."""
    whole_input: bool = False
    """Whether this one field is all that the skill takes, and not a member of it."""
    values: tuple[Any, ...] = ()
    """What each choice stands for, as JSON data."""

    @property
    def number(self) -> bool:
        """Whether a number is asked for."""
        return self.kind in {"number", "whole"}

    @property
    def yes_no(self) -> bool:
        """Whether it is a yes or a no."""
        return self.kind == "yes_no"


def fields_of(schema: Mapping[str, Any] | None) -> tuple[FormField, ...]:
    """The fields of a form for what a schema describes (O105).

    Args:
        schema: the schema of what a skill takes; none for a skill that takes text, which is one line.
    """
    if schema is None:
        return (FormField(TEXT, "Text", whole_input=True),)
    whole = resolved(schema)
    if whole.get("type") != "object" or not whole.get("properties"):
        return (_field(TEXT, whole, required=True, whole_input=True),)
    required = set(whole.get("required", ()))
    return tuple(_field(name, one, required=name in required) for name, one in whole["properties"].items())


def json_of(fields: Sequence[FormField], values: Mapping[str, str]) -> str:
    """The JSON that a skill takes, from what was typed into a form (O107). A field that is left empty is left out.

    Numbers keep all their digits.

    Raises:
        InputInvalid: something that is required is missing, or is no number, no date, none of the choices; all of it
            is told at once. Whether a number is in its bounds, the schema tells when the skill is given it.
    """
    known = {field.name: field for field in fields}
    faults = [f"there is no field {name!r}.{there_is(name, known)}" for name in values if name not in known]
    members: dict[str, str] = {}
    for field in fields:
        try:
            members |= _read(field, values.get(field.name, ""))
        except NotSoError as no:
            faults.append(str(no))
    if faults:
        raise InputInvalid(f"The form cannot be taken: {'; '.join(faults)}.", hint=_hint(fields))
    if len(fields) == 1 and fields[0].whole_input:
        return members.get(fields[0].name, "null")
    return "{" + ",".join(f"{compact(name)}:{text}" for name, text in members.items()) + "}"


def _read(field: FormField, typed: str) -> dict[str, str]:
    """The JSON text of one field by its name; nothing where it was left empty and may be."""
    if not typed.strip():
        if field.required:
            raise NotSoError(f"{field.name} is missing")
        return {}
    choices = dict(zip(field.choices, field.values, strict=True))
    try:
        return {field.name: json_text(field.kind, typed if field.kind == "text" else typed.strip(), choices)}
    except NotSoError as no:
        raise NotSoError(f"{field.name}: {_short(typed)} is {no}") from None


def _hint(fields: Sequence[FormField]) -> str:
    return f"It asks for: {', '.join(f'{one.name} ({_asked(one)})' for one in fields)}."


def _asked(field: FormField) -> str:
    words: Mapping[str, str] = {"whole": "a whole number", "yes_no": "yes or no", "json": "JSON"}
    said = " or ".join(field.choices) if field.kind == "choice" else words.get(field.kind, field.kind)
    return said if field.required else f"{said}, may be left out"


def _short(typed: str) -> str:
    return repr(typed if len(typed) <= 40 else typed[:37] + "...")


def _field(name: str, schema: Any, *, required: bool, whole_input: bool = False) -> FormField:
    whole = schema if isinstance(schema, Mapping) else {}
    one, nullable = _without_null(whole)
    said = str(one.get("description", ""))
    values = tuple(value for value in _choices(one) if value is not None)
    default = whole.get("default")
    return FormField(
        name,
        said or in_words(name),
        said,
        "choice" if values else _kind_of(one),
        required and not nullable,
        tuple(as_typed(value) for value in values),
        "" if default is None else as_typed(default),
        whole_input,
        values,
    )


def _without_null(schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], bool]:
    """The schema without the null that it allows, and whether it does."""
    kinds = schema.get("type")
    if isinstance(kinds, list):
        left = [one for one in kinds if one != "null"]
        return {**schema, "type": left[0] if len(left) == 1 else left}, "null" in kinds
    ways: list[Any] = schema.get("anyOf", schema.get("oneOf", []))
    real = [one for one in ways if one != {"type": "null"}]
    if len(real) != 1:
        return schema, len(real) < len(ways)
    return {**real[0], **{name: value for name, value in schema.items() if value is not ways}}, len(ways) > 1


def _choices(schema: Mapping[str, Any]) -> Iterator[Any]:
    if "const" in schema:
        yield schema["const"]
    yield from schema.get("enum", ())


def _kind_of(schema: Mapping[str, Any]) -> Kind:
    kind = schema.get("type")
    if kind == "string":
        return _OF_FORMAT.get(str(schema.get("format")), "text")
    if kind == "array" and isinstance(schema.get("items"), Mapping) and _kind_of(schema["items"]) == "text":
        return "lines"
    return _OF_TYPE.get(kind, "json") if isinstance(kind, str) else "json"
