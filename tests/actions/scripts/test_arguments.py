"""Arguments of scripts as models send them."""

import json

import pytest

from metier.actions.scripts.arguments import arguments_of
from metier.domain.action import Miss


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ('["in.txt", "--out", "o.txt"]', ["in.txt", "--out", "o.txt"]),
        ("[]", []),
        (r'"[\"a\",\"b\"]"', ["a", "b"]),
        ("null", []),
    ],
)
def test_right_shapes_are_taken(args: str, expected: list[str]) -> None:
    """Lists of strings, null and a text that holds a list are understood (case 038)."""
    assert arguments_of(json.loads(args)) == expected


@pytest.mark.parametrize(
    "args",
    [
        '{"in": "x"}',
        '["a", 1]',
        '"a b"',
        "7",
        "true",
        '["a", null]',
        r'"\"a\""',
        '"null"',
        r'"[\"a\", 1]"',
        r'"[\"[]\", []]"',
    ],
)
def test_other_shapes_are_missed(args: str) -> None:
    """Nothing else is guessed (case 038)."""
    miss = arguments_of(json.loads(args))
    assert isinstance(miss, Miss)
    assert miss.code == "args.shape"
    assert miss.reason.startswith("args must be a list of strings")


@pytest.mark.parametrize("args", [["a\0b"], ["\ud800"], ["x" * 131_072], "[" * 100_000])
def test_impossible_arguments_are_missed(args: object) -> None:
    """What no process can be given is told before one starts."""
    assert isinstance(arguments_of(args), Miss)


def test_reason_names_the_item() -> None:
    """The model is told which item is wrong and what it is."""
    miss = arguments_of(["a", 1])
    assert isinstance(miss, Miss)
    assert miss.reason.endswith("and item 2 is a number.")
