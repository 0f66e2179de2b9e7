"""`metier worker`: work on the tasks of the record until told to leave."""

import asyncio
import signal
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress

import click

from ..actions.scripts.subreaper import become_subreaper
from ..app.metier import Metier
from ..engine.in_process import AT_ONCE, InProcess
from ..record import TaskRow
from .as_json import print_line
from .clean import clean, one_line
from .exits import DONE
from .opened import opened
from .presence import present
from .say import say
from .story import story_of

IDLE_LOOK = 0.2
"""Seconds between two looks whether there is nothing left to do."""

BEGINS = "Working on the tasks of {where}, {count} at once. Ctrl-C leaves."
LEAVES = "Leaving, as soon as what runs has come to its next step ({count}). Once more cuts it."
GONE = "Left."


@click.command("worker")
@click.option(
    "--at-once",
    type=click.IntRange(min=1),
    default=AT_ONCE,
    show_default=True,
    help="The most tasks to work on at the same time.",
)
@click.option("--until-idle", is_flag=True, help="End when no task can go on without an answer.")
@click.option("--json", "as_json", is_flag=True, help="Print a line of JSON for each task begun, paused or ended.")
@click.pass_context
def command(ctx: click.Context, at_once: int, until_idle: bool, as_json: bool) -> int:
    """Work on the tasks of this record until told to leave, by Ctrl-C or SIGTERM.

    What must be asked waits on the record: see `metier proposals`. Several workers may work on one record.
    """
    become_subreaper()
    with opened(ctx) as app, present(app.settings.record_path):
        where = app.settings.record_path
        say(BEGINS.format(where=clean(where), count=at_once), error=True)
        worker = _Worker(app, as_json=as_json)
        with suppress(asyncio.CancelledError):
            asyncio.run(worker.work(at_once=at_once, until_idle=until_idle))
        say(GONE, error=True)
    return DONE


class _Worker:
    """Serves the record, and tells of each task that it takes up and gives up."""

    def __init__(self, app: Metier, *, as_json: bool) -> None:
        self._app = app
        self._as_json = as_json
        self._leaving = asyncio.Event()
        self._running = 0

    async def work(self, *, at_once: int, until_idle: bool) -> None:
        """Work until told to leave; the second time, what runs is cut."""
        engine = InProcess(self._app.record, self._one, leave=self._app.work.leave, at_once=at_once)
        self._app.work.stay()
        serving = asyncio.ensure_future(engine.serve(self._leaving))
        idle = asyncio.ensure_future(self._leave_when_idle()) if until_idle else None
        with self._signals(serving):
            try:
                await serving
            finally:
                if idle is not None:
                    idle.cancel()

    async def _one(self, task: str) -> bool:
        """Work on one task. Whether it was to be had shows at the first step."""
        work = asyncio.ensure_future(self._app.work.run(task))
        await asyncio.sleep(0)
        if work.done() and not work.result():
            return False
        self._running += 1
        self._tell("begun", self._app.record.row(task))
        try:
            return await work
        finally:
            self._running -= 1
            row = self._app.record.row(task)
            self._tell("ended" if row.ended is not None else "paused", row)

    async def _leave_when_idle(self) -> None:
        """Leave once nothing runs and nothing is ready; another process may make a task ready at any moment."""
        while not self._leaving.is_set():
            if not self._running and not self._app.record.ready(limit=1):
                self._leaving.set()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._leaving.wait(), IDLE_LOOK)

    def _tell(self, what: str, row: TaskRow) -> None:
        if self._as_json:
            told = {"what": what, "task": row.id, "skill": row.skill, "state": row.state, "reason": row.reason}
            print_line({"at": time.time_ns(), **told, "waits_for": row.waits_for})
            return
        how = "" if what == "begun" else f"  {self._how(row)}"
        say(f"{time.strftime('%H:%M:%S')}  {what:6}  {clean(row.id)}  {one_line(row.skill, 40)}{how}")

    def _how(self, row: TaskRow) -> str:
        """How the task came out of this run."""
        story = story_of(self._app, row.id)
        if row.ended is None:
            goes_on = f": {story.standing.goes_on[0]}" if story.standing.goes_on else ""
            return f"{story.standing.told}{clean(goes_on)}"
        cost = f"  ${story.receipt.cost:.4f}" if story.receipt.priced else ""
        return f"{row.state} ({row.reason}){cost}"

    @contextmanager
    def _signals(self, serving: "asyncio.Future[None]") -> Generator[None]:
        loop = asyncio.get_running_loop()

        def told() -> None:
            if self._leaving.is_set():
                serving.cancel()
                return
            if self._running:
                say(LEAVES.format(count=self._running), error=True)
            self._leaving.set()

        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, told)
        try:
            yield
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)
