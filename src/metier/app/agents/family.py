"""What does a child's task need of its parent, where the parent runs elsewhere or not at all?"""

from decimal import Decimal

from ...domain.money import Dollars
from ...gate.meter import Meter
from ...record import Record
from ..agency import Parent
from ..earlier import Earlier


def parent_again(record: Record, earlier: Earlier) -> Parent | None:
    """The parent of a child that goes on by itself: what its whole family has spent counts against the family's budget.

    None for a task without a parent.
    """
    parent = earlier.given.facts.get("parent")
    if parent is None:
        return None
    child = earlier.given.task
    root = child.split(".", 1)[0]
    first = next(iter(record.entries(root)), None)
    told = None if first is None else first.facts.get("budget")

    def elsewhere() -> Dollars:
        return record.spent(root) - record.spent(child)

    family = Meter(price=None, budget=None if told is None else Decimal(told), elsewhere=elsewhere)
    return Parent(parent, family)
