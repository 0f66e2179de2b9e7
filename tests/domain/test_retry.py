"""When work that failed is tried again."""

from typing import Any

import pytest

from metier.domain.retry import AGAIN, NEVER, Retry


def test_nothing_is_tried_again_by_default() -> None:
    """A job that says nothing has one try (O20)."""
    assert not any(Retry().again(reason, tried=1) for reason in AGAIN)


def test_so_many_tries_beside_the_first() -> None:
    """Two more are two more, whatever they fail for (O20)."""
    assert [Retry(times=2).again("stuck", tried=tried) for tried in (1, 2, 3)] == [True, True, False]


@pytest.mark.parametrize("reason", sorted(AGAIN))
def test_reasons_that_may_pass(reason: str) -> None:
    """What may come out otherwise is tried again by default (O20)."""
    assert Retry(times=1).again(reason, tried=1)


@pytest.mark.parametrize("when", [{"fault"}, ("fault",), lambda reason: reason == "fault"])
def test_only_the_named_reasons(when: Any) -> None:
    """Reasons are named, or a function tells (O20)."""
    retry = Retry(times=1, when=when)
    assert [retry.again(reason, tried=1) for reason in ("fault", "stuck")] == [True, False]


@pytest.mark.parametrize("reason", sorted(NEVER))
@pytest.mark.parametrize("when", [NEVER, lambda _: True])
def test_never_without_money(reason: str, when: Any) -> None:
    """The tries share one budget, so what ended for money is not tried again, whoever asks for it (O20, O57, O64)."""
    assert not Retry(times=9, when=when).again(reason, tried=1)


@pytest.mark.parametrize(
    "wrong", [{"times": -1}, {"times": True}, {"times": 1.5}, {"wait": -0.1}, {"wait": float("nan")}]
)
def test_wrong_numbers_are_refused(wrong: dict[str, Any]) -> None:
    """A number that means nothing is refused where it is written."""
    with pytest.raises(ValueError, match="must be"):
        Retry(**wrong)
