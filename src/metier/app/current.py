"""Which app is meant by a call that names none?

It is the one whose `with` block runs here. Threads and tasks that begin inside see it too; two apps in one process never
mix.
"""

from contextvars import ContextVar
from typing import TYPE_CHECKING

from ..errors import SetupError

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


def leave(app: "Metier") -> None:
    """Let an app be the current one no longer."""
    _APPS.set(tuple(one for one in _APPS.get() if one is not app))
