"""Is a result that is refused for ever handed back for ever?"""

from pathlib import Path

from metier.domain.bounds import StopWhen

from ..case import Case, Happened
from ..playing import Player, steps_of, typed

REASON = 'done: expected boolean, got string "yes"'
EXPECTED = {
    "reason": "stuck",
    "reasons": [REASON] * 3,
    "names_job": "job",
    "names_tries": True,
    "names_last_reason": True,
    "result": None,
    "receipt_verifies": True,
}


def happens(case: Case, folder: Path) -> Happened:
    """Give the job with its limits."""
    job = typed({"done": "boolean"}, stop=StopWhen(stuck_after=3, max_turns=50))
    played = Player(folder).play(steps_of(case), job=job)
    receipt = played.receipt
    facts = {
        "reason": receipt.reason,
        "reasons": [(entry.body or {})["reason"] for entry in played.of("SentBack")],
        "names_job": receipt.skill.name,
        "names_tries": " x 3" in receipt.text,
        "names_last_reason": receipt.text.endswith(REASON),
        "result": receipt.result,
        "receipt_verifies": receipt.entries == len(played.entries) and receipt.digest == played.entries[-1].digest,
    }
    return Happened(played.outcome, {"model_calls": receipt.model_calls}, facts)
