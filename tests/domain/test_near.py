"""Names near the one that was asked for."""

from metier.domain.near import LISTED, near, there_is


def test_near_names_come_first() -> None:
    """The likeliest names are told first, then what else there is (case 045)."""
    assert there_is("loop", ["find", "look", "send"]) == " There is: look, find, send."


def test_case_does_not_matter() -> None:
    """A name in another case is near, and told as it is written."""
    assert near("LOOK", ["Look", "find"]) == ("Look",)


def test_no_names_give_no_sentence() -> None:
    """Where there is nothing, nothing is told."""
    assert there_is("look", []) == ""


def test_many_names_are_cut() -> None:
    """Of many names only a few are told, and how many more there are."""
    said = there_is("zzz", [f"a{number}" for number in range(50)])
    assert (said.count(","), said.endswith("and 45 more.")) == (LISTED - 1, True)
