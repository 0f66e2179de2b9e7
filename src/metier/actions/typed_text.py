"""What JSON does a person mean by what was typed into a field?"""

import json
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Literal

from ..domain.compact import compact

Kind = Literal["text", "number", "whole", "yes_no", "choice", "date", "time", "date-time", "lines", "json"]
"""What is typed into a field: `lines` are the texts of a list, one a line; `json` is everything that has parts."""

LARGEST = 308
"""The largest power of ten that a number of double precision has."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_YES = frozenset({"yes", "y", "true", "on", "1"})
_NO = frozenset({"no", "n", "false", "off", "0"})
_DATED: Mapping[str, tuple[type[date] | type[time], str]] = {
    "date": (date, "a date, such as 2026-03-31"),
    "time": (time, "a time, such as 14:30"),
    "date-time": (datetime, "a date and time, such as 2026-03-31T14:30"),
}


class NotSoError(Exception):
    """What was typed is not what the field takes. The message ends a sentence that begins "… is"."""


def json_text(kind: Kind, typed: str, choices: Mapping[str, Any]) -> str:
    """The JSON text of what was typed. A number keeps all its digits.

    Args:
        kind: what the field takes.
        typed: the text, not empty.
        choices: what each choice stands for.

    Raises:
        NotSoError: it is no number, no date, none of the choices.
    """
    if kind == "choice":
        return _chosen(typed, choices)
    return _dated(kind, typed) if kind in _DATED else _OF_KIND[kind](typed)


def as_typed(value: Any) -> str:
    """JSON data as a person would type it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return "\n".join(value)
    return compact(value)


def _number(typed: str) -> str:
    if not _NUMBER.fullmatch(typed):
        raise NotSoError("no number")
    value = Decimal(typed)
    if abs(value.adjusted()) > LARGEST:
        raise NotSoError("a number that is too large or too small")
    return str(int(value)) if value == value.to_integral_value() else f"{value:f}"


def _whole(typed: str) -> str:
    if not _NUMBER.fullmatch(typed) or Decimal(typed) != Decimal(typed).to_integral_value():
        raise NotSoError("no whole number")
    return _number(typed)


def _yes_no(typed: str) -> str:
    word = typed.casefold()
    if word in _YES:
        return "true"
    if word in _NO:
        return "false"
    raise NotSoError("neither yes nor no")


def _chosen(typed: str, choices: Mapping[str, Any]) -> str:
    if typed not in choices:
        raise NotSoError(f"none of {', '.join(choices)}")
    return compact(choices[typed])


def _lines(typed: str) -> str:
    if typed.startswith("["):
        return _json(typed)
    return compact([line.strip() for line in typed.splitlines() if line.strip()])


def _json(typed: str) -> str:
    try:
        return compact(json.loads(typed))
    except (ValueError, RecursionError):
        raise NotSoError("no JSON") from None


def _dated(kind: str, typed: str) -> str:
    form, wanted = _DATED[kind]
    try:
        return compact(form.fromisoformat(typed).isoformat())
    except ValueError:
        raise NotSoError(f"not {wanted}") from None


_OF_KIND: Mapping[str, Callable[[str], str]] = {
    "text": compact,
    "number": _number,
    "whole": _whole,
    "yes_no": _yes_no,
    "lines": _lines,
    "json": _json,
}
