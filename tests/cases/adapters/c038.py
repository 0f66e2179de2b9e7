"""Do the arguments of a script keep their shape?"""

import json
from pathlib import Path
from typing import Any

from metier.domain.bounds import StopWhen
from metier.domain.message import Request
from metier.domain.skill import Job
from metier.testing import Says

from ..case import Case, Happened
from ..playing import Player, runs

SCRIPT = "echo", "scripts/echo.py"

EXPECTED = {
    "rows_differ": [],
    "started": 4,
    "codes": ["args.shape"] * 3,
    "schema_says": "The script's arguments, a list of strings.",
    "prompt_says": "args is a list of strings.",
}


def happens(case: Case, folder: Path) -> Happened:
    """Call the script with every row in one task, wide enough for three wrong rows one after another."""
    rows = case.read("rows.toml")["row"]
    steps = [runs(*SCRIPT, json.loads(row["args"])) for row in rows]
    job = Job(stop=StopWhen(stuck_after=len(rows)))
    played = Player(folder).play([*steps, Says.text("done")], job=job, skill=case.skill("echo"))
    assert len(played.answers) == len(rows)
    facts = {
        "rows_differ": [row for row, one in zip(rows, played.answers, strict=True) if not _as_told(row, one.text)],
        "started": len(played.of("ToolCalled")),
        "codes": [one.facts["code"] for one in played.of("Refused")],
        **_told(played.sent[0]),
    }
    return Happened(played.outcome, facts=facts)


def _as_told(row: dict[str, Any], text: str) -> bool:
    if "error" in row:
        return text.startswith("Error: args must be a list of strings")
    return bool(json.loads(text) == row["argv"])


def _told(request: Request) -> dict[str, str]:
    """What the tool's schema and the prompt say of the arguments."""
    tool = next(tool for tool in request.tools if tool.name == "run_skill_script")
    line = next(line for line in request.system.splitlines() if "run_skill_script" in line)
    return {"schema_says": tool.parameters["properties"]["args"]["description"], "prompt_says": line.split("; ")[1]}
