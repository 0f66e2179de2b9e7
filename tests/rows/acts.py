"""Whole calls for the tests of this room: a unit of work with acts in it."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine

from metier.rows.current import Unit
from metier.rows.unit import unit_of_work

Act = Callable[[Unit], object]


def call(engine: Engine, *acts: Act, writes: bool = False, key: str = "") -> None:
    """One whole call that does these acts one after another."""
    with unit_of_work(engine, writes=writes, key=key) as unit:
        for act in acts:
            act(unit)


def driver_of(unit: Unit) -> Any:  # Any: the drivers share no type
    """The driver's own connection beneath a unit's session."""
    return unit.session.connection().connection.driver_connection


def says(sql: str) -> Act:
    """The act of telling the database something, past SQLAlchemy's own words."""
    return lambda unit: unit.session.connection().exec_driver_sql(sql)
