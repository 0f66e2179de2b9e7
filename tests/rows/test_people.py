"""Accounts and the roles that they hold, as stored rows."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from sqlalchemy import Column, Engine, MetaData, String, Table, select
from sqlalchemy.orm import Session

from metier.errors import SetupError
from metier.rows.app_rows import AppRows
from metier.rows.current import Unit
from metier.rows.people import account, find_person, hold_roles
from metier.rows.unrowed import Unrowed

from .shop import Person, Repair, Role, RoleGrant, Shelf, open_shop


@pytest.fixture
def rows(tmp_path: Path) -> Iterator[AppRows]:
    """The rows of a workshop with two people."""
    engine = open_shop(tmp_path)
    yield AppRows(engine)
    engine.dispose()


class Quick(AppRows):
    """Rows beside which another process is at work as soon as something is to be written."""

    def __init__(self, rows: AppRows, act: Callable[[], None]) -> None:
        super().__init__(rows.engine)
        self._act = act

    def writing(self) -> AbstractContextManager[Unit]:
        self._act()
        return super().writing()


def roles_of(engine: Engine, email: str) -> list[str]:
    """The roles that somebody holds."""
    with Session(engine) as session:
        held = session.scalars(select(RoleGrant.role).join(Person).where(Person.email == email))
        return sorted(one.name for one in held)


def test_person_is_found_by_email(rows: AppRows) -> None:
    """A person is the row with their e-mail; there is none for another, nor where people have no e-mail."""
    mia = find_person(rows, Person, "mia@shop")
    assert isinstance(mia, Person)
    assert mia.display_name == "Mia"
    assert find_person(rows, Person, "nobody@shop") is None
    assert find_person(rows, Repair, "mia@shop") is None
    assert find_person(Unrowed(), Person, "mia@shop") is None


def test_account_is_made_of_its_declaration(rows: AppRows) -> None:
    """An agent's account is stored as it was declared, once; the declaration stays what it was (O129)."""
    declared = Person(email="estimator@shop", display_name="Estimator")
    first, again = account(rows, declared), account(rows, declared)
    assert isinstance(first, Person)
    assert (first.email, first.display_name, first.id) == ("estimator@shop", "Estimator", 3)
    assert rows.id_of(again) == "3"
    assert declared.id is None  # pyright: ignore[reportUnnecessaryComparison] - a row that was never stored


def test_account_needs_what_names_it(rows: AppRows) -> None:
    """An account without an e-mail, of a class without one, or in an app without rows is an error that says so."""
    for declared in (Person(display_name="x"), Repair(ticket="T", fault="f")):
        with pytest.raises(SetupError, match="has no e-mail"):
            account(rows, declared)
    with pytest.raises(SetupError, match="was given no rows"):
        account(Unrowed(), Person(email="a@shop"))


def test_account_that_cannot_be_stored(rows: AppRows) -> None:
    """What the database says of an account that lacks something is told."""
    table = Table(
        "clerk", MetaData(), Column("email", String(80), primary_key=True), Column("desk", String(9), nullable=False)
    )
    table.create(rows.engine)

    class Clerk(Shelf):
        """Somebody with a desk."""

        __table__ = table

    with pytest.raises(SetupError, match=r"The account a@shop could not be stored: NOT NULL"):
        account(rows, Clerk(email="a@shop"))


def test_account_made_by_two(rows: AppRows) -> None:
    """Of two processes that make the same account the second finds what the first one made."""

    def first() -> None:
        with Session(rows.engine) as session, session.begin():
            session.add(Person(email="a@shop", display_name="first"))

    quick = Quick(rows, first)
    found = account(quick, Person(email="a@shop", display_name="second"))
    assert isinstance(found, Person)
    assert found.display_name == "first"


def test_roles_are_exactly_these(rows: AppRows) -> None:
    """An account holds the roles that are declared and nothing more: missing ones are added, others taken (O66)."""
    mia = find_person(rows, Person, "mia@shop")
    hold_roles(rows, RoleGrant, mia, [Role.helper, Role.manager, Role.helper])
    assert roles_of(rows.engine, "mia@shop") == ["helper", "manager"]
    hold_roles(rows, RoleGrant, mia, [])
    assert (roles_of(rows.engine, "mia@shop"), roles_of(rows.engine, "noor@shop")) == ([], ["manager"])


def test_role_held_twice_is_taken_twice(rows: AppRows) -> None:
    """A role that stands there twice is held once, or not at all (O66)."""
    with Session(rows.engine) as session, session.begin():
        session.add(RoleGrant(member_id=1, role=Role.mechanic))
    mia = find_person(rows, Person, "mia@shop")
    hold_roles(rows, RoleGrant, mia, [Role.mechanic])
    assert roles_of(rows.engine, "mia@shop") == ["mechanic"]


def test_roles_as_they_are_write_nothing(rows: AppRows) -> None:
    """Where the roles are what they should be, no lock for writing is taken."""
    mia = find_person(rows, Person, "mia@shop")
    with Session(rows.engine) as other:
        other.add(Repair(ticket="T-8", fault="bell"))
        other.flush()  # holds the lock
        hold_roles(rows, RoleGrant, mia, [Role.mechanic])
    assert roles_of(rows.engine, "mia@shop") == ["mechanic"]


def test_what_grants_no_roles(rows: AppRows) -> None:
    """A class of grants without its two members is told; without rows roles are the app's affair."""
    with pytest.raises(SetupError, match="Repair grants no roles"):
        hold_roles(rows, Repair, find_person(rows, Person, "mia@shop"), [])
    hold_roles(Unrowed(), RoleGrant, None, [Role.helper])
