"""What are an app's rows, and how does it answer a question about a person?"""

from collections.abc import Callable
from typing import Any

from ..domain.principal import Principal
from ..errors import ActionError, SetupError
from .policies import decided
from .unrowed import Unrowed


def rows_of(given: object) -> Unrowed:
    """The rows of what an app was given: an engine, `AppRows`, or nothing.

    Raises:
        SetupError: it is neither.
    """
    if given is None:
        return Unrowed()
    if isinstance(given, Unrowed):
        return given
    from sqlalchemy import Engine  # noqa: PLC0415 - only for an app with stored rows

    if not isinstance(given, Engine):
        raise SetupError(f"{given!r} holds no rows.", hint="Give an engine: Metier(rows=create_engine(…)).")
    from .app_rows import AppRows  # noqa: PLC0415 - as above

    return AppRows(given)


def answers(policy: Callable[[Any], bool], who: Principal, rows: Unrowed) -> bool:
    """What a policy of the app says of somebody, who comes as a row of the unit of work it reads in, where they are one.

    Raises:
        ActionError: the policy failed; that is never a yes.
    """
    name = getattr(policy, "__name__", "policy")
    try:
        with rows.reading():
            known = present(who, rows)
            return known is not None and decided(policy(known), name)
    except Exception as error:
        raise ActionError(
            f"The policy {name} failed for {who}: {type(error).__name__}: {error}.", hint="Mend the policy."
        ) from error


def present(who: Principal, rows: Unrowed) -> object | None:
    """Somebody as the app knows them, now: a stored row is looked up anew, and may be gone."""
    if who.who is None or isinstance(who.who, str):
        return who.who or who.id
    return as_now(who.who, rows)


def as_now(value: object, rows: Unrowed) -> object | None:
    """A stored row as it is now in the unit of work that is open, none where it is gone; any other value as it is."""
    if not rows.waits or not rows.knows(type(value)):
        return value
    from .people import same_row  # noqa: PLC0415 - SQLAlchemy: only for an app with stored rows

    return same_row(value)
