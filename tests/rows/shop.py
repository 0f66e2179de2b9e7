"""The tables of a small bicycle workshop, for the tests of this room."""

import enum
import uuid
from datetime import date
from decimal import Decimal
from pathlib import Path

from sqlalchemy import Computed, Engine, Enum, ForeignKey, MetaData, String, UniqueConstraint, create_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship

from metier.rows.marks import make_table


class Shelf(DeclarativeBase):
    metadata = MetaData()


class Size(enum.Enum):
    small = 1
    large = 2


class Repair(Shelf):
    """One bike in for repair."""

    __tablename__ = "repair"

    id: Mapped[int] = mapped_column(primary_key=True)
    ticket: Mapped[str] = mapped_column(String(40), unique=True)
    fault: Mapped[str] = mapped_column(String(200))
    note: Mapped[str] = mapped_column(String(400), default="")
    price: Mapped[Decimal | None] = mapped_column(doc="What the customer is charged.")


class Part(Shelf):
    """A part, named by its maker's word."""

    __tablename__ = "part"
    __table_args__ = (UniqueConstraint("shelf"),)

    code: Mapped[str] = mapped_column(String(20), primary_key=True)
    shelf: Mapped[str | None]
    size: Mapped[Size] = mapped_column(Enum(Size, native_enum=False), default=Size.small)
    cents: Mapped[int]
    euros: Mapped[int] = mapped_column(Computed("cents / 100", persisted=True))
    bought: Mapped[date]


class Bill(Shelf):
    """A bill, with an id that the class makes."""

    __tablename__ = "bill"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True, default=uuid.uuid4)
    repair: Mapped[int] = mapped_column(ForeignKey("repair.id"))


class Line(Shelf):
    """One line of a bill, with a key of two columns."""

    __tablename__ = "line"

    bill: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str] = mapped_column(default="x")


class Role(enum.Enum):
    """What somebody may be in the workshop."""

    mechanic = "mechanic"
    manager = "manager"
    helper = "helper"


class Person(Shelf):
    """Somebody who works here, or an agent's account."""

    __tablename__ = "person"

    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column(String(80), unique=True)
    display_name: Mapped[str] = mapped_column(String(80), default="")


class RoleGrant(Shelf):
    """A role that somebody holds."""

    __tablename__ = "role_grant"

    id: Mapped[int] = mapped_column(primary_key=True)
    member_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    role: Mapped[Role] = mapped_column(Enum(Role, native_enum=False))
    member: Mapped[Person] = relationship()


def open_shop(folder: Path, *, patience: float = 5) -> Engine:
    """A workshop in a file, with one repair, two people with their roles, and the table of marks.

    Args:
        folder: where the file lies.
        patience: seconds that a connection waits for the lock of another one.
    """
    engine = create_engine(f"sqlite:///{folder / 'shop.db'}", connect_args={"timeout": patience})
    Shelf.metadata.create_all(engine)
    make_table(engine)
    with Session(engine) as session:
        mia, noor = Person(email="mia@shop", display_name="Mia"), Person(email="noor@shop", display_name="Noor")
        grants = RoleGrant(member=mia, role=Role.mechanic), RoleGrant(member=noor, role=Role.manager)
        session.add_all([Repair(ticket="T-7", fault="brake"), mia, noor, *grants])
        session.commit()
    return engine
