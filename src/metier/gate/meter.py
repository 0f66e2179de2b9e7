"""May this model call be paid for?

Before each call its upper bound is reserved; afterwards what was used replaces the reservation (O58).
"""

from collections.abc import Callable
from decimal import Decimal

from ..domain.money import Dollars, LlmPrice, Usage

NOTHING = Decimal(0)


class Meter:
    """The money of one task and of all its children."""

    def __init__(
        self, *, price: LlmPrice | None, budget: Dollars | None, spending: Callable[[], bool] | None = None
    ) -> None:
        self._spending = spending
        self._price = price
        self.budget = budget
        self.spent: Dollars = NOTHING
        self._reserved: Dollars = NOTHING

    @property
    def off(self) -> bool:
        """Whether the app has switched spending off (O64)."""
        return self._spending is not None and not self._spending()

    def reserve(self, sent: int, output: int) -> Dollars | None:
        """Set aside the most that a call can cost; none, and nothing set aside, if that would pass the budget.

        Args:
            sent: an upper bound of the tokens that it sends.
            output: the most tokens that it may answer with.
        """
        if self._price is None:
            return NOTHING
        bound = self._price.at_most(sent, output)
        if self.budget is not None and self.spent + self._reserved + bound > self.budget:
            return None
        self._reserved += bound
        return bound

    def settle(self, reserved: Dollars, usage: Usage) -> Dollars:
        """Replace a reservation by what was used, and answer what it cost."""
        cost = NOTHING if self._price is None else self._price.of(usage)
        self._reserved -= reserved
        self.spent += cost
        return cost

    def forfeit(self, reserved: Dollars) -> Dollars:
        """Charge a reservation whole: the call was cut, and what it cost is not known."""
        self._reserved -= reserved
        self.spent += reserved
        return reserved

    def release(self, reserved: Dollars) -> Dollars:
        """Give a reservation back, and answer what it cost: nothing was spent."""
        self._reserved -= reserved
        return NOTHING

    @property
    def left(self) -> Dollars | None:
        """What may still be spent; none without a budget."""
        return None if self.budget is None else self.budget - self.spent - self._reserved
