"""In which unit of work does the code that runs now stand?"""

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from ..errors import ActionError


@dataclass(slots=True, eq=False)
class Unit:
    """One unit of work: the session of one call, and what was refused in it."""

    engine: Engine
    writes: bool
    """Whether the call declares that it changes something."""
    key: str = ""
    """The call's key, `task:call`; empty where no mark is wanted."""
    own: Any = None
    """The driver's connection that the session works on."""
    moving: bool = False
    """Set while the unit itself begins or ends its transaction: nothing else may."""
    opening: bool = False
    """Set while the unit takes its own connection from the pool."""
    refusals: list[str] = field(default_factory=list[str])
    """What was refused, in words: a call that hides it has failed all the same."""
    answer: Any = None
    """What the call answers, for its mark. JSON data."""
    opened: Session | None = None
    """The session, as long as the call runs."""
    over: bool = False
    """Whether the call has ended. Threads that it started may live on, and what they do then is no part of it."""

    @property
    def session(self) -> Session:
        """The session that all rows of this call are read and changed in.

        Raises:
            ActionError: the unit is over.
        """
        if self.opened is None:
            raise ActionError(
                "The unit of work is over, and its session with it.", hint="Do all work on rows while the call runs."
            )
        return self.opened

    def refuse(self, what: str) -> None:
        """Keep that something was refused; the call fails at its end, whatever it hides."""
        self.refusals.append(what)


UNIT: ContextVar[Unit | None] = ContextVar("metier_unit", default=None)


def open_unit() -> Unit | None:
    """The unit of work of the call that runs here; none where none does, or it has ended."""
    unit = UNIT.get()
    return None if unit is None or unit.over else unit


def session() -> Session:
    """The session of the call that runs now: what an action uses for rows that it was not given.

    Raises:
        ActionError: no call runs here.
    """
    unit = open_unit()
    if unit is None:
        raise ActionError("No unit of work is open here.", hint="Read and change rows inside an action's call.")
    return unit.session
