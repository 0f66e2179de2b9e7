"""How does an action meet the app's stored rows, which it knows nothing of?

A row travels as the text of its id (O43, O127). What a row is, and who may read it, the caller's `Rows` says.
"""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

from ..domain.action import Effect, Settle
from ..errors import ActionError


class Rows(Protocol):
    """The stored rows of an app, as types and calls need them."""

    def knows(self, kind: type) -> bool:
        """Whether a type is one of stored rows."""
        ...

    def find(self, kind: type, row_id: str) -> object | None:
        """The row with an id, by the rights in force; none where it is not there or may not be read (O44)."""
        ...

    def id_of(self, row: object) -> str:
        """The text of a row's id."""
        ...

    def told(self, row: object) -> Mapping[str, Any]:
        """The columns of a row by their names."""
        ...

    @property
    def waits(self) -> bool:
        """Whether a held call may have to wait for others as it begins."""
        ...

    def turn(self, effects: frozenset[Effect]) -> AbstractAsyncContextManager[object]:
        """Wait until a call with these effects may begin, and let the next one begin at the end of the block."""
        ...

    def held(self, effects: frozenset[Effect], *, key: str) -> AbstractContextManager["Answering"]:
        """Hold one call to what it declares, in a unit of work of its own.

        Raises:
            EffectUndeclared: at the end of the block, whatever the call hid.
        """
        ...

    def reading(self) -> AbstractContextManager[object]:
        """A unit of work that only reads; what comes out of it can be used afterwards."""
        ...

    def settle(self, effects: frozenset[Effect]) -> Settle | None:
        """What tells whether a call with these effects took place, if anything does."""
        ...


class Answering(Protocol):
    """One held call while it runs."""

    answer: Any
    """What it answers, as JSON data: kept beside its mark, where it leaves one."""


@dataclass(slots=True)
class _Unheld:
    answer: Any = None


class NoRows:
    """Knows a mapped class when it sees one, so that it can be described, and finds no row. It holds no call to anything."""

    waits = False

    def knows(self, kind: type) -> bool:
        """Whether SQLAlchemy maps the class; nothing is imported to tell."""
        return hasattr(kind, "__mapper__")

    def find(self, kind: type, row_id: str) -> object | None:  # noqa: ARG002 - the seam's
        """Nothing can be looked up.

        Raises:
            ActionError: always.
        """
        raise self._missing(kind)

    def id_of(self, row: object) -> str:
        """Nothing can be told of a row.

        Raises:
            ActionError: always.
        """
        raise self._missing(type(row))

    def told(self, row: object) -> Mapping[str, Any]:
        """As `id_of`."""
        raise self._missing(type(row))

    def turn(self, effects: frozenset[Effect]) -> AbstractAsyncContextManager[object]:
        """Nobody has to wait."""
        del effects
        return nullcontext()

    def held(self, effects: frozenset[Effect], *, key: str) -> AbstractContextManager[Answering]:
        """Nothing holds the call."""
        del effects, key
        return nullcontext(_Unheld())

    def reading(self) -> AbstractContextManager[object]:
        """There is nothing to read."""
        return nullcontext()

    def settle(self, effects: frozenset[Effect]) -> Settle | None:
        """Nothing tells."""
        del effects
        return None

    @staticmethod
    def _missing(kind: type) -> ActionError:
        return ActionError(
            f"{kind.__name__} is a stored row, and no rows are set up here.",
            hint="Make the action with the app's rows: action_of(function, rows=…).",
        )


NO_ROWS: Rows = NoRows()


def rows_in(context: Any) -> Rows:
    """The rows that a reading or a writing was given."""
    found = (context or {}).get("rows")
    return NO_ROWS if found is None else found
