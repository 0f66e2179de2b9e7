"""Stored rows as parameters, members and answers of actions."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from metier.actions.function import MOST_KEPT, action, action_of
from metier.actions.info import Actions
from metier.actions.misfit import Misfit
from metier.actions.rows import NoRows, Rows
from metier.actions.schema import check_for
from metier.actions.types import json_type
from metier.domain.action import Returned
from metier.errors import ActionError

from .hands import NoHands


class Base(DeclarativeBase):
    """The app's tables."""


class Repair(Base):
    """One bike in for repair."""

    __tablename__ = "repair"
    id: Mapped[int] = mapped_column(primary_key=True)
    note: Mapped[str] = mapped_column(default="")


class Urgent(Repair):
    """A repair that must be done first."""


class Shop(NoRows):
    """The rows of a small shop; what is locked may not be read."""

    def __init__(self) -> None:
        self.rows = {"7": Repair(id=7, note=""), "8": Repair(id=8, note="locked")}
        self.threads: list[int] = []

    def knows(self, kind: type) -> bool:
        return issubclass(kind, Base)

    def find(self, kind: type, row_id: str) -> object | None:
        self.threads.append(threading.get_ident())
        row = self.rows.get(row_id)
        return row if row is not None and isinstance(row, kind) and row.note != "locked" else None

    def id_of(self, row: object) -> str:
        assert isinstance(row, Repair)
        return str(row.id)


@action("Write a note on the repair", changes=True)
def note_repair(repair: Repair, note: str) -> str:  # noqa: D417 - what is plain is not told
    """Write a note.

    Args:
        repair: the repair that is noted on
    """
    repair.note = note
    return f"Noted on {repair.id}."


@action(query=True)
async def next_repair(after: Repair | None = None) -> list[Repair]:
    """Look up what comes next."""
    return [] if after is None else [after]


def answer(function: Callable[..., Any], rows: Rows, **arguments: Any) -> Any:
    """What an action answers to arguments that fit its schema."""
    made = action_of(function, rows=rows)
    assert check_for(made.parameters)(arguments) == ()

    async def go() -> Any:
        return await made.body(arguments, NoHands())

    return asyncio.run(go())


def test_row_is_asked_for_by_its_id() -> None:
    """A row parameter is a text under the parameter's own name, told of by the code, with or without an app (O43, O127)."""
    told = {"type": "string", "description": "the repair that is noted on"}
    assert action_of(note_repair).parameters["properties"] == {"repair": told, "note": {"type": "string"}}
    assert action_of(note_repair, rows=Shop()).parameters == action_of(note_repair).parameters
    assert json_type(Repair).schema == {"type": "string", "description": "The id of a Repair."}


def test_row_is_looked_up_by_its_id() -> None:
    """The function is given the row itself, looked up where it runs (O43, O127)."""
    shop = Shop()
    assert answer(note_repair, shop, repair="7", note="brakes") == "Noted on 7."
    assert shop.rows["7"].note == "brakes"
    assert shop.threads != [threading.get_ident()]


def test_missing_and_forbidden_answer_alike() -> None:
    """An id that is not there and one that may not be read are one answer, and nothing runs (O44)."""
    shop = Shop()
    gone, locked = (answer(note_repair, shop, repair=one, note="x") for one in ("9", "8"))
    assert (gone, locked) == tuple(
        Returned(text=f'there is no Repair "{one}"', ok=False, code="row.missing") for one in ("9", "8")
    )
    assert shop.rows["8"].note == "locked"


def test_id_of_another_kind_is_missing() -> None:
    """A class that derives from a row is a row of its own."""

    @action(changes=True)
    def hurry(repair: Urgent) -> None:
        """Hurry."""

    missed = answer(hurry, Shop(), repair="7")
    assert (missed.code, missed.text) == ("row.missing", 'there is no Urgent "7"')


def test_answered_row_is_its_id() -> None:
    """A row in an answer, or below in one, is told by its id."""
    assert answer(next_repair, Shop()) == []
    assert answer(next_repair, Shop(), after="7") == ["7"]

    @action(query=True)
    def both() -> Any:
        """Look."""
        return {"repair": Repair(id=3)}

    assert answer(both, Shop()) == {"repair": "3"}


def test_rows_are_members_too() -> None:
    """A row inside of another type is an id on both ways, and one that is missing is told with its place."""

    @dataclass
    class Order:
        repairs: list[Repair]

    shop = Shop()
    made = json_type(Order, rows=shop)
    order = made.read({"repairs": ["7"]}, rows=shop)
    assert (made.has_rows, order) == (True, Order([shop.rows["7"]]))
    assert made.write(order, rows=shop) == {"repairs": ["7"]}
    assert made.read({"repairs": ["7", "9"]}, rows=shop) == Misfit(('repairs.1: there is no Repair "9"',), "row")


def test_without_rows_nothing_is_looked_up() -> None:
    """An action that is made without the app's rows says so when a row is asked of it (O43)."""
    with pytest.raises(ActionError, match="Repair is a stored row"):
        json_type(Repair).read("7")
    with pytest.raises(ActionError, match="Repair is a stored row"):
        json_type(Repair).write(Repair(id=1))


def test_action_is_made_once_for_each_app() -> None:
    """The same rows give the same action; another app's rows another; old ones are forgotten."""
    shop = Shop()
    first = action_of(note_repair, rows=shop)
    assert action_of(Actions.of(note_repair), rows=shop) is first
    shops = [Shop() for _ in range(MOST_KEPT + 2)]
    assert len({action_of(note_repair, rows=one) for one in shops}) == len(shops)
    assert len(Actions.of(note_repair).declared.made) <= MOST_KEPT
