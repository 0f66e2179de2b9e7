"""Tasks that cannot be taken up until something is mended."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from metier.app.metier import Metier
from metier.domain.proposal import Reply
from metier.errors import SkillMissing
from metier.testing import AgentScript, Says, ScriptedModel

from .conftest import RUN, House


async def served(app: Metier, task: str) -> None:
    """Let the app work on the record until the task waits, and for a look longer."""
    leaving = asyncio.Event()
    serving = asyncio.ensure_future(app.serve(leaving))
    await app.await_end(task)
    await asyncio.sleep(1.5)
    leaving.set()
    await serving


def test_worker_does_not_spin(house: House, skill: Callable[..., Path]) -> None:
    """A task whose skill has gone waits for that to be mended, its answer unread; a worker looks at it once."""
    folder = skill(toml=None)
    app = house.open(RUN, Says.text("so"))
    task = app.submit("count")
    app.resume(task)
    (waiting,) = app.proposals(task)
    app.answer(waiting.proposal.id, Reply("yes", "Ada", covers="subject"))
    folder.rename(folder.with_name("gone"))

    asyncio.run(served(app, task))
    row, kinds = app.record.row(task), house.kinds(task)
    assert (row.state, row.waits_for, kinds.count("Fault")) == ("Waiting", "mending", 1)
    folder.with_name("gone").rename(folder)
    assert app.resume(task).result == "so"


def test_a_person_is_told(house: House, skill: Callable[..., Path]) -> None:
    """Whoever resumes it is told what is missing, and the task keeps its place."""
    folder = skill(toml=None)
    app = house.open(model=ScriptedModel("test", AgentScript.of(Says.text("so")).answer))
    task = app.submit("count")
    folder.rename(folder.with_name("gone"))
    for _ in range(2):
        with pytest.raises(SkillMissing, match="is not in"):
            app.resume(task)
    assert (app.record.row(task).waits_for, app.receipt(task).state) == ("mending", "Waiting")
