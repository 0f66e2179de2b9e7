"""Rows by their id: which text names which row, and what is answered where there is none."""

import uuid
from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, create_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.pool import StaticPool

from metier.errors import ActionError
from metier.rows.find import find, id_of

from .shop import Bill, Line, Part, Repair, Shelf, Size

BILL = uuid.UUID("12345678-1234-4234-8234-1234567890ab")


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    """A session on a workshop with one row of each kind of key."""
    with Session(engine) as made:
        part = Part(code="B 1", shelf="x", size=Size.large, cents=100, bought=date(2026, 1, 2))
        made.add_all([part, Line(bill=BILL, number=7), Bill(id=BILL, repair=1)])
        made.flush()
        yield made


@pytest.mark.parametrize(
    ("cls", "name"),
    [(Repair, "1"), (Part, "B 1"), (Bill, str(BILL)), (Line, f'["{BILL}",7]')],
    ids=["int", "str", "uuid", "composite"],
)
def test_an_id_names_its_row(session: Session, cls: type[Shelf], name: str) -> None:
    """A key of whole numbers, of text, a UUID and one of several columns is named by text (O43, O127)."""
    row = find(session, cls, name)
    assert row is not None
    assert id_of(row) == name


@pytest.mark.parametrize("name", ["2", "-1", "", "x", " 1", "01", "+1", "1.0", "1_0", "١", "9" * 19, "9" * 99, "[1]"])
def test_no_other_text_names_it(session: Session, name: str) -> None:
    """A text that is no id names nothing, and each row has one spelling."""
    assert find(session, Repair, name) is None


@pytest.mark.parametrize("name", [str(BILL).upper(), BILL.hex, f"{{{BILL}}}", f"urn:uuid:{BILL}", "\0"])
def test_a_uuid_has_one_spelling(session: Session, name: str) -> None:
    """So it is with a UUID, which Python would read in five."""
    assert find(session, Bill, name) is None


@pytest.mark.parametrize("key", ["7", f'["{BILL}"]', f'["{BILL}","7"]', f'["{BILL}",true]', '{"a":1}', "[", "[" * 9999])
def test_a_key_of_several_is_whole(session: Session, key: str) -> None:
    """A key of several columns is a JSON array of all its values, each of its own type."""
    assert find(session, Line, key) is None


def test_what_may_not_be_seen_is_not_there(session: Session) -> None:
    """An id that names nothing and one that may not be seen have the same answer (O44)."""
    assert find(session, Repair, "1", may=lambda row: row.fault == "brake") is not None
    assert find(session, Repair, "1", may=lambda _: False) is find(session, Repair, "2", may=lambda _: True) is None


def test_a_row_that_goes_is_not_found(session: Session) -> None:
    """A row that this call has deleted is gone for it."""
    session.delete(session.get_one(Repair, 1))
    assert find(session, Repair, "1") is None


@given(st.text() | st.integers().map(str) | st.uuids().map(str))
def test_any_text_is_answered(name: str) -> None:
    """Whatever a model writes is answered: with a row, or with none."""
    with Session(EMPTY) as session:
        assert [find(session, cls, name) for cls in (Repair, Part, Bill, Line)] == [None] * 4


EMPTY = create_engine("sqlite://", poolclass=StaticPool)


@pytest.fixture(scope="module", autouse=True)
def _empty() -> Iterator[None]:
    Shelf.metadata.create_all(EMPTY)
    yield
    EMPTY.dispose()


def test_what_has_no_id_is_told(session: Session) -> None:
    """A row that was never written, a key of another type and a class that is not mapped are faults of the app."""
    with pytest.raises(ActionError, match="has no id yet"):
        id_of(Repair(ticket="T-8"))
    with pytest.raises(ActionError, match="no id is written for"):
        find(session, Dated, "2026-01-02")
    with pytest.raises(ActionError, match="no mapped class"):
        find(session, int, "1")


class _Other(DeclarativeBase):
    pass


class Dated(_Other):
    """A row with a key that no id is written for."""

    __tablename__ = "dated"
    day: Mapped[date] = mapped_column(primary_key=True)
