"""May this model call be paid for?

Before each call its upper bound is reserved; afterwards what was used replaces the reservation (O58).
"""

from collections.abc import Callable
from decimal import Decimal

from ..domain.money import Dollars, LlmPrice, Usage

NOTHING = Decimal(0)


class Meter:
    """The money of one task. What it and its children spend goes up to the whole family's meter (O58, O76).

    Args:
        price: the model's; none: unknown, or this meter stands for a family that is not at work here.
        budget: the most that it may spend, in dollars.
        spending: whether models may be called just now.
        within: the meter of the task whose call handed the work on; a reservation must fit that one too, and so on up.
        elsewhere: what others have spent of this budget, in dollars; asked at each reservation.
    """

    def __init__(
        self,
        *,
        price: LlmPrice | None,
        budget: Dollars | None,
        spending: Callable[[], bool] | None = None,
        within: "Meter | None" = None,
        elsewhere: Callable[[], Dollars] | None = None,
    ) -> None:
        self._spending = spending
        self._price = price
        self._within = within
        self._elsewhere = elsewhere
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
        return bound if self.hold(bound) else None

    def hold(self, bound: Dollars) -> bool:
        """Set an amount aside here and all the way up, or nowhere."""
        left = self.left
        if left is not None and bound > left:
            return False
        if self._within is not None and not self._within.hold(bound):
            return False
        self._reserved += bound
        return True

    def spend(self, reserved: Dollars, cost: Dollars) -> None:
        """Put what something cost in the place of what was set aside for it, here and all the way up."""
        self._reserved -= reserved
        self.spent += cost
        if self._within is not None:
            self._within.spend(reserved, cost)

    def charge(self, cost: Dollars) -> None:
        """Count what an earlier run cost."""
        self.spend(NOTHING, cost)

    def settle(self, reserved: Dollars, usage: Usage) -> Dollars:
        """Replace a reservation by what was used, and answer what it cost."""
        cost = NOTHING if self._price is None else self._price.of(usage)
        self.spend(reserved, cost)
        return cost

    def forfeit(self, reserved: Dollars) -> Dollars:
        """Charge a reservation whole: the call was cut, and what it cost is not known."""
        self.spend(reserved, reserved)
        return reserved

    def release(self, reserved: Dollars) -> Dollars:
        """Give a reservation back, and answer what it cost: nothing was spent."""
        self.spend(reserved, NOTHING)
        return NOTHING

    @property
    def tightest(self) -> tuple[Dollars | None, Dollars]:
        """The budget with the least left, of this meter's and those above it, and what is gone of it (O76)."""
        left = self.left
        if self._within is not None:
            budget, gone = self._within.tightest
            if budget is not None and (left is None or budget - gone < left):
                return budget, gone
        if self.budget is None or left is None:
            return None, self.spent
        return self.budget, self.budget - left

    @property
    def left(self) -> Dollars | None:
        """What may still be spent of this budget; none without one."""
        if self.budget is None:
            return None
        others = NOTHING if self._elsewhere is None else self._elsewhere()
        return self.budget - self.spent - self._reserved - others
