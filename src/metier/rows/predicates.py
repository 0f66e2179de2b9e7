"""Which rows are there, by what is true of them (O124)?

Inside a call these read in its unit of work; elsewhere in one of their own, of the app whose block runs here.
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from ..domain.principal import RIGHTS
from ..errors import ActionError
from .app_rows import AppRows
from .current import open_unit
from .here import ROWS
from .of_app import present

R = TypeVar("R")


def single(kind: type[R], *where: ColumnElement[bool], **equal: Any) -> R:
    """The one row of which all this is true.

    Args:
        kind: the mapped class.
        where: conditions, such as `Repair.ticket == "T-7"`.
        equal: members and their values.

    Raises:
        ActionError: there is none, or more than one.
    """
    with _session() as here:
        found = here.scalars(select(kind).where(*where).filter_by(**equal).limit(2)).unique().all()
        if len(found) == 1:
            return found[0]
        many = _count(here, kind, where, equal)
    are = "There is no row" if many == 0 else f"There are {many} rows"
    raise ActionError(
        f"{are} of {kind.__name__} like that, and one was asked for.", hint="Ask for what is true of one."
    )


def count(kind: type[Any], *where: ColumnElement[bool], **equal: Any) -> int:
    """How many rows there are of which all this is true; see `single`."""
    with _session() as here:
        return _count(here, kind, where, equal)


def any_(kind: type[Any], *where: ColumnElement[bool], **equal: Any) -> bool:
    """Whether there is a row of which all this is true; see `single`."""
    with _session() as here:
        return here.scalar(select(select(kind).where(*where).filter_by(**equal).exists())) is True


def user() -> Any:
    """By whose rights the code acts that runs now, as the app knows them: the agent's own account; none outside of a task."""
    rights = RIGHTS.get()
    rows = ROWS.get()
    if rights is None or not rows:
        return None
    if open_unit() is not None:
        return present(rights.acts, rows[-1])
    with rows[-1].reading():
        return present(rights.acts, rows[-1])


def _count(here: Session, kind: type[Any], where: Sequence[ColumnElement[bool]], equal: Mapping[str, Any]) -> int:
    return here.scalar(select(func.count()).select_from(kind).where(*where).filter_by(**equal)) or 0


@contextmanager
def _session() -> Generator[Session]:
    unit = open_unit()
    if unit is not None:
        yield unit.session
        return
    rows = next((one for one in reversed(ROWS.get()) if isinstance(one, AppRows)), None)
    if rows is None:
        raise ActionError("No app with rows is open here.", hint="Ask inside `with Metier(rows=engine) as app:`.")
    with rows.reading() as own:
        yield own.session
