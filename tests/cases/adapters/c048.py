"""Is every call that waits listed, and does each have its own answer?

differs = "changing calls are taken one after another, so each is asked about when the one before it has its answer; see LEFT_OUT"
"""

from pathlib import Path
from typing import Any

from ..case import Case, Happened
from ..going_on import Outliving
from ..playing import steps_of

SAID = {1: "yes", 2: "no", 3: "yes"}
EXPECTED = {
    "asked of": [1, 2, 3],
    "paid": [1, 3],
    "answers": ["pay", "Refused: Ada said no to pay", "pay"],
    "model calls": 2,
    "result": "paid 1 and 3",
}


def happens(case: Case, folder: Path) -> Happened:
    """Answer what waits, each from a process of its own, until nothing does."""
    with Outliving(folder, steps_of(case), {"pay": "sends"}) as job:
        task = job.to_the_pause()
        asked: list[int] = []
        receipt: Any = None
        while pending := job.pending(task):
            for stored in pending:
                asked.append(stored.proposal.arguments["eur"])
                job.say(stored.proposal.id, SAID[asked[-1]])
            receipt = job.resume(task)
        facts = {
            "asked of": asked,
            "paid": [given["eur"] for _, given in job.ran],
            "answers": [one.text for one in job.sent[-1].messages if one.role == "tool"],
            "model calls": len(job.sent),
            "result": receipt.result,
        }
        return Happened("ok" if receipt.done else "error", facts=facts)
