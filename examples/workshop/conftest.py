"""The shop as each test finds it: Mia the mechanic, Noor the manager, one bike, and Noor answering for the agent."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine
from sqlalchemy.orm import Session
from workshop import Base, Person, Repair, RoleGrant, ShopRole, workshop

from metier import AgentSeat, Metier


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """The shop's database, filled before anybody is signed in."""
    made = create_engine(f"sqlite:///{tmp_path / 'shop.db'}")
    Base.metadata.create_all(made)
    with Session(made) as rows:
        mia = Person(email="mia@workshop.example", display_name="Mia")
        noor = Person(email="noor@workshop.example", display_name="Noor")
        rows.add_all([RoleGrant(member=mia, role=ShopRole.MECHANIC), RoleGrant(member=noor, role=ShopRole.MANAGER)])
        rows.add(Repair(ticket="T-7", fault="rear brake does not bite"))
        rows.commit()
    yield made
    made.dispose()


@pytest.fixture
def metier_setup(engine: Engine, tmp_path: Path) -> Metier:
    """The app that `metier_app` opens."""
    return workshop(engine, project=tmp_path, record=False)


@pytest.fixture(autouse=True)
def seat(metier_app: Metier) -> None:
    """The manager answers for the agent."""
    metier_app.seat(AgentSeat("Estimator", sponsor="noor@workshop.example"))
