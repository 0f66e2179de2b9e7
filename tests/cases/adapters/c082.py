"""Do the references of a tool's schema reach the model, and bind?"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from metier.actions.references import resolved
from metier.domain.action import Action, Hands
from metier.domain.bounds import StopWhen
from metier.testing import Says

from ..case import Case, Happened
from ..playing import Player, with_tools

EXPECTED = {
    "references": False,
    "kind": {"type": "string", "enum": ["a", "b"], "description": "what it is"},
    "items of status_filter": ["open", "done"],
    "required": ["kind"],
    "rows": [True, False, True, False],
    "reasons": ['kind: "c" is not one of "a" or "b"', 'status_filter.0: "shut" is not one of "open" or "done"'],
}


def happens(case: Case, folder: Path) -> Happened:
    """Offer the tool to a model that calls it with each row."""
    rows = case.read("rows.toml")["row"]
    calls = [Says.tool("tool", json.loads(row["args"])) for row in rows]
    tool = Action("tool", "A tool of others.", resolved(case.read("tool.json")), _done, frozenset({"reads"}))
    job = with_tools(tool, stop=StopWhen(stuck_after=10))
    played = Player(folder).play([*calls, Says.text("done")], job=job)
    (sent,) = (one.parameters for one in played.sent[0].tools if one.name == "tool")
    facts: dict[str, Any] = {
        "references": "$ref" in json.dumps(sent),
        "kind": sent["properties"]["kind"],
        "items of status_filter": sent["properties"]["status_filter"]["items"]["enum"],
        "required": sent["required"],
        "rows": [answer.ok for answer in played.answers],
        "reasons": [(entry.body or {})["reason"] for entry in played.of("Refused")],
    }
    return Happened("ok" if facts["rows"] == [row["ok"] for row in rows] else "error", facts=facts)


async def _done(_: Mapping[str, Any], __: Hands) -> str:
    return "done"
