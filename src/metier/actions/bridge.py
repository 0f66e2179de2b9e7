"""How does pydantic learn of the types it does not take: stored rows, classes of annotations only, some enums and more?

Such a class is given the method that pydantic asks a class for, with a stand-in that pydantic knows. Nothing else of it
changes. Importing this module imports pydantic.
"""

import dataclasses
import sys
from collections.abc import Iterator, Mapping
from copy import deepcopy
from decimal import Decimal
from enum import Enum
from functools import partial
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

import typing_extensions
from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import PydanticCustomError, core_schema

from ..domain.compact import compact
from .descriptions import first_paragraph
from .misfit import ROW_MISSING
from .plain_class import is_plain_class, made, members_of
from .rows import Rows, rows_in
from .written import HeldRow, written

_PLAIN_VALUES = frozenset({str, bool, int, float, type(None)})

METHOD = "__get_pydantic_core_schema__"
JSON_METHOD = "__get_pydantic_json_schema__"
MIRROR_OF = "__metier_mirror_of__"
"""Where a stand-in names the class that it stands for."""


def prepare(kind: Any, rows: Rows) -> bool:
    """Teach pydantic every type that is reached from one, and answer whether stored rows are among them.

    Raises:
        NameError: a type is written as a name that is not known.
        TypeError: an enum has a value that JSON has no form for.
        ValueError: an enum has a number that no JSON number is equal to.
    """
    seen: set[type] = set()
    waiting: list[Any] = [kind]
    found = False
    while waiting:
        one = waiting.pop()
        waiting.extend(get_args(one))
        one = get_origin(one) or getattr(one, "__supertype__", one)
        if not isinstance(one, type) or one in seen:
            continue
        seen.add(one)
        if rows.knows(one):
            found = True
            _teach_row(one)
        elif issubclass(one, Enum):
            _teach_enum(one)
        else:
            waiting.extend(_taught(one))
    return found


def _taught(kind: type) -> Iterator[Any]:
    """Teach one class if there is need, and go on with the types of its members."""
    if is_typeddict(kind):
        hints = get_type_hints(kind, include_extras=True)
        if type(kind).__module__ == "typing" and sys.version_info < (3, 12):
            _teach(kind, partial(_as_mirror, _typed_dict_of(kind, hints)))
        yield from hints.values()
    elif is_plain_class(kind):
        hints = members_of(kind)
        if METHOD not in vars(kind) and not hasattr(kind, METHOD):
            _teach(kind, partial(_through_mirror, kind, _dataclass_of(kind, hints)))
        yield from hints.values()
    elif dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"):
        yield from get_type_hints(kind, include_extras=True).values()


def _teach(kind: type, answer: Any) -> None:
    """Give a class the method that pydantic asks for; what derives from it and is something else is left to pydantic."""
    if METHOD in vars(kind):
        return

    def core(_: type, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return answer(handler) if source is kind else handler(source)

    setattr(kind, METHOD, classmethod(core))


def _as_mirror(mirror: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
    return handler.generate_schema(mirror)


def _through_mirror(kind: type, mirror: type, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
    inner = handler.generate_schema(mirror)
    names = tuple(field.name for field in dataclasses.fields(mirror))

    def forth(instance: Any) -> Any:
        return made(kind, {name: getattr(instance, name) for name in names})

    def back(instance: Any, write: core_schema.SerializerFunctionWrapHandler) -> Any:
        stand_in: Any = object.__new__(mirror)
        for name in names:
            object.__setattr__(stand_in, name, getattr(instance, name))
        return write(stand_in)

    writing = core_schema.wrap_serializer_function_ser_schema(back, schema=inner)
    return core_schema.no_info_after_validator_function(forth, inner, serialization=writing)


def _dataclass_of(kind: type, hints: Mapping[str, Any]) -> Any:
    """A dataclass with the members of a class, and with its defaults."""
    fields = [(name, hint, *_default_of(kind, name)) for name, hint in hints.items()]
    mirror = dataclasses.make_dataclass(kind.__name__, fields, kw_only=True)
    return _named(mirror, kind)


def _default_of(kind: type, name: str) -> tuple[Any, ...]:
    default = getattr(kind, name, dataclasses.MISSING)
    if default is dataclasses.MISSING:
        return ()
    if type(default).__hash__ is None:
        return (dataclasses.field(default_factory=partial(deepcopy, default)),)
    return (default,)


def _typed_dict_of(kind: Any, hints: Mapping[str, Any]) -> Any:
    required: frozenset[str] = kind.__required_keys__
    members = {name: _wrapped(hint, required=name in required) for name, hint in hints.items()}
    return _named(typed_dict(kind.__name__, members), kind)


def typed_dict(name: str, members: Mapping[str, Any]) -> Any:
    """A TypedDict made at run time; its code says nothing of its members."""
    made_now = typing_extensions.TypedDict(name, dict(members))  # type: ignore[misc]  # noqa: UP013 - its names are made at run time
    setattr(made_now, MIRROR_OF, object)
    return made_now


def _wrapped(hint: Any, *, required: bool) -> Any:
    if get_origin(hint) in {typing_extensions.Required, typing_extensions.NotRequired}:
        return hint
    return typing_extensions.Required[hint] if required else typing_extensions.NotRequired[hint]


def _named(mirror: Any, kind: type) -> Any:
    mirror.__module__, mirror.__qualname__, mirror.__doc__ = kind.__module__, kind.__qualname__, kind.__doc__
    setattr(mirror, MIRROR_OF, kind)
    return mirror


def _teach_row(kind: type) -> None:
    if METHOD in vars(kind):
        return

    def find(row_id: str, info: core_schema.ValidationInfo) -> object:
        row = rows_in(info.context).find(kind, row_id)
        if row is None:
            # One answer, whether it is not there or may not be read (O44).
            raise PydanticCustomError(
                ROW_MISSING, "there is no {kind} {id}", {"kind": kind.__name__, "id": compact(row_id)}
            )
        return row

    def core(_: type, _source: Any, _handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        # Whoever writes the rest has the rows that know its id.
        writing = core_schema.plain_serializer_function_ser_schema(
            lambda one: HeldRow(one) if isinstance(one, kind) else one
        )
        return core_schema.with_info_after_validator_function(find, core_schema.str_schema(), serialization=writing)

    def as_json(_: type, _schema: core_schema.CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "description": f"The id of a {kind.__name__}."}

    setattr(kind, METHOD, classmethod(core))
    setattr(kind, JSON_METHOD, classmethod(as_json))


def _teach_enum(kind: type[Enum]) -> None:
    """Teach an enum of decimals, dates and the like, which pydantic does not know again by how it writes them."""
    if METHOD in vars(kind) or all(type(one.value) in _PLAIN_VALUES for one in kind):
        return
    choices = [written(one.value) for one in kind]
    named = {
        choice if isinstance(choice, str) else compact(choice): one for choice, one in zip(choices, kind, strict=True)
    }  # a member is named by text only
    known = {_alike(name): one for name, one in (*named.items(), *zip(choices, kind, strict=True))}

    def find(value: Any) -> Enum:
        found = value if isinstance(value, kind) else known.get(_alike(value))
        if found is None:
            raise PydanticCustomError("enum", "input should be one of {choices}", {"choices": compact(choices)})
        return found

    def core(_: type, _source: Any, _handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        writing = core_schema.plain_serializer_function_ser_schema(lambda one: one)
        return core_schema.no_info_plain_validator_function(find, serialization=writing)

    def as_json(_: type, _schema: core_schema.CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        told = first_paragraph(vars(kind).get("__doc__"))
        types = {
            "string" if isinstance(one, str) else "number" for one in choices if isinstance(one, str | int | float)
        }
        of_one = len(types) == 1 and all(isinstance(one, str | int | float) for one in choices)
        return {**({"type": types.pop()} if of_one else {}), **({"description": told} if told else {}), "enum": choices}

    setattr(kind, METHOD, classmethod(core))
    setattr(kind, JSON_METHOD, classmethod(as_json))


def _alike(value: object) -> object:
    """What equal JSON values have in common: 2 and 2.0 are one number."""
    is_number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    return Decimal(str(value)) if is_number else compact(value)
