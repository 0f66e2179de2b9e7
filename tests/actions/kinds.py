"""One type of every kind that a job's input, result or an action's parameter may be of."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, NamedTuple, NotRequired, Protocol, Required, TypedDict, TypeVar

import pydantic


class Grade(enum.Enum):
    """How good it is."""

    FINE = "fine"
    POOR = "poor"


class Scale(enum.Enum):
    """How large it is drawn."""

    WHOLE = Decimal(1)
    TENTH = Decimal("0.1")


class Term(enum.Enum):
    """When it is paid."""

    SPRING = date(2026, 3, 31)
    AUTUMN = date(2026, 9, 30)


class Level(enum.IntEnum):
    """How urgent it is."""

    LOW = 1
    HIGH = 2


class Estimate:
    """What an estimate says.

    It is a class of annotations only.
    """

    Hours: Decimal
    """How long it takes,
    in hours."""
    Summary: str = ""
    NeedsParts: bool = False
    tags: list[str] = []  # noqa: RUF012 - what somebody may well write
    after: "Estimate | None" = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Estimate) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(self.Hours)


class Made:
    """A class with annotations and an `__init__` of its own."""

    n: int

    def __init__(self, n: int) -> None:
        self.n = n
        self.twice = 2 * n


class Odd:
    """A class whose `__init__` does not take its members."""

    n: int

    def __init__(self) -> None:
        self.n = 1


class Member(TypedDict):
    """A mapping with members."""

    n: int
    """How many."""
    kids: NotRequired[list["Member"]]


class Note(TypedDict, total=False):
    """A mapping of which most may be left out."""

    n: Required[int]
    text: str
    due: date | None


class PricedNote(Note):
    """A mapping that adds to another."""

    price: NotRequired[Decimal]
    scale: Required[Scale]


@dataclass
class Cat:
    """One of two."""

    kind: Literal["cat"]
    lives: int = 9


@dataclass
class Dog:
    """The other."""

    kind: Literal["dog"]
    born: date
    parent: "Dog | None" = None


Animal = Annotated[Cat | Dog, pydantic.Field(discriminator="kind")]


@dataclass
class Folder:
    """A tree."""

    name: str
    parts: list["Folder"] = field(default_factory=list["Folder"])


class Place(NamedTuple):
    """A tuple with names."""

    x: int
    y: float


class Price(pydantic.BaseModel):
    """A pydantic model."""

    amount: Decimal = pydantic.Field(default=Decimal("1.50"), description="In dollars.", ge=Decimal(0))
    grade: Grade = Grade.FINE


@dataclass(frozen=True)
class Crate:
    """One crate.

    Args:
        owner: who it belongs to,
            by name
    """

    owner: str
    estimate: Estimate
    member: Member
    price: Price
    grade: Annotated[Grade, "How good the crate is."]
    due: date
    seen: datetime | None = None
    """When it was seen."""
    kind: Literal["wood", 1] = "wood"
    place: tuple[int, str] = (1, "a")
    weights: frozenset[Decimal] = frozenset({Decimal("1.5")})
    notes: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Branch(pydantic.BaseModel):
    """A model that holds itself in more than one way."""

    weight: Decimal
    left: "Branch | None" = None
    named: dict[str, "Branch"] = {}


Thing = TypeVar("Thing")


class Page(pydantic.BaseModel, Generic[Thing]):
    """A page of things, which names its members otherwise when it travels."""

    things: list[Thing] = pydantic.Field(alias="Things", max_length=3)
    after: "Page[Thing] | None" = pydantic.Field(default=None, alias="After")


class Shape(Protocol):
    """No type that anything can be read into."""

    n: int
