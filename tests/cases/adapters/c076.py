"""Does a limit of turns hold for the work that is handed to another agent?"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from metier.testing import Says

from ..case import Case, Happened
from ..families import Family, Household, handed
from ..playing import outcome_of, says

TOLD: Mapping[str, Any] = {
    "inner": ("Failed", "max_turns", "max turns (3)"),
    "answer": "Helper did not finish: Failed (max_turns). max turns (3)",
    "outer": ("Done", "helper gave up"),
    "model calls": (2, 3),
}
EXPECTED = {"at once": TOLD, "from the record": TOLD}


def happens(case: Case, folder: Path) -> Happened:
    """Do the work at once, and put on the record first."""
    steps = case.read("model.json")
    household = Household(folder, [_outer(step) for step in steps["outer"]], [says(step) for step in steps["helper"]])
    played = {"at once": household.play(), "from the record": household.play(later=True)}
    inner = [child for family in played.values() for child in family.children]
    facts = {name: _facts(family) for name, family in played.items()}
    (outcome,) = {outcome_of(child) for child in inner}
    (calls,) = {child.model_calls for child in inner}
    return Happened(outcome, {"inner_model_calls": calls}, facts)


def _outer(step: Mapping[str, Any]) -> Says:
    (call,) = step.get("calls", [None])
    return says(step) if call is None else handed(call["args"])


def _facts(family: Family) -> dict[str, Any]:
    (child,) = family.children
    (answer,) = family.answers
    return {
        "inner": (child.state, child.reason, child.text),
        "answer": answer,
        "outer": (family.receipt.state, family.receipt.result),
        "model calls": (family.receipt.model_calls, child.model_calls),
    }
