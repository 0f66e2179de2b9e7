"""All limits of a run together."""

from decimal import Decimal
from typing import Literal

from metier.domain.bounds import StopWhen
from metier.domain.call import Answered, Call
from metier.gate.bounds import Bounds
from metier.gate.meter import Meter


def bounds(**limits: float | None) -> Bounds:
    """Bounds without money."""
    return Bounds(StopWhen(**limits), Meter(price=None, budget=Decimal(0)))  # type: ignore[arg-type]  # each test gives the right ones


def saw(one: Bounds, outcome: Literal["done", "failed"], text: str, *, polls: bool = False) -> None:
    """Count one call of `look`."""
    one.saw(Answered(Call("c1", "look", {}, 1), outcome, "x.y", text), polls=polls)


def test_nothing_is_hit_at_first() -> None:
    """A run begins within its limits."""
    fresh = bounds(max_seconds=1000)
    assert fresh.hit() is None
    assert 0 < (fresh.seconds_left or 0) <= 1000
    assert bounds().seconds_left is None


def test_turns_are_counted() -> None:
    """The limit of turns is hit when it is reached; the turn before it is the last (O51, O56)."""
    one = bounds(max_turns=2)
    assert not one.last_turn
    one.turns = 1
    assert (one.last_turn, one.hit()) == (True, None)
    one.turns = 2
    ended = one.hit()
    assert ended is not None
    assert (ended.state, ended.reason, ended.text) == ("Failed", "max_turns", "max turns (2)")


def test_only_turn_is_the_last() -> None:
    """With one turn, the first is the last (O56)."""
    assert bounds(max_turns=1).last_turn


def test_repeats_end_the_run() -> None:
    """Going in circles ends it, with what was seen (O52, O56)."""
    one = bounds()
    for _ in range(3):
        saw(one, "done", "same")
    ended = one.hit()
    assert ended is not None
    assert (ended.state, ended.reason) == ("Failed", "repeats")
    assert "the same call 3 times" in ended.text


def test_polling_is_no_repeat() -> None:
    """An action that polls has the turn limit only (case 074)."""
    one = bounds()
    for _ in range(30):
        saw(one, "done", "same", polls=True)
    assert one.hit() is None


def test_stuck_tells_every_reason() -> None:
    """Being stuck ends it with all reasons since the last progress (O28)."""
    one = bounds(stuck_after=2)
    saw(one, "failed", "no such row")
    saw(one, "failed", "no such column")
    ended = one.hit()
    assert ended is not None
    assert (ended.state, ended.reason) == ("Failed", "stuck")
    assert ended.text == "stuck: x.y x 2. no such row | no such column"


def test_failing_alike_is_stuck() -> None:
    """The same call that fails alike each time is told as stuck, with its reason, for both limits are hit (case 061)."""
    one = bounds()
    for _ in range(3):
        saw(one, "failed", "no such row")
    ended = one.hit()
    assert ended is not None
    assert (ended.reason, "no such row" in ended.text) == ("stuck", True)


def test_time_runs_out() -> None:
    """When the time is over the run ends, and nothing of it is left (O56)."""
    one = bounds(max_seconds=1e-9)
    while one.seconds_left:
        pass
    ended = one.hit()
    assert ended is not None
    assert (ended.state, ended.reason, ended.text) == ("Failed", "seconds", "out of time (1e-09 s)")
