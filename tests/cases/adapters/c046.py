"""Is a free call's answer kept while another of its turn waits for a person?

differs = "the calls of a turn go in their order, so the free one that stands behind waits too, and runs once after the answer"
"""

from pathlib import Path

from ..case import Case, Happened
from ..going_on import Outliving, answers_of
from ..playing import steps_of

EXPECTED = {
    "deleted at the pause": 0,
    "answers": [("s1.1", "delete"), ("s1.2", "list")],
    "asked": 2,
    "result": "deleted; 2 left",
    "state": "Done",
}


def happens(case: Case, folder: Path) -> Happened:
    """Run to the pause, approve in another process, go on in a third."""
    with Outliving(folder, steps_of(case), {"delete": "changes", "list": "reads"}) as job:
        task = job.to_the_pause()
        paused = [name for name, _ in job.ran].count("delete")
        (stored,) = job.pending(task)
        job.say(stored.proposal.id, "yes")
        receipt = job.resume(task)
        names = [name for name, _ in job.ran]
        facts = {
            "deleted at the pause": paused,
            "answers": answers_of(job.sent[-1]),
            "asked": len(job.sent),
            "result": receipt.result,
            "state": receipt.state,
        }
        return Happened(
            "ok" if receipt.done else "error", {"runs": {name: names.count(name) for name in ("delete", "list")}}, facts
        )
