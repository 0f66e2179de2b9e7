"""What known models cost."""

from decimal import Decimal

import pytest

from metier.domain.money import FREE, LlmPrice, Usage
from metier.models.prices import TieredPrice, known_price

LONG = LlmPrice(Decimal(5), Decimal(30), Decimal("0.5"))
TIERED = TieredPrice(Decimal(2), Decimal(10), Decimal("0.2"), tiers=((1000, LONG),))


def test_known_models_have_prices() -> None:
    """A model that genai-prices knows has its price, cached tokens too (O60)."""
    price = known_price("anthropic", "claude-opus-5-5")
    assert price == LlmPrice(Decimal(4), Decimal(20), Decimal("0.2"), Decimal(5))


@pytest.mark.parametrize(("provider", "name"), [("openai", "no-such-model"), ("nobody", "gpt-4o"), ("anthropic", "")])
def test_unknown_models_have_none(provider: str, name: str) -> None:
    """What is not known is unknown, never free (O63)."""
    assert known_price(provider, name) is None


def test_local_models_cost_nothing() -> None:
    """What Ollama serves costs nothing, whatever its name."""
    assert known_price("ollama", "gpt-4o") is FREE


def test_tiers_are_kept() -> None:
    """A model that is dearer when much is sent has both prices."""
    price = known_price("google", "gemini-2.5-pro")
    assert isinstance(price, TieredPrice)
    assert price.input < price.tiers[0][1].input
    assert price.tiers[0][0] == 200_000


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        (Usage(1000, 10), "0.0021"),
        (Usage(400, 10, 600), "0.00102"),
        (Usage(1001, 10), "0.005305"),
        (Usage(401, 10, 600), "0.002605"),
        (Usage(), "0"),
    ],
)
def test_whole_call_pays_its_tier(usage: Usage, cost: str) -> None:
    """All tokens of a call are paid at the tier that what was sent reaches, cached tokens among it."""
    assert TIERED.of(usage) == Decimal(cost)


def test_bound_holds_for_every_tier() -> None:
    """The bound is that of the dearest tier in reach, so no call can cost more (O58)."""
    assert TIERED.at_most(1000, 10) == Decimal("0.0021")
    assert TIERED.at_most(1001, 10) == Decimal("0.005305")
    falling = TieredPrice(Decimal(9), Decimal(9), tiers=((10, LlmPrice(Decimal(1), Decimal(1))),))
    assert falling.at_most(20, 1) >= falling.of(Usage(10, 1))
