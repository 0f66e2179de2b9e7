"""Dollars, exactly."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.domain.money import FREE, LlmPrice, Usage

TOKENS = st.integers(0, 10_000_000)
USAGES = st.builds(Usage, TOKENS, TOKENS, TOKENS, TOKENS)
AMOUNTS = st.decimals(0, 1000, places=4)
PRICES = st.builds(LlmPrice, AMOUNTS, AMOUNTS, st.none() | AMOUNTS, st.none() | AMOUNTS)


def test_price_is_per_million() -> None:
    """A price is dollars per million tokens (O60)."""
    assert LlmPrice(Decimal(3), Decimal(15)).of(Usage(input=1_000_000, output=100_000)) == Decimal("4.5")


@pytest.mark.parametrize("amount", [0.1, "0.1", Decimal("0.1")])
def test_amounts_are_exact(amount: Decimal) -> None:
    """A number or a text is taken as the decimal that it is written as, and nothing is lost in between (O60)."""
    price = LlmPrice(amount, Decimal(0))
    assert price.input == Decimal("0.1")
    assert price.of(Usage(input=3)) == Decimal("0.0000003")


def test_cache_has_its_own_price() -> None:
    """Tokens read from and written to a cache cost what is set for them, else what input costs (O60)."""
    usage = Usage(input=1, output=1, cache_read=1_000_000, cache_write=2_000_000)
    own = LlmPrice(Decimal(1), Decimal(0), Decimal("0.1"), Decimal("1.25"))
    assert own.of(usage) == Decimal("2.600001")
    assert LlmPrice(Decimal(1), Decimal(0)).of(usage) == Decimal("3.000001")


def test_usage_adds_up() -> None:
    """Usage adds member by member, and what was sent is all but the output."""
    total = Usage(1, 2, 3, 4) + Usage(10, 20, 30, 40)
    assert total == Usage(11, 22, 33, 44)
    assert total.sent == 88


def test_free_costs_nothing() -> None:
    """What is free costs nothing, however much is used."""
    assert FREE.of(Usage(10**9, 10**9, 10**9, 10**9)) == 0


@given(price=PRICES, usage=USAGES, more=st.integers(0, 1000))
def test_at_most_is_a_bound(price: LlmPrice, usage: Usage, more: int) -> None:
    """No call that sends and answers within the stated tokens costs more than the bound, whatever part is cached (O58)."""
    assert price.of(usage) <= price.at_most(usage.sent + more, usage.output + more)
