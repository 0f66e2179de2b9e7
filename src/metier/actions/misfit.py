"""What is wrong with a value that could not be read, in sentences that a model can act on?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

ROW_MISSING = "row_missing"
"""The kind of fault of an id that is not there, or that may not be read."""

_SAID_BEFORE = ("Value error, ", "Assertion failed, ")


@dataclass(frozen=True, slots=True)
class Misfit:
    """The reasons why a value does not fit, each with its place, what was due and what came."""

    faults: tuple[str, ...]
    code: Literal["schema", "row"] = "schema"
    """`row` where an id names nothing that is here."""

    @property
    def text(self) -> str:
        """All reasons in one line."""
        return "; ".join(self.faults)

    def within(self, place: str) -> "Misfit":
        """The same, where the value is a member of something."""
        return Misfit(tuple(_placed(place, fault) for fault in self.faults), self.code)


def _placed(place: str, fault: str) -> str:
    head, colon, rest = fault.partition(": ")
    inner = bool(colon) and " " not in head
    return f"{place}.{head}: {rest}" if inner else f"{place}: {fault}"


def misfit_of(error: "ValidationError", value: Any) -> Misfit:
    """What pydantic found wrong with a value, each fault once."""
    details = error.errors(include_url=False)
    faults = dict.fromkeys(_sentence(one, value) for one in details)
    missing = any(one["type"] == ROW_MISSING for one in details)
    return Misfit(tuple(faults), "row" if missing else "schema")


def _sentence(detail: "ErrorDetails", value: Any) -> str:
    said = detail["msg"]
    for prefix in _SAID_BEFORE:
        said = said.removeprefix(prefix)
    said = said[:1].lower() + said[1:] if detail["type"] != ROW_MISSING and said[1:2].islower() else said
    place = _place(detail["loc"], value)
    return f"{place}: {said}" if place else said


def _place(steps: Sequence[int | str], value: Any) -> str:
    """The steps that lead through the value; pydantic also names the branches of unions, which nobody wrote."""
    found: list[str] = []
    for step in steps:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            continue
        found.append(str(step))
    return ".".join(found)
