"""How does an action meet the app's stored rows, which it knows nothing of?

A row travels as the text of its id (O43, O127). What a row is, and who may read it, the caller's `Rows` says.
"""

from typing import Any, Protocol

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


class NoRows:
    """Knows a mapped class when it sees one, so that it can be described, and finds no row."""

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
