"""How is a value written as JSON for other programs?"""

import json
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from typing import Any

from .clean import harmless
from .say import say


def print_json(value: Any) -> None:
    """Print a value as JSON, its members in their own order; money as text, so that no digit is lost."""
    say(json_text(value))


def print_line(value: Any) -> None:
    """Print a value as one line of JSON, for who reads line by line."""
    say(json_text(value, indent=None))


def json_text(value: Any, *, indent: int | None = 2) -> str:
    """A value as JSON that does nothing to a terminal: what `clean` makes visible is written as JSON's own escape."""
    narrow = not (sys.stdout.encoding or "").lower().startswith("utf")
    text = json.dumps(plain(value), ensure_ascii=narrow, indent=indent)
    return "".join(character if harmless(character) else _escaped(character) for character in text)


def _escaped(character: str) -> str:
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else json.dumps(character)[1:-1]


def plain(value: Any) -> Any:
    """A value of ours as JSON data. Of code its name is left."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return _without_order(value) if isinstance(value, frozenset) else _code_by_name(value)


def _without_order(value: frozenset[Any]) -> list[Any]:
    return sorted((plain(one) for one in value), key=str)


def _code_by_name(value: Any) -> Any:
    return getattr(value, "__qualname__", type(value).__qualname__) if callable(value) else value
