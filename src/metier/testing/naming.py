"""By which name does a test mean an action?"""

from typing import Protocol


class HasAction(Protocol):
    """Such as what `Actions.of` answers."""

    @property
    def action(self) -> str: ...


class HasName(Protocol):
    """Such as an `Action` itself."""

    @property
    def name(self) -> str: ...


def name_of(action: object) -> str:
    """The name of an action: a text, or what has one as its `action` or its `name`.

    Raises:
        TypeError: it has none. A test that asked for such a thing would pass without looking at anything.
    """
    named = action if isinstance(action, str) else getattr(action, "action", None) or getattr(action, "name", None)
    if not isinstance(named, str):
        raise TypeError(f"{action!r} names no action: give its name, or Actions.of(…) of its function")
    return named
