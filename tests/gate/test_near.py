"""Names near the one that was asked for."""

from metier.gate.near import MOST, near_names


def test_near_names_are_listed() -> None:
    """The likeliest names are told, and how many more there are."""
    assert near_names("loop", ["look", "find", "send"]) == " There is: look (and 2 more)."


def test_few_names_are_all_listed() -> None:
    """Where none is near, the first ones are told."""
    assert near_names("xyz", ["b", "a"]) == " There is: a, b."


def test_no_names_give_no_sentence() -> None:
    """Where there is nothing, nothing is told."""
    assert near_names("look", []) == ""


def test_many_names_are_cut() -> None:
    """Of many names only a few are told."""
    said = near_names("zzz", [f"a{number}" for number in range(50)])
    assert said.count(",") == MOST - 1
    assert said.endswith("(and 45 more).")
