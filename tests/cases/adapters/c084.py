"""Has a type that holds itself a schema that holds together?"""

from pathlib import Path
from typing import Any

from metier.actions.references import resolved
from metier.actions.schema import check_for
from metier.actions.types import held_to, json_type
from metier.domain.skill import Job
from metier.errors import ActionError
from metier.testing import Says

from ..case import Case, Happened
from ..declaring import module_of
from ..playing import Player

EXPECTED = {
    "dangling": False,
    "read and written": True,
    "result": True,
    "refused": ["parts.0.parts.0.name: expected string, got number 1"],
    "without references": "schema.recursive: Folder.parts refers to itself, and this model's provider takes no references.",
}


def happens(case: Case, folder: Path) -> Happened:
    """Describe the tree, hand one back, and hold its schema to a provider that takes no references."""
    kind = json_type(module_of(case, "types.py").Folder)
    good = case.read("good.json")
    bad: Any = {"name": "a", "parts": [{"name": "b", "parts": [{"name": 1}]}]}
    played = Player(folder).play(
        [Says.tool("hand_back", bad), Says.tool("hand_back", good)], job=Job(hands_back=kind.schema)
    )
    facts = {
        "dangling": resolved(kind.schema) != kind.schema or bool(check_for(kind.schema)(good)),
        "read and written": kind.write(kind.read(good)) == good,
        "result": played.receipt.result == good,
        "refused": [(entry.body or {})["reason"] for entry in played.of("SentBack")],
    }
    try:
        held_to(kind.schema, references=False, open_objects=True)
    except ActionError as error:
        return Happened("error", facts={**facts, "without references": error.message})
    return Happened("ok", facts=facts)
