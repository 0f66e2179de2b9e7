"""What does a known model cost?

The figures are those of `genai-prices`, which lie inside its wheel: nothing is fetched. What it does not know is unknown,
never free.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ..domain.money import FREE, Dollars, LlmPrice, Usage

if TYPE_CHECKING:
    from genai_prices.types import ModelPrice, TieredPrices

LOCAL = "ollama"
"""The provider whose models run on somebody's own machine, and cost nothing."""

KINDS = ("input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok")


@dataclass(frozen=True, slots=True)
class TieredPrice(LlmPrice):
    """A price that rises for the whole call once so many tokens are sent; its own figures are those below all tiers."""

    tiers: tuple[tuple[int, LlmPrice], ...] = ()
    """The price from above so many sent tokens, lowest first."""

    def of(self, usage: Usage) -> Dollars:
        """The cost of a call that used these tokens, at its tier."""
        return self._tier(usage.sent).of(usage)

    def at_most(self, sent: int, output: int) -> Dollars:
        """An upper bound for a call that sends at most so many tokens."""
        return max(price.at_most(sent, output) for start, price in self._all if sent > start)

    def _tier(self, sent: int) -> LlmPrice:
        return [price for start, price in self._all if sent > start][-1]

    @property
    def _all(self) -> tuple[tuple[int, LlmPrice], ...]:
        return (-1, LlmPrice(self.input, self.output, self.cache_read, self.cache_write)), *self.tiers


def known_price(provider: str, name: str) -> LlmPrice | None:
    """The price of a provider's model as it stands today; None where it is not known (O60, O63)."""
    if provider == LOCAL:
        return FREE
    # Heavy: 0.2 s, and only a real model needs it.
    from genai_prices.data_snapshot import get_snapshot  # noqa: PLC0415 - heavy, see above

    try:
        _, model = get_snapshot().find_provider_model(name, None, provider, None)
    except LookupError:
        return None
    return _price(model.get_prices(datetime.now(UTC)))


def _price(found: "ModelPrice") -> LlmPrice | None:
    rates = [getattr(found, kind, None) for kind in KINDS]
    if rates[0] is None or rates[1] is None:
        return None
    starts = sorted({tier.start for rate in rates for tier in getattr(rate, "tiers", ())})
    lowest = _at(rates, -1)
    if not starts:
        return lowest
    tiers = tuple((start, _at(rates, start + 1)) for start in starts)
    return TieredPrice(lowest.input, lowest.output, lowest.cache_read, lowest.cache_write, tiers)


def _at(rates: "list[Dollars | TieredPrices | None]", sent: int) -> LlmPrice:
    """The flat price of a call that sends so many tokens."""
    flat = [_flat(rate, sent) for rate in rates]
    return LlmPrice(flat[0] or Dollars(0), flat[1] or Dollars(0), flat[2], flat[3])


def _flat(rate: "Dollars | TieredPrices | None", sent: int) -> Dollars | None:
    if rate is None or isinstance(rate, Dollars):
        return rate
    reached = [tier.price for tier in rate.tiers if sent > tier.start]
    return reached[-1] if reached else rate.base
