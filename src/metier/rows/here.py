"""Whose rows are read by code that names no app?"""

from contextvars import ContextVar

from .unrowed import Unrowed

ROWS: ContextVar[tuple[Unrowed, ...]] = ContextVar("metier_rows", default=())
"""The rows of the apps whose blocks run here, the innermost last."""
