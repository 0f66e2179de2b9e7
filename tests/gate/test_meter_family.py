"""One meter of money for a task and all that it handed on."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from metier.domain.money import LlmPrice, Usage
from metier.gate.meter import Meter

PRICE = LlmPrice(Decimal(1), Decimal(1))
MILLION = 1_000_000


def dollars(amount: int | str) -> int:
    """As many tokens as cost so much."""
    return int(Decimal(amount) * MILLION)


def test_reservation_fits_the_whole_family() -> None:
    """What fits a child's budget and not its parent's is not made, and sets nothing aside anywhere (O58, O76)."""
    family = Meter(price=PRICE, budget=Decimal(3))
    child = Meter(price=PRICE, budget=Decimal(10), within=family)
    assert child.reserve(dollars(4), 0) is None
    assert (child.left, family.left) == (Decimal(10), Decimal(3))


def test_own_budget_binds_too() -> None:
    """A child may not spend all that its family has (O76)."""
    family = Meter(price=PRICE, budget=Decimal(10))
    child = Meter(price=PRICE, budget=Decimal(1), within=family)
    assert child.reserve(dollars(2), 0) is None
    assert family.left == Decimal(10)


def test_all_of_it_goes_up() -> None:
    """Settled, forfeited and given back: the family counts what the child does (O58, O76)."""
    family = Meter(price=PRICE, budget=Decimal(10))
    grandchild = Meter(price=PRICE, budget=None, within=Meter(price=None, budget=None, within=family))
    held = [grandchild.reserve(dollars(2), 0) or Decimal(0) for _ in range(3)]
    assert family.left == Decimal(4)
    grandchild.settle(held[0], Usage(MILLION, 0))
    grandchild.forfeit(held[1])
    grandchild.release(held[2])
    assert (family.spent, family.left, grandchild.spent) == (Decimal(3), Decimal(7), Decimal(3))


def test_earlier_runs_are_charged_all_the_way() -> None:
    """A child that goes on inside its parent counts there with what it had spent before (O76)."""
    family = Meter(price=PRICE, budget=Decimal(3))
    Meter(price=PRICE, budget=None, within=family).charge(Decimal(2))
    assert (family.spent, family.reserve(dollars(2), 0)) == (Decimal(2), None)


def test_siblings_see_each_other() -> None:
    """What one has set aside the other cannot (O58, O76)."""
    family = Meter(price=PRICE, budget=Decimal(3))
    one, other = (Meter(price=PRICE, budget=None, within=family) for _ in range(2))
    assert one.reserve(dollars(2), 0) == 2
    assert other.reserve(dollars(2), 0) is None


def test_what_others_spend_elsewhere_is_looked_up() -> None:
    """A family that works elsewhere is asked at each reservation what it has spent (O76)."""
    spent = [Decimal(0)]
    family = Meter(price=None, budget=Decimal(3), elsewhere=lambda: spent[0])
    child = Meter(price=PRICE, budget=None, within=family)
    assert child.reserve(dollars(1), 0) == 1
    spent[0] = Decimal(2)
    assert child.reserve(dollars(1), 0) is None


def test_tightest_budget_is_told() -> None:
    """Who is out of money learns of the budget that bound it, its own or its family's."""
    family = Meter(price=PRICE, budget=Decimal(3), elsewhere=lambda: Decimal(2))
    child = Meter(price=PRICE, budget=Decimal(2), within=family)
    assert child.tightest == (Decimal(3), Decimal(2))
    assert Meter(price=PRICE, budget=Decimal(1), within=family).tightest == (Decimal(1), Decimal(0))
    assert Meter(price=PRICE, budget=None).tightest == (None, Decimal(0))


@given(
    calls=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2 * MILLION), st.floats(0, 1)), max_size=25),
    budgets=st.tuples(st.decimals(0, 9, places=2), st.decimals(0, 9, places=2), st.decimals(0, 9, places=2)),
)
def test_no_budget_of_a_family_is_passed(
    calls: list[tuple[int, int, float]], budgets: tuple[Decimal, Decimal, Decimal]
) -> None:
    """Whoever of three generations spends, no budget is passed, and the top has spent all of it (O57, O76)."""
    top = Meter(price=PRICE, budget=budgets[0])
    middle = Meter(price=PRICE, budget=budgets[1], within=top)
    family = [top, middle, Meter(price=PRICE, budget=budgets[2], within=middle)]
    total = Decimal(0)
    for who, sent, share in calls:
        reserved = family[who].reserve(sent, 0)
        if reserved is not None:
            total += family[who].settle(reserved, Usage(int(sent * share), 0))
    assert all(meter.left is not None and meter.left >= 0 for meter in family)
    assert top.spent == total
