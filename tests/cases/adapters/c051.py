"""Is a proposal that is answered twice carried out twice?

differs = "`approval.used` is the error TaskOver"
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from metier.errors import TaskOver

from ..case import Case, Happened
from ..going_on import Outliving
from ..playing import steps_of

EXPECTED = {"accepted": 1, "used": 7, "again": "used", "approve after refuse": "used", "state": "Done"}


def happens(case: Case, folder: Path) -> Happened:
    """Approve eight times at once, go on, approve again; then refuse another one and approve that."""
    with Outliving(folder, steps_of(case), {"pay": "sends"}) as job:
        task = job.to_the_pause()
        (stored,) = job.pending(task)
        with ThreadPoolExecutor(8) as pool:
            said = list(pool.map(lambda _: _answer(job, stored.proposal.id, "yes"), range(8)))
        receipt = job.resume(task)
        facts = {
            "accepted": said.count("accepted"),
            "used": said.count("used"),
            "again": _answer(job, stored.proposal.id, "yes"),
            "state": receipt.state,
        }
        calls = len(job.ran)
        (other,) = job.pending(job.to_the_pause())
        _answer(job, other.proposal.id, "no")
        facts["approve after refuse"] = _answer(job, other.proposal.id, "yes")
        return Happened("ok" if receipt.done else "error", {"body_calls": calls}, facts)


def _answer(job: Outliving, proposal: str, answer: str) -> str:
    try:
        job.say(proposal, answer)
    except TaskOver:
        return "used"
    return "accepted"
