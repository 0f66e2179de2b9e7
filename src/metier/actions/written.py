"""How does a Python value become JSON data, with nothing lost and nothing printed?"""

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from typing import Any, TypeGuard

from ..domain.compact import compact
from .plain_class import is_bare, is_plain_class, members_of
from .rows import NO_ROWS, Rows


class HeldRow:
    """A stored row on its way through pydantic, which would take a row that is a dataclass apart."""

    __slots__ = ("row",)

    def __init__(self, row: object) -> None:
        self.row = row


_AS_IT_IS = frozenset({type(None), str, bool, int})
_LARGEST = 308
"""The most digits of a number before the point that a JSON number of double precision has."""


def written(value: Any, *, rows: Rows = NO_ROWS, sets: bool = False) -> Any:
    """The value as JSON data: a decimal as a number, a date as text, a row as its id; never by `repr` (case 065).

    Args:
        value: what is written.
        rows: knows the ids of rows.
        sets: whether a set is written, as a sorted list; else it is refused, since its order is chance.

    Raises:
        TypeError: it holds something that JSON has no form for.
        ValueError: it holds a number that no JSON number is equal to, or goes round in a circle.
    """
    try:
        return _written(value, rows, sets)
    except RecursionError:
        raise ValueError("it holds itself") from None


def number_of(value: Decimal) -> int | float:
    """The JSON number that is equal to a decimal.

    Raises:
        ValueError: there is none: it is not finite, or has more digits than a JSON number keeps.
    """
    if not value.is_finite():
        raise ValueError(f"{value} is no number")
    if value.adjusted() > _LARGEST:
        raise ValueError(f"{value} is larger than a JSON number gets")
    if value == value.to_integral_value():
        return int(value)
    number = float(value)
    if Decimal(repr(number)) != value:
        raise ValueError(f"{value} has more digits than a JSON number keeps; round it")
    return number


def _written(value: Any, rows: Rows, sets: bool) -> Any:  # noqa: FBT001 - one recursion, always called by place
    if type(value) in _AS_IT_IS:
        return value
    if isinstance(value, Mapping):
        return {_key(key, rows): _written(one, rows, sets) for key, one in value.items()}
    if isinstance(value, list | tuple | deque):
        return [_written(one, rows, sets) for one in value]
    if isinstance(value, set | frozenset):
        if not sets:
            raise TypeError("a set has no order; hand back a list")
        return sorted((_written(one, rows, sets) for one in value), key=compact)
    return _scalar(value, rows) if isinstance(value, float | Decimal | Enum) else _thing(value, rows, sets)


def _thing(value: Any, rows: Rows, sets: bool) -> Any:  # noqa: FBT001 - a step of that recursion
    if isinstance(value, HeldRow):
        return rows.id_of(value.row)
    if rows.knows(type(value)):
        return rows.id_of(value)
    members = _members(value)
    return _foreign(value) if members is None else _written(members, rows, sets)


def _scalar(value: float | Decimal | Enum, rows: Rows) -> Any:
    if isinstance(value, Enum):
        return _written(value.value, rows, sets=False)
    if isinstance(value, Decimal):
        return number_of(value)
    if not math.isfinite(value):
        raise ValueError(f"{value} is no number")
    return float(value)


def _key(key: Any, rows: Rows) -> str:
    if isinstance(key, str) and not isinstance(key, Enum):
        return key
    if isinstance(key, bool):
        return "true" if key else "false"
    made = str(key) if isinstance(key, Decimal) else _written(key, rows, sets=False)
    if isinstance(made, str | int | float):
        return made if isinstance(made, str) else compact(made)
    raise TypeError(f"a member cannot be named by a {type(key).__name__}")


def _members(value: Any) -> Mapping[str, Any] | None:
    """The members of a value that has some, not yet written."""
    if _is_instance_of_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    dump = getattr(value, "model_dump", None)
    if dump is not None:
        return dump(by_alias=True)  # type: ignore[no-any-return]  # pydantic's
    if is_bare(type(value)) and is_plain_class(type(value)):
        return {name: getattr(value, name) for name in members_of(type(value)) if hasattr(value, name)}
    return None


def _is_instance_of_dataclass(value: Any) -> TypeGuard[Any]:
    return is_dataclass(value) and not isinstance(value, type)


def _foreign(value: Any) -> Any:
    """Dates, ids, paths and the like, as pydantic writes them."""
    from pydantic_core import PydanticSerializationError, to_jsonable_python  # noqa: PLC0415 - only where it is needed

    try:
        return to_jsonable_python(value)
    except PydanticSerializationError as error:
        raise TypeError(str(error).split("\n", 1)[0].removeprefix("Error serializing to JSON: ")) from error
