"""Do these arguments fit this schema, and if not, why not, in words a model can act on?"""

from collections.abc import Callable, Mapping
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


def check_for(schema: Mapping[str, Any]) -> Check:
    """The compiled check of a JSON Schema; compiled once for each schema object.

    Remote references are never fetched.

    Raises:
        ActionError: the schema is no valid JSON Schema.
    """
    found = _compiled.get(id(schema))
    if found is not None:
        return found[1]
    check = _compile(schema)
    if len(_compiled) >= MOST_COMPILED:
        _compiled.clear()
    _compiled[id(schema)] = (schema, check)
    return check


def _compile(schema: Mapping[str, Any]) -> Check:
    try:
        validator = jsonschema_rs.validator_for(dict(schema), retriever=_never_fetch, validate_formats=False)
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


def _never_fetch(uri: str) -> Any:
    raise ValueError(f"a schema may not refer to {uri}: nothing is fetched")


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0].rstrip(".")


def _in_words(error: jsonschema_rs.ValidationError) -> str:
    place = ".".join(str(step) for step in error.instance_path)
    types = getattr(error.kind, "types", None)
    if types:
        said = f"expected {' or '.join(types)}, got {_got(error.instance)}"
    else:
        said = error.message
    return f"{place}: {said}" if place else said


def _got(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"boolean {str(value).lower()}"
    if isinstance(value, int | float):
        return f"number {value}"
    if isinstance(value, str):
        short = value if len(value) <= 40 else value[:37] + "..."
        return f'string "{short}"'
    return "array" if isinstance(value, list) else "object"
