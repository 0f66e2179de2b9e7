"""Rows: the app's own tables. Rows by their id, one unit of work for each call, and what a call may not touch."""

# Nothing is loaded until it is used: policies need no SQLAlchemy.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from .app_rows import AppRows as AppRows
    from .current import session as session
    from .policies import Policy as Policy
    from .policies import nobody as nobody
    from .policies import policy as policy
    from .predicates import any_ as any_
    from .predicates import count as count
    from .predicates import single as single
    from .predicates import user as user
    from .unit import unit_of_work as unit_of_work

__all__ = ["AppRows", "Policy", "any_", "count", "nobody", "policy", "session", "single", "unit_of_work", "user"]

_HOMES = {
    "AppRows": "app_rows",
    "Policy": "policies",
    "any_": "predicates",
    "count": "predicates",
    "nobody": "policies",
    "policy": "policies",
    "session": "current",
    "single": "predicates",
    "unit_of_work": "unit",
    "user": "predicates",
}


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415 - only when a name is used

    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
