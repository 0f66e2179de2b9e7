"""Inside of which run does the code run that runs now?

A call that hands work to another agent finds here what the work shares with it: the money, the person who is asked, and
how its worker leaves (O76).
"""

from contextvars import ContextVar
from dataclasses import dataclass

from ..gate.meter import Meter
from .assignment import Assignment


@dataclass(frozen=True, slots=True)
class Within:
    """The run of a task."""

    assignment: Assignment
    meter: Meter


WITHIN: ContextVar[Within | None] = ContextVar("metier_within", default=None)
"""The run that the code here is part of; none: it is part of no task."""
