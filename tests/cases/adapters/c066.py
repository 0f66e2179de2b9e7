"""Is what an agent spends on work that was handed to it spent by the work that handed it on?

differs = "Limits are dollars, of which a token costs one millionth here. A call is let through only if the most that it can
cost fits, so the limit is one that lets the inner call through and not the outer's second one"
"""

from decimal import Decimal
from pathlib import Path
from typing import Any

from metier.domain.money import LlmPrice
from metier.testing import Says

from ..case import Case, Happened
from ..families import Family, Household, handed
from ..playing import outcome_of

A_TOKEN = Decimal("0.000001")
PRICE = LlmPrice(Decimal(1), Decimal(1))
EXPECTED = {
    "without the limit": ("Done", "so"),
    "with the limit": ("Failed", "budget"),
    "last call": "the inner one",
    "limit is passed": False,
    "the outer's own": Decimal("0.000009"),
}
LONG = "a long answer " * 200
"""What the inner model says: the outer's second request, which holds it, is dearer than any before."""


def happens(case: Case, folder: Path) -> Happened:
    """Do the work without a limit, and with one that its first two calls just fit."""
    told = case.read("usage.toml")
    (inner,) = told["inner"]
    first, second = told["outer"]
    outer = [handed({"q": "x"}).tokens(*first), Says.text("so").tokens(*second)]
    household = Household(folder, outer, [Says.text(LONG).tokens(*inner)], price=PRICE)
    free = household.play()
    spent = A_TOKEN * (sum(first) + sum(inner))
    limit = spent + _reserved(free)[-1] - A_TOKEN
    stopped = household.play(budget=limit)
    used = stopped.receipt.cost + stopped.receipt.children_cost
    facts: dict[str, Any] = {
        "without the limit": (free.receipt.state, free.receipt.result),
        "with the limit": (stopped.receipt.state, stopped.receipt.reason),
        "last call": "the inner one" if _model_calls(stopped) == 2 and stopped.children[0].done else "another",
        "limit is passed": used > limit,
        "the outer's own": stopped.receipt.cost,
    }
    everybody = [free.receipt, *free.children]
    values = {
        "input": sum(one.usage.input for one in everybody),
        "output": sum(one.usage.output for one in everybody),
        "calls": _model_calls(free),
        "used_at_stop": int(used / A_TOKEN),
    }
    return Happened(outcome_of(stopped.receipt), values, facts)


def _reserved(family: Family) -> list[Decimal]:
    """What was set aside for each model call of the outer work."""
    called = [entry for entry in family.entries[family.receipt.id] if entry.kind == "ModelCalled"]
    return [Decimal(entry.facts["reserved"]) for entry in called]


def _model_calls(family: Family) -> int:
    return family.receipt.model_calls + sum(child.model_calls for child in family.children)
