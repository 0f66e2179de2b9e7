"""What holds the actions of an app that has no stored rows to what they declare?

The tripwire alone. Importing this costs no SQLAlchemy.
"""

from collections.abc import Generator, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

from ..domain.action import Effect, Settle
from ..errors import ActionError, EffectUndeclared
from .refusal import undeclared
from .tripwire import Watch, watch


class Held(Protocol):
    """One call while it runs. What it answers is kept beside its mark, where it leaves one."""

    answer: Any


@dataclass(slots=True)
class _Held:
    answer: Any = None


class Unrowed:
    """The rows of an app that has none: a mapped class is known when it is seen, and no row is found."""

    waits = False
    """Whether a held call may have to wait for others as it begins."""

    def knows(self, kind: type) -> bool:
        """Whether SQLAlchemy maps the class; nothing is imported to tell."""
        return hasattr(kind, "__mapper__")

    def find(self, kind: type, row_id: str) -> object | None:  # noqa: ARG002 - the seam's
        """Nothing can be looked up.

        Raises:
            ActionError: always.
        """
        raise _missing(kind)

    def id_of(self, row: object) -> str:
        """Nothing can be told of a row.

        Raises:
            ActionError: always.
        """
        raise _missing(type(row))

    def told(self, row: object) -> Mapping[str, Any]:
        """As `id_of`."""
        raise _missing(type(row))

    def turn(self, effects: frozenset[Effect]) -> AbstractAsyncContextManager[object]:
        """Nobody has to wait."""
        del effects
        return nullcontext()

    def held(self, effects: frozenset[Effect], *, key: str) -> AbstractContextManager[Held]:
        """Hold a call to what it declares. Raises EffectUndeclared at its end, whatever the call hid."""
        del key
        return _watched(effects)

    def reading(self) -> AbstractContextManager[object]:
        """There is nothing to read."""
        return nullcontext()

    def settle(self, effects: frozenset[Effect]) -> Settle | None:
        """Nothing tells what became of a call whose process died."""
        del effects
        return None

    def forget(self, task: str) -> None:
        """There are no marks."""

    def entered(self) -> None:
        """There is nothing to make ready."""


@contextmanager
def _watched(effects: frozenset[Effect]) -> Generator[Held]:
    with watch(effects) as seen, trips_told(seen):
        yield _Held()


@contextmanager
def trips_told(seen: Watch) -> Generator[None]:
    """Raise at the end of the block for a call that did what it does not declare, whatever it hid or raised instead."""
    try:
        yield
    except EffectUndeclared:
        raise
    except Exception as error:
        _tell(seen, error)
        raise
    _tell(seen, None)


def _tell(seen: Watch, cause: Exception | None) -> None:
    if seen.trips:
        raise undeclared(f"A call did what it does not declare: {seen.trips[0]}") from cause


def _missing(kind: type) -> ActionError:
    return ActionError(
        f"{kind.__name__} is a stored row, and the app was given no rows.", hint="Give it Metier(rows=engine)."
    )
