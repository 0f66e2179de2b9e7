"""A worker that froze, lost its task, and wakes: its late end settles what nobody else could know."""

import asyncio
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from typing import Any

import pytest

from metier.app.metier import Metier
from metier.domain.action import Action, Hands
from metier.domain.permits import Permits
from metier.domain.skill import Job, SkillSpec
from metier.errors import LeaseLost
from metier.testing import Says

from .conftest import House

STEPS = (Says.tool("pay"), Says.text("paid"))


class Payer:
    """An action that freezes when it has paid, for as long as the test wants."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.paid = 0
        self.frozen = asyncio.Event()
        self.woken = asyncio.Event()

    def skill(self) -> SkillSpec:
        """A job that pays."""
        return SkillSpec(
            "paying",
            "Pays.",
            job=Job(tools=[Action("pay", "Pays.", {"type": "object"}, self._pay, frozenset({"changes"}))]),
        )

    async def _pay(self, _: Mapping[str, Any], __: Hands) -> str:
        self.paid += 1
        self.frozen.set()
        await self.woken.wait()
        return self.text


async def taken_over(house: House, payer: Payer) -> tuple[Metier, str]:
    """A task that was taken from a frozen worker, which has woken since; and the app that has it now."""

    def opened() -> Metier:
        return house.open(*STEPS, skills=[payer.skill()], permits=Permits.changes_alone())

    first, second = opened(), opened()
    task = await first.asubmit(payer.skill())
    frozen = asyncio.ensure_future(first.aresume(task))
    await payer.frozen.wait()
    with closing(sqlite3.connect(house.record)) as clock, clock:
        clock.execute("UPDATE task SET lease_until = 1")
    assert (await second.aresume(task)).state == "Waiting"
    payer.woken.set()
    with pytest.raises(LeaseLost):
        await frozen
    return second, task


@pytest.mark.parametrize("text", ["paid 5", "paid 5 " * 20_000])
def test_late_end_settles_the_call(house: House, text: str) -> None:
    """Whoever goes on takes the late end over, a long one too: nothing is paid twice, and nobody has to answer (O84)."""

    async def story() -> None:
        payer = Payer(text)
        app, task = await taken_over(house, payer)
        (late, *_) = [one for one in app.record.late(task) if one.kind == "ToolReturned"]
        assert late.facts["outcome"] == "done"
        receipt = await app.aresume(task)
        assert (receipt.state, receipt.calls.unknown, payer.paid) == ("Done", 0, 1)
        (end,) = [one for one in app.record.entries(task, whole=True) if one.kind == "ToolReturned"]
        assert (end.facts["settled"], end.body and end.body["text"]) == ("late", text)
        assert app.verify(task).ok

    asyncio.run(story())


def test_answered_is_asked_no_more(house: House) -> None:
    """The question that nobody needs to answer any more is not left waiting when the task has ended."""

    async def story() -> None:
        app, task = await taken_over(house, Payer("paid"))
        assert len(app.proposals(task)) == 1
        await app.aresume(task)
        assert app.proposals(task) == []

    asyncio.run(story())
