"""Which stored rows are persons, agents' accounts, and the roles that they hold?"""

from collections.abc import Hashable, Sequence
from typing import Any

from sqlalchemy import inspect, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from ..errors import SetupError
from .app_rows import AppRows
from .current import session
from .find import mapper_of
from .unrowed import Unrowed

EMAIL = "email"
MEMBER, ROLE = "member", "role"


def same_row(row: object) -> object | None:
    """The row in the unit of work that is open; none if it is gone."""
    identity = inspect(row).identity
    if identity is None:
        return None
    return session().get(type(row), identity)


def find_person(rows: Unrowed, kind: type[Any], email: str) -> object | None:
    """The stored person of an e-mail address; none where there is none, or people have no column `email`."""
    if not isinstance(rows, AppRows) or EMAIL not in mapper_of(kind).column_attrs:
        return None
    with rows.reading() as unit:
        found: object | None = unit.session.scalars(select(kind).where(getattr(kind, EMAIL) == email)).unique().first()
        return found


def account(rows: Unrowed, declared: Any) -> object:
    """The stored row of an account, by the e-mail of its declaration; made from that if there is none (O129).

    Raises:
        SetupError: the declaration has no e-mail that it could be found by, or the app has no rows.
    """
    if not isinstance(rows, AppRows):
        raise SetupError(
            f"The account {type(declared).__name__} is a stored row, and the app was given no rows.",
            hint="Give it Metier(rows=engine).",
        )
    kind, email = type(declared), getattr(declared, EMAIL, None)
    if not isinstance(email, str) or not email or EMAIL not in mapper_of(kind).column_attrs:
        raise SetupError(f"The account {kind.__name__} has no e-mail.", hint="Give it one: it is found by that column.")
    found = find_person(rows, kind, email)
    if found is None:
        found = _stored(rows, declared, email)
    return found


def _stored(rows: AppRows, declared: Any, email: str) -> object:
    refused: IntegrityError | None = None
    try:
        with rows.writing() as unit:
            unit.session.add(_made_of(declared))
    except IntegrityError as error:
        refused = error  # another process may have made the same account at this moment
    found = find_person(rows, type(declared), email)
    if found is None:
        raise SetupError(
            f"The account {email} could not be stored: {refused.orig if refused else 'it is gone'}.",
            hint=f"Give the declared {type(declared).__name__} all that it needs.",
        ) from refused
    return found


def hold_roles(rows: Unrowed, grants: type[Any], person: Any, roles: Sequence[Hashable]) -> None:
    """Make the roles that an account holds exactly these (O66). Nothing is written where they are.

    Raises:
        SetupError: the class of grants has no relationship `member`, or no column `role`.
    """
    if not isinstance(rows, AppRows):
        return
    mapper = mapper_of(grants)
    if MEMBER not in mapper.relationships or ROLE not in mapper.column_attrs:
        raise SetupError(
            f"{grants.__name__} grants no roles.", hint="Give it a relationship `member` and a column `role`."
        )
    wanted = list(dict.fromkeys(roles))
    with rows.reading() as unit:
        beyond, missing = _amiss(unit.session, grants, same_row(person), wanted)
    if not beyond and not missing:
        return
    with rows.writing() as unit:
        member = same_row(person)
        beyond, missing = _amiss(unit.session, grants, member, wanted)
        for one in beyond:
            unit.session.delete(one)
        unit.session.add_all([grants(**{MEMBER: member, ROLE: role}) for role in missing])


def _amiss(
    here: Session, grants: type[Any], member: object, wanted: Sequence[Hashable]
) -> tuple[list[Any], list[Hashable]]:
    """The grants that are too many, and the roles that are missing."""
    missing = list(wanted)
    beyond: list[Any] = []
    for one in here.scalars(select(grants).where(getattr(grants, MEMBER) == member)).unique():
        role = getattr(one, ROLE)
        if role in missing:
            missing.remove(role)
        else:
            beyond.append(one)
    return beyond, missing


def _made_of(declared: Any) -> Any:
    """A new row with what a declaration says: the declaration itself stays as it is, for other apps."""
    mapper = mapper_of(type(declared))
    made: Any = mapper.class_manager.new_instance()
    for name in mapper.column_attrs.keys():  # noqa: SIM118 - it is no mapping, and its members are no names
        if name in inspect(declared).dict:
            setattr(made, name, inspect(declared).dict[name])
    return made
