"""JSON data as instances of a type, and back."""

import json
from dataclasses import dataclass
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Annotated, Any, Literal

import pydantic
import pytest

from metier.actions.misfit import Misfit
from metier.actions.types import json_type

from .kinds import Crate, Estimate, Grade, Made, Member, Price


@dataclass
class Odds:
    """What goes wrong in many ways."""

    when: datetime | None = None
    day: date | None = None
    amount: Decimal | None = None
    either: int | str | None = None
    over: Annotated[int, pydantic.Field(gt=3)] | None = None
    price: Price | None = None
    sure: bool | None = None


def faults(kind: Any, value: Any) -> tuple[str, ...]:
    """What is wrong with a value."""
    read = json_type(kind).read(value)
    assert isinstance(read, Misfit), read
    return read.faults


def given() -> dict[str, Any]:
    """A crate as JSON data, with what must be there."""
    return {
        "owner": "Mia",
        "estimate": {"Hours": 1.5},
        "member": {"n": 1, "kids": [{"n": 2}]},
        "price": {},
        "grade": "poor",
        "due": "2026-03-31",
    }


def test_nested_value_is_read_into_its_types() -> None:
    """Each member becomes the type that was written, and what is left out takes its default (O2, O3)."""
    crate = json_type(Crate).read(given())
    assert isinstance(crate, Crate)
    assert isinstance(crate.estimate, Estimate)
    assert (crate.estimate.Hours, crate.estimate.tags) == (Decimal("1.5"), [])
    assert (crate.grade, crate.due, crate.price.amount) == (Grade.POOR, date(2026, 3, 31), Decimal("1.50"))
    assert crate.member == Member(n=1, kids=[Member(n=2)])


def test_what_is_written_reads_the_same() -> None:
    """An instance written as JSON text and read again is equal to itself."""
    made = json_type(Crate)
    crate = made.read(given())
    assert made.read(json.loads(json.dumps(made.write(crate)))) == crate


def test_default_is_not_shared() -> None:
    """Two instances of a class of annotations do not share a default that can be changed."""
    made = json_type(Estimate)
    first, second = made.read({"Hours": 1}), made.read({"Hours": 2})
    first.tags.append("a")
    assert (second.tags, Estimate.tags) == ([], [])


def test_own_init_makes_the_instance() -> None:
    """A class of annotations with an `__init__` is made by it."""
    made = json_type(Made).read({"n": 2})
    assert (made.n, made.twice) == (2, 4)


def test_every_fault_is_told_at_once() -> None:
    """Faults name the member, what was due and what came, all together (O24, O48, case 061)."""
    wrong = given() | {"estimate": {"Hours": "1.5"}, "grade": "bad", "price": {"amount": -1}, "colour": "red"}
    told = " ".join(faults(Crate, wrong))
    assert all(
        words in told
        for words in (
            'estimate.Hours: expected number, got string "1.5"',
            'grade: "bad" is not one of "fine" or "poor"',
            "price.amount: -1 is less than the minimum of 0",
            "'colour' was unexpected",
        )
    )


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"sure": "yes"}, 'sure: expected boolean or null, got string "yes"'),
        ({"sure": 1}, "sure: expected boolean or null, got number 1"),
        ({"amount": "1.5"}, 'amount: expected number or null, got string "1.5"'),
        ({"amount": True}, "amount: expected number or null, got boolean true"),
        ({"either": 1.5}, "either: expected integer or string or null, got number 1.5"),
        ({"over": 2}, "over: 2 is less than or equal to the minimum of 3"),
        ({"price": {"amount": "x"}}, 'price.amount: expected number, got string "x"'),
        ({"price": []}, "price: expected object or null, got array"),
        ({"day": "soon"}, 'day: expected a date, such as 2026-03-31, got string "soon"'),
        ({"when": "5"}, 'when: expected a date and time, such as 2026-03-31T14:30:00Z, got string "5"'),
    ],
)
def test_nothing_is_converted_in_silence(value: Any, said: str) -> None:
    """A text is no number, no truth and no time of 1970, and the fault says what is wanted (O24, O48, case 061)."""
    assert faults(Odds, value) == (said,)


def test_day_that_is_none_is_told() -> None:
    """A date that looks like one and is none is told by the reader (O48)."""
    (told,) = faults(Odds, {"day": "2026-02-30"})
    assert told.startswith("day: ")
    assert "out of range" in told or "outside expected range" in told


def test_validator_speaks_for_itself() -> None:
    """What a type's own validation says is the reason, with its place (O24)."""

    @dataclass
    class Span:
        low: int
        high: int

        def __post_init__(self) -> None:
            if self.low > self.high:
                raise ValueError("Low is above high.")

    assert faults(list[Span], [{"low": 2, "high": 1}]) == ("0: low is above high.",)


def test_branches_are_told_apart() -> None:
    """A value that could be one of several classes is told what each of them misses."""

    @dataclass
    class Cat:
        claws: int

    @dataclass
    class Dog:
        bark: str

    (told,) = faults(Cat | Dog, {"bark": 1})
    assert "bark: expected string, got number 1" in told
    assert isinstance(json_type(Cat | Dog).read({"claws": 2}), Cat)


def test_whole_numbers_may_have_a_point() -> None:
    """JSON does not tell 1.0 from 1, so both are a whole number, also in a choice (O48)."""
    assert json_type(int).read(1.0) == 1
    assert type(json_type(int).read(1.0)) is int
    assert json_type(Literal[1, 2]).read(1.0) == 1
    assert faults(int, 1.5) != ()
    assert faults(Literal[1], True) != ()


@pytest.mark.parametrize("text", ["1.10", "0.1", "1e22", "123456789.123456", "-0.005"])
def test_decimal_is_what_was_written(text: str) -> None:
    """A decimal is the number that stood in the JSON text, not its nearest binary fraction (O34)."""
    assert json_type(Decimal).read(json.loads(text)) == Decimal(text)


def test_decimal_given_as_one_keeps_every_digit() -> None:
    """Where JSON text was read with decimals, every digit is kept (O34)."""
    text = "1.123456789012345678901234567890"
    assert json_type(Decimal).read(json.loads(text, parse_float=Decimal)) == Decimal(text)


def test_text_of_a_union_stays_text() -> None:
    """Where text is allowed, text that looks like something else stays text."""
    assert json_type(Decimal | str).read("1.5") == "1.5"
    assert json_type(date | str).read("2026-03-31") == "2026-03-31"
    assert json_type(int | float).read(1.0) == 1.0


def test_times_are_written_as_they_are_read() -> None:
    """A time with a zone and one without go there and back."""
    made = json_type(list[datetime])
    for moment in (datetime(2026, 3, 31, 14, 30, tzinfo=timezone.utc), datetime(2026, 3, 31, 14, 30)):  # noqa: DTZ001, UP017
        assert made.read(made.write([moment])) == [moment]


def test_alias_is_the_name() -> None:
    """A pydantic alias is the member's name in JSON, on both ways."""

    class Named(pydantic.BaseModel):
        n: int = pydantic.Field(alias="theNumber")

        @pydantic.computed_field  # type: ignore[prop-decorator]  # pydantic's own way to write it
        @property
        def more(self) -> int:
            return self.n + 1

    made = json_type(Named)
    assert list(made.schema["properties"]) == ["theNumber"]
    assert made.write(made.read({"theNumber": 1})) == {"theNumber": 1}
