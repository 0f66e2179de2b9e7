"""Python values as JSON data."""

import enum
from collections import deque
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from metier.actions.types import json_type
from metier.actions.written import number_of, written

from .kinds import Estimate, Grade, Made, Place, Price


class Word(str, enum.Enum):  # noqa: UP042 - the older way is still written
    """An enum that is text too."""

    ONE = "one"


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("1.50", 1.5),
        ("2", 2),
        ("2.0", 2),
        ("0.1", 0.1),
        ("1e30", 10**30),
        ("-0.005", -0.005),
        ("12345678901234567890", 12345678901234567890),
    ],
)
def test_decimal_is_written_exactly(value: str, number: float) -> None:
    """A decimal becomes the JSON number that is equal to it (O34)."""
    assert number_of(Decimal(value)) == number
    assert Decimal(repr(number_of(Decimal(value)))) == Decimal(value)


@pytest.mark.parametrize("value", [Decimal(1) / 3, Decimal("NaN"), Decimal("Infinity"), Decimal("1e400"), float("nan")])
def test_no_number_is_made_up(value: Any) -> None:
    """What no JSON number is equal to is refused, never rounded (O34, case 065)."""
    with pytest.raises(ValueError, match=r"number"):
        written([value])


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (Grade.POOR, "poor"),
        (Word.ONE, "one"),
        (date(2026, 3, 31), "2026-03-31"),
        (timedelta(seconds=90), "PT1M30S"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (Path("a/b"), "a/b"),
        (b"abc", "abc"),
        (Place(1, 2.5), [1, 2.5]),
        (deque([1]), [1]),
        (Price(), {"amount": 1.5, "grade": "fine"}),
        (
            {Grade.POOR: 1, 2: {date(2026, 1, 1): Decimal("0.5")}, True: 0},
            {"poor": 1, "2": {"2026-01-01": 0.5}, "true": 0},
        ),
        ({Decimal("1.50"): 1}, {"1.50": 1}),
    ],
)
def test_values_have_one_json_form(value: Any, data: Any) -> None:
    """A value is written the same wherever it stands."""
    assert written(value) == data
    assert written([{"a": value}]) == [{"a": data}]
    assert type(written(Word.ONE)) is str


def test_class_of_annotations_is_written_by_them() -> None:
    """An instance of a class of annotations is an object of its members, whether its type is known or not."""
    one = Estimate()
    one.Hours = Decimal("1.5")
    data = {"Hours": 1.5, "Summary": "", "NeedsParts": False, "tags": [], "after": None}
    assert written(one) == data
    assert json_type(Estimate).write(one) == data


@pytest.mark.parametrize("value", [object(), print, Made(1), {1, 2}, {(1, 2): 1}, b"\xff"])
def test_nothing_is_printed(value: Any) -> None:
    """What JSON has no form for is refused, never turned into text by `repr`, nor looked into (case 065)."""
    with pytest.raises((TypeError, ValueError)):
        written({"a": value})


def test_circle_is_refused() -> None:
    """A value that holds itself is an error and not the end of the stack."""
    around: list[Any] = []
    around.append(around)
    with pytest.raises(ValueError, match="holds itself"):
        written(around)


def test_set_is_written_where_promised() -> None:
    """A set that its type promises is a sorted list; where a list is promised, a set is refused (case 065)."""
    assert json_type(set[str]).write({"b", "a"}) == ["a", "b"]
    with pytest.raises(TypeError, match="no order"):
        json_type(list[str]).write({"b", "a"})


def test_near_misses_are_written() -> None:
    """A whole number for a decimal, or a tuple for a list, is written as what it plainly is."""

    @dataclass
    class Bill:
        total: Decimal
        lines: list[int]

    assert json_type(Bill).write(Bill(2, (1, 2))) == {"total": 2, "lines": [1, 2]}  # type: ignore[arg-type]  # on purpose
