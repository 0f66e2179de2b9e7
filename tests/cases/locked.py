"""How are jobs done by one process of case 111, while others hold the record?

python -m tests.cases.locked RECORD FIRST JOBS
"""

import asyncio
import sys
from pathlib import Path

from metier.actions.function import action, action_of
from metier.app.metier import Metier
from metier.domain.permits import Permits
from metier.domain.skill import Job, SkillSpec
from metier.testing import AgentScript, Says, ScriptedModel

STEPS = (Says.tool("put", {"n": 1}), Says.tool("put", {"n": 2}), Says.text("done"))


@action(changes=True)
async def put(n: int) -> str:
    """Put; it takes a while, so that the begins and ends of a job meet the lock at several times."""
    await asyncio.sleep(0.4)
    return f"put {n}"


async def main(record: Path, first: int, jobs: int) -> None:
    """Do the jobs side by side, under ids that count up from the first."""
    ids = iter(range(first, first + jobs))
    model = ScriptedModel("case", AgentScript.of(*STEPS).answer)
    skill = SkillSpec("job", "Put two.", job=Job(tools=[action_of(put)]))
    async with Metier(
        project=record.parent,
        record=record,
        model=model,
        permits=Permits.changes_alone(),
        new_id=lambda: f"job-{next(ids):02}",
    ) as app:
        for receipt in await asyncio.gather(*(app.arun(skill) for _ in range(jobs))):
            print(receipt.id, receipt.state)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
