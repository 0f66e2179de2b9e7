"""Rows by what is true of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from metier.domain.principal import RIGHTS, Rights, principal_of
from metier.errors import ActionError
from metier.rows import AppRows, any_, count, session, single, user
from metier.rows.here import ROWS
from metier.rows.people import find_person
from metier.rows.unrowed import Unrowed

from .shop import Person, Repair, Role, RoleGrant, open_shop


@pytest.fixture
def rows(tmp_path: Path) -> Iterator[AppRows]:
    """The rows of the app whose block runs here: three repairs, and two people."""
    engine = open_shop(tmp_path)
    with Session(engine) as own, own.begin():
        own.add_all([Repair(ticket=f"T-{number}", fault="bell") for number in (8, 9)])
    found = AppRows(engine)
    token = ROWS.set((found, Unrowed()))
    yield found
    ROWS.reset(token)
    engine.dispose()


@pytest.mark.usefixtures("rows")
def test_rows_by_predicate() -> None:
    """Rows are found by their members, and by conditions (O124)."""
    assert single(Repair, ticket="T-7").fault == "brake"
    assert single(Repair, Repair.ticket == "T-9", fault="bell").id == 3
    assert (count(Repair), count(Repair, fault="bell"), count(Repair, Repair.id > 3)) == (3, 2, 0)
    assert (any_(Repair, fault="bell"), any_(Repair, Repair.fault == "tyre")) == (True, False)


@pytest.mark.usefixtures("rows")
def test_no_single_row() -> None:
    """One row is one: the error says how many there are (O124)."""
    with pytest.raises(ActionError, match="There is no row of Repair like that"):
        single(Repair, ticket="T-1")
    with pytest.raises(ActionError, match="There are 2 rows of Repair like that"):
        single(Repair, fault="bell")


@pytest.mark.usefixtures("rows")
def test_rows_are_members_of_predicates() -> None:
    """A row that was found is what others are found by."""
    mia = single(Person, email="mia@shop")
    assert any_(RoleGrant, member=mia, role=Role.mechanic)
    assert single(RoleGrant, member=mia).role is Role.mechanic


def test_in_a_call_its_session_is_used(rows: AppRows) -> None:
    """Inside a call they read what the call itself has done so far, and what they find is kept with it (O49, O124)."""
    with rows.held(frozenset({"changes"}), key=""):
        row = single(Repair, ticket="T-7")
        assert row in session()
        row.fault = "tyre"
        assert any_(Repair, fault="tyre")
    assert count(Repair, fault="tyre") == 1


def test_user_is_who_acts(rows: AppRows) -> None:
    """The current user is the account that the work acts as, as a row of the call that runs; nobody outside of a task (O120)."""
    assert user() is None
    account = principal_of(find_person(rows, Person, "mia@shop"))
    token = RIGHTS.set(Rights(account, (account,)))
    rows_here = ROWS.set((rows,))
    try:
        assert user().display_name == "Mia"
        with rows.held(frozenset({"reads"}), key=""):
            assert (user().email, user() in session()) == ("mia@shop", True)
    finally:
        ROWS.reset(rows_here)
        RIGHTS.reset(token)


def test_without_an_app_nothing_is_found() -> None:
    """Code that runs in no app's block is told where to ask."""
    with pytest.raises(ActionError, match="No app with rows is open here"):
        count(Repair)
