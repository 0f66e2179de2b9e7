"""Tasks that are stopped in the middle, wherever they are."""

import asyncio
import os
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from metier.actions.function import action, action_of
from metier.app.metier import Metier
from metier.domain.entry import Entry
from metier.domain.message import Request
from metier.domain.permits import Permits
from metier.domain.proposal import Proposal, Reply
from metier.domain.skill import Job, SkillSpec
from metier.gate.approvers import Yes
from metier.testing import Says, ScriptedModel

from .conftest import RUN, House

Skill = Callable[..., Path]


async def stop(app: Metier, reached: asyncio.Event, skill: Any, **task: Any) -> list[Entry]:
    """Begin a task, stop it once a point is reached, and answer its entries; it must raise and leave nothing running."""
    work = asyncio.ensure_future(app.arun(skill, **task))
    await asyncio.wait_for(reached.wait(), 30)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert asyncio.all_tasks() == {asyncio.current_task()}
    return told(app)


def told(app: Metier) -> list[Entry]:
    """The entries of the one task, which must have ended as stopped, with an end for each begin."""
    (row,) = app.tasks()
    entries = list(app.record.entries(row.id))
    begun = [entry.facts["call"] for entry in entries if entry.kind == "ToolCalled"]
    ended = [entry.facts["call"] for entry in entries if entry.kind == "ToolReturned"]
    assert sorted(begun) == sorted(ended)
    assert (row.state, row.reason, entries[-1].kind) == ("Stopped", "cancelled", "Stopped")
    assert (app.receipt(row.id).state, app.verify(row.id).ok) == ("Stopped", True)
    return entries


def outcomes(entries: list[Entry]) -> list[str]:
    """How the calls ended."""
    return [entry.facts["outcome"] for entry in entries if entry.kind == "ToolReturned"]


def putting(put: Callable[..., Any]) -> SkillSpec:
    """A job with one action."""
    return SkillSpec("putting", "Puts.", job=Job(tools=[action_of(put)]))


def going(house: House, point: Callable[[asyncio.Event], Awaitable[list[Entry]]]) -> list[Entry]:
    """Run one such story in a loop of its own."""

    async def go() -> list[Entry]:
        return await point(asyncio.Event())

    try:
        return asyncio.run(go())
    finally:
        for app in house.apps:
            app.close()


def test_while_the_model_is_asked(house: House) -> None:
    """The model's call has its end, and no other call was begun."""

    async def point(reached: asyncio.Event) -> list[Entry]:
        async def never(_: Request) -> Any:
            reached.set()
            await asyncio.Event().wait()

        app = house.open(model=ScriptedModel("slow", never))
        return await stop(app, reached, SkillSpec("words", "Say so.", job=Job()))

    assert [entry.kind for entry in going(house, point)][2:] == ["ModelCalled", "ModelAnswered", "Stopped"]


def test_while_a_person_is_asked(house: House) -> None:
    """What was proposed has no answer, nothing was begun, and nothing ran."""
    ran: list[str] = []

    @action(changes=True)
    def put() -> None:
        """Put."""
        ran.append("put")

    async def point(reached: asyncio.Event) -> list[Entry]:
        class Slow:
            async def answer(self, proposal: Proposal) -> Reply:
                reached.set()
                await asyncio.Event().wait()
                return Reply("yes", proposal.id)

        return await stop(house.open(Says.tool("put")), reached, putting(put), approver=Slow())

    kinds = [entry.kind for entry in going(house, point)]
    assert (kinds[4:], ran) == (["Proposed", "Refused", "Stopped"], [])


def test_while_an_action_runs(house: House) -> None:
    """The action is cut and its call has the end `stopped`."""
    cut: list[str] = []

    async def point(reached: asyncio.Event) -> list[Entry]:
        @action(changes=True)
        async def put() -> None:
            """Put."""
            try:
                reached.set()
                await asyncio.Event().wait()
            finally:
                cut.append("put")

        return await stop(house.open(Says.tool("put")), reached, putting(put), approver=Yes("Ada"))

    assert (outcomes(going(house, point)), cut) == (["stopped"], ["put"])


class Slow:
    """A plain function of the app that ends a little after the task was stopped, if anybody waits for it."""

    def __init__(self, reached: asyncio.Event) -> None:
        self.loop, self.reached = asyncio.get_running_loop(), reached
        self.go_on = threading.Event()
        self.ended = False

    def begin(self) -> None:
        self.reached.set()
        self.loop.call_later(0.05, self.go_on.set)

    def work(self) -> None:
        self.loop.call_soon_threadsafe(self.begin)
        self.go_on.wait(30)
        self.ended = True


def test_while_a_plain_function_runs(house: House) -> None:
    """A function in a worker thread cannot be cut: it is waited for, so that nothing goes on after the task's end."""
    ended: list[bool] = []

    async def point(reached: asyncio.Event) -> list[Entry]:
        slow = Slow(reached)

        @action(changes=True)
        def put() -> None:
            """Put."""
            slow.work()

        entries = await stop(house.open(Says.tool("put")), reached, putting(put), approver=Yes("Ada"))
        ended.append(slow.ended)
        return entries

    going(house, point)
    assert ended == [True]


async def appears(path: Path, reached: asyncio.Event) -> None:
    """Wait for a file that another process writes."""
    while not os.path.exists(path):  # noqa: ASYNC110, ASYNC240 - another process cannot set an event
        await asyncio.sleep(0.01)
    reached.set()


def test_while_a_script_runs(house: House, skill: Skill, data: Path, tmp_path: Path) -> None:
    """The script's process is ended and its scratch folder is gone."""
    mark = tmp_path / "mark"
    text = f"import os, time\nopen({str(mark)!r} + '~', 'w').write(f'{{os.getpid()}}')\n"
    skill(toml=None, count=f"{text}os.rename({str(mark)!r} + '~', {str(mark)!r})\nwhile True: time.sleep(1)\n")

    async def point(reached: asyncio.Event) -> list[Entry]:
        looking = asyncio.ensure_future(appears(mark, reached))
        entries = await stop(house.open(RUN), reached, "count", files=[data], approver=Yes("Ada"))
        await looking
        return entries

    assert outcomes(going(house, point)) == ["stopped"]
    process = mark.read_text(encoding="utf-8")
    assert not os.path.exists(f"/proc/{process}/cwd") or "temporary" not in os.readlink(f"/proc/{process}/cwd")


def holding(other: sqlite3.Connection, reached: asyncio.Event) -> Callable[[Entry], None]:
    """A watcher by which another program holds the record from a call's begin to the task's end."""

    def watch(entry: Entry) -> None:
        if entry.kind == "ToolCalled":
            other.execute("BEGIN IMMEDIATE")
            reached.set()
        if entry.kind == "Stopped":
            other.execute("ROLLBACK")

    return watch


def test_while_the_begin_is_written(house: House) -> None:
    """A call whose begin could not be written yet never ran, and its end says so."""
    ran: list[str] = []

    @action(changes=True)
    def put() -> None:
        """Put."""
        ran.append("put")

    async def point(reached: asyncio.Event) -> list[Entry]:
        app = house.open(Says.tool("put"), permits=Permits.changes_alone())
        with closing(sqlite3.connect(house.record, isolation_level=None)) as other:
            return await stop(app, reached, putting(put), watch=holding(other, reached))

    assert (outcomes(going(house, point)), ran) == (["never_ran"], [])


def test_while_the_check_runs(house: House) -> None:
    """A check that is cut and the hand-back around it both have their ends; the result is not accepted."""

    async def point(reached: asyncio.Event) -> list[Entry]:
        @action(query=True)
        async def check(result: dict[str, Any], input: str | None) -> None:  # noqa: A002 - the word that checks are given
            """Check."""
            reached.set()
            await asyncio.Event().wait()

        job = Job(hands_back={"type": "object"}, check=action_of(check))
        return await stop(house.open(Says.hand_back({})), reached, SkillSpec("job", "Does.", job=job))

    entries = going(house, point)
    assert outcomes(entries) == ["stopped", "stopped"]
    assert "HandedBack" not in [entry.kind for entry in entries]


def test_files_stay_with_the_task(house: House, skill: Skill, data: Path) -> None:
    """The copies of what was given stay beside the record when the task was stopped, for it can go on."""
    skill()
    seen: list[int] = []

    def copies() -> int:
        return len(list(house.project.glob("record.sqlite.tasks/*/*/data.csv")))

    async def point(reached: asyncio.Event) -> list[Entry]:
        async def never(_: Request) -> Any:
            seen.append(copies())
            reached.set()
            await asyncio.Event().wait()

        return await stop(house.open(model=ScriptedModel("slow", never)), reached, "count", files=[data])

    going(house, point)
    assert (seen, copies()) == ([2], 2)
