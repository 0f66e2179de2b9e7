"""Which classes are nothing but their annotations, and what are their members?

    class Estimate:
        hours: Decimal
        summary: str = ""

Python makes no `__init__` for such a class, and pydantic does not take it; a job's result may be one all the same (O35).
"""

import sys
from dataclasses import is_dataclass
from enum import Enum
from inspect import signature
from typing import Any, ClassVar, Protocol, get_origin, get_type_hints, is_typeddict

_NOT_THE_APPS = {*sys.stdlib_module_names, "pydantic", "pydantic_core", "typing_extensions"} - {"__main__"}
_READ_OTHERWISE = (BaseException, Enum, tuple, dict, list, str, int, float)

_MARKS = ("__pydantic_fields__", "__mapper__")


def is_plain_class(kind: Any) -> bool:
    """Whether a type is a class of the app's own with annotated members and no other way to be read."""
    if not isinstance(kind, type) or kind.__module__.partition(".")[0] in _NOT_THE_APPS or _is_of_a_kind(kind):
        return False
    return any("__annotations__" in vars(one) for one in kind.__mro__) and _takes_its_members(kind)


def _is_of_a_kind(kind: type) -> bool:
    """Whether a class is read in a way of its own."""
    if is_dataclass(kind) or is_typeddict(kind) or issubclass(kind, _READ_OTHERWISE) or Protocol in kind.__mro__:
        return True
    return any(hasattr(kind, mark) for mark in _MARKS)


def is_bare(kind: type) -> bool:
    """Whether a class leaves the making of instances to Python."""
    return not any("__init__" in vars(one) for one in kind.__mro__[:-1])


def _takes_its_members(kind: type) -> bool:
    """Whether its own `__init__`, if it has one, takes each member by name."""
    if is_bare(kind):
        return True
    try:
        taken = signature(kind).parameters
        return set(members_of(kind)) <= set(taken)
    except (NameError, TypeError, ValueError):
        return False


def members_of(kind: type) -> dict[str, Any]:
    """The public annotated members of a class with their types, those of its bases first."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: hint for name, hint in hints.items() if not name.startswith("_") and get_origin(hint) is not ClassVar}


def made(kind: type[Any], values: dict[str, Any]) -> Any:
    """An instance with these members: by its own `__init__` where it has one, else member by member."""
    if not is_bare(kind):
        return kind(**values)
    instance = kind()
    for name, value in values.items():
        setattr(instance, name, value)
    return instance
