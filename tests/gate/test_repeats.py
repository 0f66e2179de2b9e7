"""Going in circles."""

from itertools import cycle, islice

import pytest

from metier.gate.repeats import Repeats


def watch(calls: str, answers: str = "", *, same: int = 3, wide: int = 10) -> list[str]:
    """What was found after each call; a call is a letter, and so is its answer."""
    repeats = Repeats(same_call=same, same_call_new_answer=wide)
    found: list[str] = []
    for place, call in enumerate(calls):
        repeats.saw("look", call, answers[place] if answers else "same")
        found.append(repeats.found)
    return found


@pytest.mark.parametrize(
    ("circle", "said"),
    [
        ("A", "the same call 3 times"),
        ("AB", "the same 2 calls 3 times"),
        ("ABC", "the same 3 calls 3 times"),
        ("ABCD", "the same 4 calls 3 times"),
    ],
)
def test_circle_is_found_when_closed(circle: str, said: str) -> None:
    """A circle of up to four equal calls with equal answers is found at its third round, no sooner (O52, case 073)."""
    found = watch(circle * 3)
    assert found[-1] == said
    assert set(found[:-1]) == {""}


@pytest.mark.parametrize("calls", ["ABACAD", "ABCDE" * 3, "AABBCC", "AABAAB"])
def test_work_is_no_circle(calls: str) -> None:
    """Calls that return now and then, or circle wider than four, are no circle (case 073)."""
    assert set(watch(calls)) == {""}


def test_circle_may_begin_late() -> None:
    """What came before a circle does not hide it."""
    assert watch("XYZABABAB")[-1] == "the same 2 calls 3 times"


def test_new_answers_have_the_wide_limit() -> None:
    """One call with ever new answers goes on to the wide limit (O55, case 074)."""
    found = watch("A" * 12, "abcdefghijkl")
    assert set(found[:9]) == {""}
    assert found[9] == "the same call 10 times, each with a new answer"


def test_another_call_resets_the_row() -> None:
    """The wide limit counts calls in a row."""
    calls = "".join(islice(cycle("AAAAB"), 30))
    assert set(watch(calls, "abcdefghijklmnopqrstuvwxyz0123")) == {""}


@pytest.mark.parametrize("times", [2, 3, 5])
def test_limit_is_as_set(times: int) -> None:
    """The limit is the job's own (O11)."""
    found = watch("A" * times, same=times)
    assert [bool(one) for one in found] == [False] * (times - 1) + [True]


def test_arguments_tell_calls_apart() -> None:
    """Another action with the same arguments and answer is another call (O55)."""
    repeats = Repeats(same_call=2, same_call_new_answer=10)
    for action in ("look", "find", "read"):
        repeats.saw(action, "{}", "same")
    assert repeats.found == ""
