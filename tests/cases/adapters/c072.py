"""Does the work that handed other work on end, when that hits a limit?"""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from metier.domain.entry import Entry
from metier.domain.money import LlmPrice
from metier.testing import Says

from ..case import Case, Happened
from ..families import Household, handed
from ..playing import outcome_of

PRICE = LlmPrice(Decimal(1), Decimal(1))
ENDS = ("Done", "Failed", "Stopped", "Refused")
LOOK = Says.tool("look", {"q": 1})
EXPECTED = {
    "inner": ("Failed", "budget", 1),
    "outer": ("Failed", "budget", 1),
    "path": True,
    "answer": "Helper did not finish: Failed (budget)",
    "ends": [["Failed"], ["Failed"]],
    "unanswered": [[], []],
    "limit is passed": False,
}


def happens(case: Case, folder: Path) -> Happened:
    """Do the work with its budget, of which the inner call leaves next to nothing."""
    told = case.read("plan.toml")
    million, budget = Decimal(1_000_000), Decimal(told["budget"])
    inner = LOOK.tokens(int(Decimal(told["inner_call_cost"]) * million) - 1, 1)
    outer = handed({"q": "x"}).tokens(999, 1)  # a tenth of the budget
    household = Household(folder, [outer, Says.text("so")], [inner] * 3, price=PRICE, max_output_tokens=1000)
    played = household.play(budget=budget)
    receipt, (child,) = played.receipt, played.children
    returned = [entry for entry in played.entries[receipt.id] if entry.kind == "ToolReturned"]
    facts: dict[str, Any] = {
        "inner": (child.state, child.reason, child.model_calls),
        "outer": (receipt.state, receipt.reason, receipt.model_calls),
        "path": receipt.children == (child.id,) and child.parent == receipt.id,
        "answer": str((returned[0].body or {})["text"]).partition(".")[0],
        "ends": [[one.kind for one in entries if one.kind in ENDS] for entries in played.entries.values()],
        "unanswered": [_unanswered(entries) for entries in played.entries.values()],
        "limit is passed": receipt.cost + receipt.children_cost > budget,
    }
    return Happened(outcome_of(receipt), facts=facts)


def _unanswered(entries: Sequence[Entry]) -> list[str]:
    """What was begun and has no end on the record."""
    begun = [_name(entry) for entry in entries if entry.kind in ("ToolCalled", "ModelCalled")]
    ended = [_name(entry) for entry in entries if entry.kind in ("ToolReturned", "ModelAnswered")]
    return sorted({*begun} ^ {*ended})


def _name(entry: Entry) -> str:
    return str(entry.facts.get("call") or f"model {entry.facts['turn']}")
