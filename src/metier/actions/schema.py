"""Do these arguments fit this schema, and if not, why not, in words a model can act on?"""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import jsonschema_rs

from ..errors import ActionError

Faults = tuple[str, ...]
Check = Callable[[Any], Faults]
"""Answers the reasons why a value does not fit, none when it fits."""

MOST_FAULTS = 8
MOST_COMPILED = 4096

# By identity, with the schema kept alive beside it: schemas are plain dicts, made once and used for every call.
_compiled: dict[int, tuple[Mapping[str, Any], Check]] = {}

_DATE = r"\d{4}-\d{2}-\d{2}"
_TIME = r"\d{2}:\d{2}(:\d{2}(\.\d+)?)?([zZ]|[+-]\d{2}:?\d{2})?"
_FORMS = {
    "date": (re.compile(_DATE), "a date, such as 2026-03-31"),
    "time": (re.compile(_TIME), "a time, such as 14:30"),
    "date-time": (re.compile(f"{_DATE}[tT ]{_TIME}"), "a date and time, such as 2026-03-31T14:30:00Z"),
}
"""How dates and times look where they are judged. Whether there is such a day, the reader of the type tells."""


_NOT_JUDGED = (
    "duration", "email", "hostname", "idn-email", "idn-hostname", "ipv4", "ipv6", "iri", "iri-reference", "json-pointer",
    "regex", "relative-json-pointer", "uri", "uri-reference", "uri-template", "uuid",
)  # fmt: skip
"""Formats that the reader of a type judges better."""


def check_for(schema: Mapping[str, Any], *, formats: bool = False) -> Check:
    """The compiled check of a JSON Schema; compiled once for each schema object.

    Remote references are never fetched.

    Args:
        schema: the schema.
        formats: whether texts with the format of a date or a time must look like one; such a check is not kept.

    Raises:
        ActionError: the schema is no valid JSON Schema.
    """
    if formats:
        return _compile(schema, formats=True)
    found = _compiled.get(id(schema))
    if found is not None:
        return found[1]
    check = _compile(schema)
    if len(_compiled) >= MOST_COMPILED:
        _compiled.clear()
    _compiled[id(schema)] = (schema, check)
    return check


def _compile(schema: Mapping[str, Any], *, formats: bool = False) -> Check:
    judged: dict[str, Callable[[str], bool]] = dict.fromkeys(_NOT_JUDGED, _never_judged)
    judged |= {name: _fullmatch(form) for name, (form, _) in _FORMS.items()}
    try:
        validator = jsonschema_rs.validator_for(
            dict(schema), retriever=_never_fetch, validate_formats=formats, formats=judged if formats else None
        )
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError, TypeError) as error:
        raise ActionError(
            f"A schema is no valid JSON Schema: {_first_line(error)}.", hint="Mend the schema."
        ) from error
    is_valid = validator.is_valid

    def check(value: Any) -> Faults:
        if is_valid(value):
            return ()
        return tuple(
            _in_words(error) for error, _ in zip(validator.iter_errors(value), range(MOST_FAULTS), strict=False)
        )

    return check


def _fullmatch(form: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: form.fullmatch(text) is not None


def _never_judged(_: str) -> bool:
    return True


def _never_fetch(uri: str) -> Any:
    raise ValueError(f"a schema may not refer to {uri}: nothing is fetched")


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0].rstrip(".")


def _in_words(error: jsonschema_rs.ValidationError) -> str:
    place = ".".join(str(step) for step in error.instance_path)
    branches: list[list[jsonschema_rs.ValidationError]] | None = getattr(error.kind, "context", None)
    if branches and all(branches):
        return _of_branches(error, branches, place)
    return _at(place, _said(error))


def _said(error: jsonschema_rs.ValidationError) -> str:
    wanted = _wanted(error)
    return f"expected {wanted}, got {_got(error.instance)}" if wanted else error.message


def _wanted(error: jsonschema_rs.ValidationError) -> str:
    """What was due, where that is a type or a form; else empty."""
    form = _FORMS.get(getattr(error.kind, "format", ""))
    return form[1] if form is not None else " or ".join(getattr(error.kind, "types", None) or ())


def _of_branches(
    error: jsonschema_rs.ValidationError, branches: list[list[jsonschema_rs.ValidationError]], place: str
) -> str:
    """A value that may be one of several things: what is wrong with it as what it seems to be, else all that it may be."""
    here = list(error.instance_path)
    meant = [one for one in branches if not any(_is_of_another_type(fault, here) for fault in one)]
    if len(meant) == 1:
        return "; ".join(_in_words(fault) for fault in meant[0])
    if not meant:
        wanted = dict.fromkeys(_wanted(one[0]) for one in branches)
        return _at(place, f"expected {' or '.join(wanted)}, got {_got(error.instance)}")
    ways = dict.fromkeys("; ".join(_in_words(fault) for fault in one) for one in meant)
    return " / or ".join(ways)


def _is_of_another_type(fault: jsonschema_rs.ValidationError, here: list[str | int]) -> bool:
    return bool(getattr(fault.kind, "types", None)) and list(fault.instance_path) == here


def _at(place: str, said: str) -> str:
    return f"{place}: {said}" if place else said


def _got(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"boolean {str(value).lower()}"
    if isinstance(value, int | float | Decimal):
        return f"number {value}"
    if isinstance(value, str):
        short = value if len(value) <= 40 else value[:37] + "..."
        return f'string "{short}"'
    return "array" if isinstance(value, list) else "object"
