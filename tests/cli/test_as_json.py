"""Values of ours as JSON for other programs."""

from decimal import Decimal

from metier.cli.as_json import plain
from metier.domain.bounds import StopWhen
from metier.domain.skill import Job


def test_sets_are_ordered() -> None:
    """A set is a list in an order that stays, money is text."""
    assert plain({"of": frozenset({"b", "a"}), "cost": Decimal("0.10")}) == {"of": ["a", "b"], "cost": "0.10"}


def test_code_is_named() -> None:
    """Of a function or a class its name is left."""
    assert plain([test_sets_are_ordered, StopWhen]) == ["test_sets_are_ordered", "StopWhen"]


def test_a_job_can_be_told() -> None:
    """Whatever a job holds can be written, its members in their order."""
    told = plain(Job())
    assert list(told) == list(Job.__slots__)
