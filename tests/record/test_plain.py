"""Values as plain JSON text."""

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import pytest

from metier.errors import RecordError
from metier.record.plain import data_text, plain_text

_CIRCLE: list[Any] = []
_CIRCLE.append(_CIRCLE)


def test_text_is_compact_and_ordered() -> None:
    """Members keep their order and nothing is put between them."""
    assert plain_text({"b": 1, "a": [True, None, 1.5], "ü": "é"}) == '{"b":1,"a":[true,null,1.5],"ü":"é"}'


def test_amounts_and_dates_become_texts() -> None:
    """Exact amounts and times survive as texts."""
    value = {"cost": Decimal("0.10"), "day": date(2026, 1, 2), "at": datetime(2026, 1, 2, 3, tzinfo=UTC)}
    assert plain_text(value) == '{"cost":"0.10","day":"2026-01-02","at":"2026-01-02T03:00:00+00:00"}'


def test_data_keeps_its_numbers() -> None:
    """In what models and people said, a decimal is a number with all its digits, and all else as anywhere (O34)."""
    long = Decimal("0.12345678901234567890123")
    value = MappingProxyType({"a": [long, {"b": (long,)}], "day": date(2026, 1, 2), "c": "\udcff"})
    assert data_text(value) == f'{{"a":[{long},{{"b":[{long}]}}],"day":"2026-01-02","c":"\\udcff"}}'
    assert data_text({"a": 1.5}) == plain_text({"a": 1.5})
    with pytest.raises(RecordError):
        data_text([Decimal("NaN")])


def test_any_mapping_is_an_object() -> None:
    """A read-only mapping is written like a dict."""
    assert plain_text(MappingProxyType({"a": (1, 2)})) == '{"a":[1,2]}'


def test_half_characters_are_escaped() -> None:
    """A lone surrogate, as in an odd file name, is stored and read back."""
    text = plain_text(["\udcff", "é"])
    assert text.isascii()
    assert json.loads(text) == ["\udcff", "é"]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), Decimal("NaN"), {1, 2}, object(), b"x", _CIRCLE])
def test_refuses_what_is_not_json(value: object) -> None:
    """What JSON cannot hold is refused with a cure."""
    with pytest.raises(RecordError, match="cannot be written to the record") as caught:
        plain_text({"facts": value})
    assert caught.value.hint
