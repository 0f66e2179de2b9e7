"""Is a task that was stopped told from one whose process is gone?

differs = "`approval.used` is the error TaskOver; a stopped task that goes on asks anew"
"""

import asyncio
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from metier.app.metier import Metier
from metier.domain.message import Answer, Request
from metier.errors import LeaseLost, TaskOver
from metier.record import open_record
from metier.testing import ScriptedModel

from ..case import Case, Happened
from ..going_on import Outliving
from ..playing import RECORD, steps_of

EXPECTED = {
    "stopped": ("Stopped", "Withdrawn", "TaskOver", []),
    "dropped": ("Waiting", "Pending", [{"eur": 5}]),
    "crashed": ("Done", 1, ["user", "model", "tool"]),
}


def happens(case: Case, folder: Path) -> Happened:
    """Stop, drop, and crash, each in a folder of its own."""
    facts: dict[str, Any] = {}
    for name, story in {"stopped": _stopped, "dropped": _dropped, "crashed": _crashed}.items():
        (folder / name).mkdir()
        with Outliving(folder / name, steps_of(case), {"pay": "sends"}) as job:
            facts[name] = story(job)
    return Happened("ok" if facts == EXPECTED else "error", facts=facts)


def _stopped(job: Outliving) -> Any:
    """Stop, look again, approve what was asked."""
    task = job.to_the_pause()
    (stored,) = job.pending(task)
    job.process().stop(task)
    try:
        job.say(stored.proposal.id, "yes")
        said = ""
    except TaskOver as error:
        said = type(error).__name__
    record = job.process().record
    return record.row(task).state, record.proposal(stored.proposal.id).state, said, job.ran


def _dropped(job: Outliving) -> Any:
    """Close the process, look again, approve, go on."""
    task = job.to_the_pause()
    job.stack.close()
    record = job.process().record
    (stored,) = job.pending(task)
    told = record.row(task).state, stored.state
    job.say(stored.proposal.id, "yes")
    job.resume(task)
    return *told, [given for _, given in job.ran]


def _crashed(job: Outliving) -> Any:
    """A process that is gone after the answer is stored and the call is done, while the model is asked again."""
    task = job.to_the_pause()
    (stored,) = job.pending(task)
    job.say(stored.proposal.id, "yes")
    asyncio.run(_cut_while_asked(job, task))
    receipt = job.resume(task)
    return receipt.state, len(job.ran), [one.role for one in job.sent[-1].messages][:3]


async def _cut_while_asked(job: Outliving, task: str) -> None:
    """Leave the record as it is while the model is asked; who asks is never heard of again."""
    asked = asyncio.Event()

    async def never(_: Request) -> Answer:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError("nobody wakes it")

    app = Metier(project=job.folder, record=job.folder / RECORD, model=ScriptedModel("case", never), skills=[job.skill])
    async with app:
        work = asyncio.ensure_future(app.aresume(task))
        await asked.wait()
        with open_record(str(job.folder / RECORD)) as other:
            while not any(entry.kind == "ToolReturned" for entry in other.entries(task)):  # noqa: ASYNC110 - it is looked at as another process does
                await asyncio.sleep(0.005)
            with closing(sqlite3.connect(job.folder / RECORD)) as clock, clock:
                clock.execute("UPDATE task SET lease_until = 1")
            assert other.take_up(task) is not None
        work.cancel()
        with suppress(asyncio.CancelledError, LeaseLost):
            await work
