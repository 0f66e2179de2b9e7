"""Can two processes work on one task at the same time?"""

import asyncio
from pathlib import Path

from metier.domain.permits import Permits
from metier.errors import TaskTaken

from ..case import Case, Happened
from ..going_on import Outliving
from ..playing import steps_of

EXPECTED = {"refused": "TaskTaken", "state": "Done", "ran": 1, "changed by the other": [], "verified": True}


def happens(case: Case, folder: Path) -> Happened:
    """Go on with one task in two processes at once."""
    with Outliving(folder, steps_of(case), {"slow": "changes"}, permits=Permits.changes_alone()) as job:
        return asyncio.run(_twice(job))


async def _twice(job: Outliving) -> Happened:
    begun, over = asyncio.Event(), asyncio.Event()

    async def slow() -> str:
        begun.set()
        await over.wait()
        return "slow"

    job.answer = lambda _, __: slow()
    one, other = job.process(), job.process()
    task = await one.asubmit(job.skill)
    first = asyncio.ensure_future(one.aresume(task))
    await begun.wait()
    before = [entry.digest for entry in other.record.entries(task)]
    try:
        await other.aresume(task)
        refused = ""
    except TaskTaken as error:
        refused = type(error).__name__
    after = [entry.digest for entry in other.record.entries(task)]
    over.set()
    receipt = await first
    facts = {
        "refused": refused,
        "state": receipt.state,
        "ran": len(job.ran),
        "changed by the other": [digest for digest in after if digest not in before],
        "verified": other.verify(task).ok,
    }
    return Happened("error" if refused else "ok", facts=facts)
