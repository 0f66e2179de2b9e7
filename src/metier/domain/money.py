"""What does a model call cost?"""

from dataclasses import dataclass
from decimal import Decimal

Dollars = Decimal
"""An amount in US dollars."""

MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model call, in parts that do not overlap."""

    input: int = 0
    """Input tokens that were neither read from nor written to a cache."""
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )

    @property
    def sent(self) -> int:
        """All tokens that were sent to the model."""
        return self.input + self.cache_read + self.cache_write


@dataclass(frozen=True, slots=True)
class LlmPrice:
    """What a model costs, in dollars per million tokens (O60). Numbers and texts are read as exact decimals."""

    input: Dollars
    output: Dollars
    cache_read: Dollars | None = None
    """None: as `input`."""
    cache_write: Dollars | None = None
    """None: as `input`."""

    def __post_init__(self) -> None:
        for name in ("input", "output", "cache_read", "cache_write"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, Decimal):
                object.__setattr__(self, name, Decimal(str(value)))

    def of(self, usage: Usage) -> Dollars:
        """The cost of a call that used these tokens."""
        read = self.input if self.cache_read is None else self.cache_read
        write = self.input if self.cache_write is None else self.cache_write
        total = usage.input * self.input + usage.output * self.output
        if usage.cache_read or usage.cache_write:
            total += usage.cache_read * read + usage.cache_write * write
        return total / MILLION

    def at_most(self, sent: int, output: int) -> Dollars:
        """An upper bound for a call that sends so many tokens and may answer with so many."""
        dearest = max(self.input, self.cache_read or self.input, self.cache_write or self.input)
        return (sent * dearest + output * self.output) / MILLION


FREE = LlmPrice(Decimal(0), Decimal(0))
