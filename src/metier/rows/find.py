"""Which row does an id name, and by which id is a row named?

A model names a row by text (O127). An id that names nothing, and one whose row may not be seen, are answered alike (O44).
"""

import json
import re
import uuid
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, inspect
from sqlalchemy.exc import NoInspectionAvailable
from sqlalchemy.orm import Mapper, Session

from ..domain.compact import compact
from ..errors import ActionError

R = TypeVar("R")
Key = int | str | uuid.UUID

_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,18}")
_LARGEST = 2**63 - 1
"""What a database's largest whole number holds; a larger one names no row."""


def find(session: Session, cls: type[R], text: str, *, may: Callable[[R], bool] | None = None) -> R | None:
    """The row that an id names (O43); none when there is none, and when `may` says that it may not be seen (O44).

    The id of a key of several columns is a JSON array of its values, in the order of the columns.

    Raises:
        ActionError: rows of this class have no key that can be written as text.
    """
    key = _read(mapper_of(cls), text)
    if key is None:
        return None
    row = session.get(cls, key)
    if row is None or row in session.deleted:
        return None
    return row if may is None or may(row) else None


def id_of(row: object) -> str:
    """The id that names a row, as `find` reads it.

    Raises:
        ActionError: the row has no key yet: it was never written.
    """
    mapper = mapper_of(type(row))
    # A row that was stored has an identity, even where it was left behind by its session and tells nothing more.
    key = inspect(row).identity or mapper.primary_key_from_instance(row)
    if any(part is None for part in key):
        raise ActionError(f"This {type(row).__name__} has no id yet.", hint="Flush the session before you name it.")
    for column in mapper.primary_key:
        key_type(column)
    texts = [part if isinstance(part, int | str) else str(part) for part in key]
    return compact(texts) if len(texts) > 1 else str(texts[0])


def mapper_of(cls: type[Any]) -> Mapper[Any]:
    """What SQLAlchemy knows of a mapped class.

    Raises:
        ActionError: the class is not mapped.
    """
    try:
        found: Mapper[Any] = inspect(cls)
    except NoInspectionAvailable as error:
        raise ActionError(f"{cls.__qualname__} is no mapped class.", hint="Map it with SQLAlchemy.") from error
    return found


def key_type(column: ColumnElement[Any]) -> type[Key]:
    """The Python type of a key's column: int, str or UUID.

    Raises:
        ActionError: it is another one.
    """
    try:
        kind = column.type.python_type
    except NotImplementedError:
        kind = object
    if kind in (int, str, uuid.UUID):
        return kind
    raise ActionError(
        f"The key {column} is of a type that no id is written for.", hint="Use an int, a str or a UUID as the key."
    )


def _read(mapper: Mapper[Any], text: str) -> tuple[Key, ...] | None:
    kinds = [key_type(column) for column in mapper.primary_key]
    parts = [_number(text) if kinds == [int] else text] if len(kinds) == 1 else _listed(text)
    if not isinstance(parts, list) or len(parts) != len(kinds):
        return None
    read = [_part(part, kind) for part, kind in zip(parts, kinds, strict=True)]
    return None if None in read else tuple(part for part in read if part is not None)


def _listed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _part(part: Any, kind: type[Key]) -> Key | None:
    """One value of a key, which has one spelling only: no rule on arguments is passed by another one."""
    if kind is int:
        return part if isinstance(part, int) and not isinstance(part, bool) and abs(part) <= _LARGEST else None
    if not isinstance(part, str) or "\0" in part:
        return None
    if kind is str:
        return part
    try:
        read = uuid.UUID(part)
    except ValueError:
        return None
    return read if str(read) == part else None


def _number(text: str) -> int | None:
    return int(text) if _WHOLE.fullmatch(text) else None
