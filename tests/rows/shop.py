"""The tables of a small bicycle workshop, for the tests of this room."""

import enum
import uuid
from datetime import date
from decimal import Decimal

from sqlalchemy import Computed, Enum, ForeignKey, MetaData, String, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


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
