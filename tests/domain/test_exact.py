"""Numbers that keep all their digits, from JSON text and back."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.domain.compact import compact
from metier.domain.exact import read_json

LONG = "0.12345678901234567890123"
LEAVES = st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False)
DIGITS = st.decimals(-(10**30), 10**30, allow_nan=False, places=25)
DATA = st.recursive(
    LEAVES | DIGITS, lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(), inside, max_size=3)
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.50", 1.5),
        ("0.1", 0.1),
        ("-0.0", -0.0),
        ("1e3", 1000.0),
        ("12345678901234567890", 12345678901234567890),
        (LONG, Decimal(LONG)),
        ("12345678901234567890.0", Decimal("12345678901234567890.0")),
        ("0.10000000000000000", 0.1),
        ("0e-999", 0.0),
    ],
)
def test_digits_are_kept_where_they_must_be(text: str, value: Any) -> None:
    """A number is a float where that is equal to what was written, and else a decimal with every digit (O34)."""
    (read,) = read_json(f"[{text}]")
    assert (type(read), read) == (type(value), value)
    assert Decimal(compact(read)) == Decimal(text)


@pytest.mark.parametrize(
    "text", ["NaN", "-Infinity", "1e400", "-1e400", "1e-400", "1e9999999999999999999", "1e999999999"]
)
def test_what_no_number_keeps_is_no_json(text: str) -> None:
    """What is out of the reach of numbers is refused: it would be infinite, nothing, or digits without an end."""
    with pytest.raises(ValueError, match=r"no JSON|no number"):
        read_json(f'{{"n": {text}}}')


@given(DATA)
def test_exact_text_reads_back(value: Any) -> None:
    """What is written reads back as the same, decimals among it, and is the usual text where there are none (O34)."""
    text = compact(value)
    assert _digits(read_json(text)) == _digits(value)


def test_decimals_are_written_anywhere() -> None:
    """A decimal is written as a number wherever it stands; one that is not finite is no JSON (case 065)."""
    value = {"a": [Decimal(LONG), {"b": (Decimal("1.50"), "x")}], "c": None}
    assert compact(value) == f'{{"a":[{LONG},{{"b":[1.50,"x"]}}],"c":null}}'
    assert json.loads(compact(value))["a"][1]["b"] == [1.5, "x"]
    for bad in (Decimal("NaN"), [Decimal(1), {2}]):
        with pytest.raises((TypeError, ValueError)):
            compact({"a": bad})


def _digits(value: Any) -> Any:
    """A value whose numbers are compared by the digits that they are written with."""
    if isinstance(value, float | Decimal):
        return Decimal(str(value))
    if isinstance(value, dict):
        return {name: _digits(one) for name, one in value.items()}
    return [_digits(one) for one in value] if isinstance(value, list) else value
