"""Policies: yes and no about a person."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine
from sqlalchemy.orm import Session

import metier.rows
from metier.domain.principal import Principal, principal_of
from metier.errors import ActionError, SetupError
from metier.rows import AppRows, Policy, any_, nobody, policy, session
from metier.rows.of_app import answers, present, rows_of
from metier.rows.people import find_person
from metier.rows.unrowed import Unrowed

from .shop import Person, Role, RoleGrant, open_shop


@policy
def is_mechanic(user: Person) -> bool:
    """Somebody who mends bikes."""
    return any_(RoleGrant, member=user, role=Role.mechanic)


@policy
def is_manager(user: Person) -> bool:
    """Somebody who runs the workshop."""
    return any_(RoleGrant, member=user, role=Role.manager)


@policy
def forgets(user: object) -> bool:
    """A function that forgets to answer."""
    del user
    return None  # type: ignore[return-value]  # what is wrong with it


def test_policies_are_put_together() -> None:
    """Policies are joined with or, and, not, and say by name what they are (O119)."""
    yes, no = policy(lambda _: True), policy(lambda _: False)
    assert ((yes | no)(1), (yes & no)(1), (~no)(1), nobody(1)) == (True, False, True, False)
    assert repr(is_mechanic | ~is_manager & nobody) == "<policy (is_mechanic or ((not is_manager) and nobody))>"


def test_second_is_asked_only_if_it_matters() -> None:
    """What decided already is not asked further."""
    breaks = policy(lambda _: 1 / 0 > 1)
    assert ((~nobody | breaks)(1), (nobody & breaks)(1)) == (True, False)


@pytest.mark.parametrize("joined", [forgets, ~forgets, forgets | ~nobody, ~nobody & forgets], ids=repr)
def test_neither_yes_nor_no(joined: Policy) -> None:
    """What is neither yes nor no is an error of the app, and never a yes, whatever it is joined with."""
    with pytest.raises(ActionError, match="The policy forgets answered None"):
        joined(1)


def test_stored_person_is_asked_about(tmp_path: Path) -> None:
    """A policy is given the person as a row of the unit of work that it reads in (O70, O119, O120)."""
    engine = open_shop(tmp_path)
    rows = AppRows(engine)
    mia = principal_of(find_person(rows, Person, "mia@shop"))
    seen: list[bool] = []

    @policy
    def looks(user: Person) -> bool:
        seen.append(user in session())
        return True

    assert [answers(one, mia, rows) for one in (is_mechanic, is_manager, looks)] == [True, False, True]
    assert seen == [True]
    engine.dispose()


def test_person_who_is_gone_is_nobody(tmp_path: Path) -> None:
    """A person whose row was taken away since gets no for an answer."""
    engine = open_shop(tmp_path)
    rows = AppRows(engine)
    with Session(engine) as own, own.begin():
        own.add(Person(email="gone@shop"))
    gone = principal_of(find_person(rows, Person, "gone@shop"))
    assert answers(~nobody, gone, rows)
    with Session(engine) as own, own.begin():
        own.delete(own.merge(gone.who))
    assert not answers(~nobody, gone, rows)
    engine.dispose()


def test_policy_that_fails_says_no_yes() -> None:
    """A policy that raises, or answers what is no answer, is an error with its name."""

    @policy
    def breaks(user: str) -> bool:
        return user["name"] == "x"  # type: ignore[index]  # what is wrong with it

    mia = Principal("mia", "Mia", "mia")
    with pytest.raises(ActionError, match="The policy breaks failed for Mia: TypeError"):
        answers(breaks, mia, Unrowed())
    plain: Any = lambda _: 1  # noqa: E731 - a function of the app's, without any name
    with pytest.raises(ActionError, match="<lambda>"):
        answers(plain, mia, Unrowed())


def test_who_is_asked_about_without_rows() -> None:
    """Without stored people a policy is given what was signed in (O120)."""
    nora = type("Nora", (), {"email": "nora@shop"})()
    assert [present(one, Unrowed()) for one in (Principal("mia"), principal_of("mia"), principal_of(nora))] == [
        "mia",
        "mia",
        nora,
    ]


def test_rows_of_what_an_app_is_given(tmp_path: Path) -> None:
    """An engine, rows or nothing are an app's rows; all else is told."""
    engine = create_engine(f"sqlite:///{tmp_path / 'x.db'}")
    rows = AppRows(engine)
    assert isinstance(rows_of(engine), AppRows)
    assert (rows_of(rows), type(rows_of(None))) == (rows, Unrowed)
    with pytest.raises(SetupError, match="holds no rows"):
        rows_of("sqlite:///x.db")


def test_promised_names_are_there() -> None:
    """All that the room promises can be imported from it, and nothing else."""
    assert all(getattr(metier.rows, name) is not None for name in metier.rows.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        metier.rows.nothing  # noqa: B018 # pyright: ignore[reportAttributeAccessIssue] - that it is not there is the test
