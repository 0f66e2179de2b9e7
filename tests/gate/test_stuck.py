"""Failing again and again."""

from typing import Literal

import pytest

from metier.domain.call import Answered, Call
from metier.gate.stuck import Stuck

Outcome = Literal["done", "failed", "sent_back", "refused"]


def came(outcome: Outcome, action: str = "look", code: str = "", given: str = "") -> Answered:
    """One call that came out so."""
    return Answered(Call("c1", action, {"q": given}, 1), outcome, code, f"{action} {code} {given}".strip())


def found(limit: int, *answers: Answered) -> str:
    """What is found after these calls."""
    stuck = Stuck(limit)
    for answered in answers:
        stuck.saw(answered)
    return stuck.found


@pytest.mark.parametrize("outcomes", [("failed",) * 3, ("sent_back",) * 3, ("refused",) * 3])
def test_three_in_a_row_is_stuck(outcomes: tuple[Outcome, ...]) -> None:
    """Results sent back, refused calls and failing tools count alike (O30)."""
    stuck = Stuck(3)
    for place, outcome in enumerate(outcomes):
        assert stuck.found == ""
        stuck.saw(came(outcome, code=f"code.{place}"))
    assert stuck.found == "3 failures in a row: code.0, code.1, code.2"


def test_success_resets_the_row() -> None:
    """A call that did something resets the count (O30)."""
    failed = [came("failed", code="a"), came("failed", code="b")]
    assert found(3, *failed, came("done"), *failed) == ""
    assert found(3, *failed, came("done"), *failed, came("failed", code="c")) != ""


def test_accepted_result_resets_nothing() -> None:
    """An accepted result is the end, not progress."""
    failed = [came("failed", code="a"), came("failed", code="b")]
    assert found(3, *failed, came("done", "hand_back"), came("failed", code="c")) != ""


def test_one_tool_failing_alike_is_stuck() -> None:
    """Failures of one tool with one code are counted whatever other tool succeeds in between (case 045)."""
    guess = came("refused", "run", "script.missing")
    other = came("done", "look")
    assert found(3, guess, other, guess, other, guess) == "run: script.missing x 3"
    assert found(3, guess, other, guess, came("done", "run"), guess) == ""


def test_results_may_come_back_between_work() -> None:
    """Results that are sent back with real work in between are not counted together (O30)."""
    sent_back, work = came("sent_back", "hand_back", "check.not_accepted"), came("done")
    assert found(3, *(sent_back, work) * 5) == ""


def test_guessing_names_is_said() -> None:
    """Three misses with different names are told as that (case 045)."""
    misses = [came("refused", "run", "script.missing", name) for name in ("a", "b", "c")]
    assert found(3, *misses) == "script.missing x 3, different names"
    assert found(3, *(came("refused", "run", "script.missing", "a"),) * 3) == "script.missing x 3"


def test_reasons_are_kept_in_order() -> None:
    """All reasons since the last progress are told, oldest first (O27)."""
    stuck = Stuck(3)
    for answered in (came("failed", code="old"), came("done"), came("failed", code="a"), came("failed", code="b")):
        stuck.saw(answered)
    assert stuck.reasons == ("look a", "look b")


def test_words_count_as_failure() -> None:
    """Words where a result was due are a failure that was no call."""
    stuck = Stuck(1)
    stuck.failed("hand_back", "answer.words", "call it")
    assert (stuck.found, stuck.reasons) == ("answer.words x 1", ("call it",))
