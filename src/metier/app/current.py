"""Which app is meant by a call that names none?

It is the one whose `with` block runs here. Threads and tasks that begin inside see it too; two apps in one process never
mix.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from ..domain.principal import SIGNED_IN, Principal, principal_of
from ..errors import SetupError
from ..rows.here import ROWS

if TYPE_CHECKING:
    from .metier import Metier

_APPS: "ContextVar[tuple[Metier, ...]]" = ContextVar("metier_apps", default=())
"""The apps whose blocks run here, the innermost last."""


def current_app() -> "Metier":
    """The app whose block this is.

    Raises:
        SetupError: this is in no app's block.
    """
    for app in reversed(_APPS.get()):
        if app.is_open:  # what was closed in another context is still named here
            return app
    raise SetupError("No app is open here.", hint="Call it inside `with Metier(…) as app:`.")


def enter(app: "Metier") -> None:
    """Make an app the current one, until `leave`."""
    _APPS.set((*_APPS.get(), app))
    ROWS.set((*ROWS.get(), app.house.rows))


def leave(app: "Metier") -> None:
    """Let an app be the current one no longer."""
    _APPS.set(tuple(one for one in _APPS.get() if one is not app))
    ROWS.set(tuple(one for one in ROWS.get() if one is not app.house.rows))


@contextmanager
def signed_in(person: object) -> Generator[Principal]:
    """Sign a person in until the block ends.

    Raises:
        SetupError: the value says no name.
    """
    try:
        who = principal_of(person)
    except TypeError as error:
        raise SetupError(f"Nobody can be signed in: {error}.", hint="Give a row with an e-mail, or a text.") from None
    token = SIGNED_IN.set(who)
    try:
        yield who
    finally:
        SIGNED_IN.reset(token)
