"""Money: reserved before, settled after."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from metier.domain.money import LlmPrice, Usage
from metier.gate.meter import Meter

PRICE = LlmPrice(Decimal(1), Decimal(2))
AMOUNTS = st.integers(0, 2_000_000)


def test_reservation_is_the_upper_bound() -> None:
    """The most that a call can cost is set aside (O58)."""
    meter = Meter(price=PRICE, budget=Decimal(10))
    assert meter.reserve(1_000_000, 500_000) == Decimal(2)
    assert (meter.left, meter.spent) == (Decimal(8), Decimal(0))


def test_budget_may_be_spent_whole() -> None:
    """A call that can just reach the budget is made; one token more is not (O58)."""
    assert Meter(price=PRICE, budget=Decimal(2)).reserve(1_000_000, 500_000) == Decimal(2)
    assert Meter(price=PRICE, budget=Decimal(2)).reserve(1_000_001, 500_000) is None


def test_refused_reservation_sets_nothing_aside() -> None:
    """A call that is not made leaves the budget as it was (O58)."""
    meter = Meter(price=PRICE, budget=Decimal(1))
    assert meter.reserve(10_000_000, 0) is None
    assert (meter.left, meter.spent) == (Decimal(1), Decimal(0))


def test_settling_replaces_the_reservation() -> None:
    """What was used replaces what was set aside, exactly (O58)."""
    meter = Meter(price=PRICE, budget=Decimal(10))
    reserved = meter.reserve(1_000_000, 500_000)
    assert reserved is not None
    assert meter.settle(reserved, Usage(input=3, output=7)) == Decimal("0.000017")
    assert (meter.spent, meter.left) == (Decimal("0.000017"), Decimal("9.999983"))


def test_open_reservations_count() -> None:
    """A second call sees what the first one may still cost (O58)."""
    meter = Meter(price=PRICE, budget=Decimal(3))
    assert meter.reserve(2_000_000, 0) == 2
    assert meter.reserve(2_000_000, 0) is None


def test_cut_call_costs_its_reservation() -> None:
    """A call that was cut is charged whole; one that never went out costs nothing."""
    meter = Meter(price=PRICE, budget=Decimal(10))
    assert meter.forfeit(meter.reserve(1_000_000, 0) or Decimal(0)) == 1
    meter.release(meter.reserve(1_000_000, 0) or Decimal(0))
    assert (meter.spent, meter.left) == (Decimal(1), Decimal(9))


def test_no_budget_has_no_end() -> None:
    """Without a budget everything may be paid for, and is still counted."""
    meter = Meter(price=PRICE, budget=None)
    assert meter.reserve(10**12, 10**12) is not None
    assert meter.left is None


def test_unpriced_counts_nothing() -> None:
    """Without a price nothing can be reckoned (O63)."""
    meter = Meter(price=None, budget=Decimal(1))
    assert [meter.reserve(10**12, 1), meter.settle(Decimal(0), Usage(1, 1)), meter.spent] == [Decimal(0)] * 3


@given(calls=st.lists(st.tuples(AMOUNTS, AMOUNTS, st.floats(0, 1)), max_size=20), budget=st.decimals(0, 20, places=3))
def test_budget_is_never_passed(calls: list[tuple[int, int, float]], budget: Decimal) -> None:
    """Whatever calls come, what is spent never passes the budget while each stays within its bound (O57, O58)."""
    meter = Meter(price=PRICE, budget=budget)
    for sent, output, share in calls:
        reserved = meter.reserve(sent, output)
        if reserved is not None:
            meter.settle(reserved, Usage(input=int(sent * share), output=int(output * share)))
        assert meter.spent <= budget
        assert meter.left == budget - meter.spent
