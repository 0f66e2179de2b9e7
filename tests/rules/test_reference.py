"""Does the reference of typed jobs name every number of the document, and only names that are there?"""

import importlib
from functools import reduce
from typing import get_type_hints

import pytest

from .page import code_in, rows
from .source import DOCS

NUMBERS = [*range(1, 77), *range(94, 118), 122, *range(125, 130)]
"""The lines of the requirements that typed jobs answer, O1 to O129."""

ROWS = rows((DOCS / "typed-jobs-reference.md").read_text(encoding="utf-8"))
CALLED = "(…)"
"""Behind a function's name: what that function answers."""


def test_every_number_has_a_row() -> None:
    """The numbers of the document stand in its order, each once."""
    assert [row[0] for row in ROWS] == [f"O{number}" for number in NUMBERS]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_names_can_be_found(row: list[str]) -> None:
    """Each row has a name at least, and each name of it is one of the package."""
    named = code_in(row[1])
    assert named
    assert [name for name in named if not is_there(name)] == []
    assert row[2]


def test_missing_names_are_found() -> None:
    """Planted names are told apart: a member, a field, what a call answers, and what is not there."""
    there = ["Skill.brief", "AgentsSetup.agents", "Agents.of(…).do", "metier.rows.user", "metier.testing.Says.text"]
    missing = ["Skill.briefs", "AgentsSetup.agent", "Agents.of(…).does", "metier.row.user", "Nothing", "metier.testing"]
    assert [name for name in [*there, *missing] if is_there(name)] == there


def is_there(name: str) -> bool:
    """Whether a name of the package leads to something that is no module; one without a module is the front door's."""
    place, parts = "metier", name.removeprefix("metier.").split(".")
    while name.startswith("metier.") and parts and _is_module(f"{place}.{parts[0]}"):
        place = f"{place}.{parts.pop(0)}"
    room: object = importlib.import_module(place)
    try:
        reduce(_member, parts, room)
    except AttributeError:
        return False
    return parts != []


def _is_module(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        return False
    return True


def _member(owner: object, name: str) -> object:
    found = getattr(owner, name.removesuffix(CALLED))
    return get_type_hints(found)["return"] if name.endswith(CALLED) else found
