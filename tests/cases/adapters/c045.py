"""Does a model that guesses the names of scripts come to a stop?"""

from pathlib import Path

from metier.domain.bounds import StopWhen
from metier.domain.skill import Job

from ..case import Case, Happened
from ..playing import Player, steps_of

EXPECTED = {
    "reason": "stuck",
    "says": True,
    "misses": ["script.missing"] * 3,
    "every_miss_lists_the_name": True,
    "started": 0,
}


def happens(case: Case, folder: Path) -> Happened:
    """Give the job with its limits."""
    job = Job(stop=StopWhen(stuck_after=3, max_turns=50))
    played = Player(folder).play(steps_of(case), job=job, skill=case.skill("kit"))
    refused = played.of("Refused")
    facts = {
        "reason": played.receipt.reason,
        "says": "script.missing x 3, different names" in played.receipt.text,
        "misses": [entry.facts["code"] for entry in refused],
        "every_miss_lists_the_name": all("scripts/build.py" in (entry.body or {})["reason"] for entry in refused),
        "started": len(played.of("ToolCalled")),
    }
    return Happened(played.outcome, {"model_calls": played.receipt.model_calls}, facts)
