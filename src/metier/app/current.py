"""Which app is meant by a call that names none?

It is the one whose `with` block runs here. Threads and tasks that begin inside see it too; two apps in one process never
mix.
"""

from contextvars import ContextVar, Token
from typing import TYPE_CHECKING

from ..errors import SetupError

if TYPE_CHECKING:
    from .metier import Metier

_CURRENT: "ContextVar[Metier | None]" = ContextVar("metier_app", default=None)


def current_app() -> "Metier":
    """The app whose block this is.

    Raises:
        SetupError: this is in no app's block.
    """
    app = _CURRENT.get()
    if app is None:
        raise SetupError("No app is open here.", hint="Call it inside `with Metier(…) as app:`.")
    return app


def enter(app: "Metier") -> "Token[Metier | None]":
    """Make an app the current one, until `leave`."""
    return _CURRENT.set(app)


def leave(token: "Token[Metier | None]") -> None:
    """Make the app before it the current one again."""
    _CURRENT.reset(token)
