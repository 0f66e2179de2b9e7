"""How is work handed out on one machine?

Every process with the record may work on its tasks. A worker looks for tasks that are ready, or whose owner has gone, and
takes each up by one conditional write. What waits is a row of the record and nothing here (engine port).
"""

import asyncio
from collections.abc import Callable

from ..errors import RecordBusy
from ..record import Record, TaskRow
from .port import Run

AT_ONCE = 8
"""Tasks that one worker has at once."""

POLL = 1.0
"""Seconds between two looks for work that came from elsewhere."""

LOOK = 0.05
"""Seconds between two looks at a task that is waited for."""

GRACE = 30.0
"""Seconds that a worker that leaves gives its tasks to come to their next step."""


class InProcess:
    """Works on the tasks of a record in this process. An `Engine`."""

    def __init__(
        self, record: Record, run: Run, *, leave: Callable[[], None], at_once: int = AT_ONCE, poll: float = POLL
    ) -> None:
        self._record = record
        self._run = run
        self._leave = leave
        """Asks the tasks that run to end at their next step."""
        self._at_once = at_once
        self._poll = poll
        self._news = asyncio.Event()
        self._submitted: dict[str, None] = {}
        self._running: dict[str, asyncio.Task[bool]] = {}

    def submit(self, task: str) -> None:
        """Let a task that is ready on the record begin, here at once if there is room, else with another worker."""
        self._submitted[task] = None
        self._news.set()

    async def stop(self, task: str, *, by: str) -> TaskRow:
        """Stop a task wherever it runs, and answer its row once it has ended.

        Raises:
            TaskOver: it has ended already.
        """
        self._record.ask_stop(task, by=by)
        while True:
            row = self._row(task)
            if row.ended is not None:
                return row
            # Nobody has it, or whoever had it has gone: then its end is written here.
            if not await self._run(task):
                await asyncio.sleep(LOOK)

    async def wait(self, task: str) -> TaskRow:
        """Wait until a task has ended or waits for a person, and answer its row."""
        while True:
            row = self._row(task)
            if row.ended is not None or row.waits_for in ("person", "mending"):
                return row
            await asyncio.sleep(LOOK)

    async def serve(self, leaving: asyncio.Event) -> None:
        """Work on the tasks of the record until told to leave; those that run then go on with another worker."""
        left = asyncio.ensure_future(leaving.wait())
        try:
            while not leaving.is_set():
                self._news.clear()
                self._start()
                news = asyncio.ensure_future(self._news.wait())
                try:
                    await asyncio.wait(
                        {left, news, *self._running.values()},
                        timeout=self._poll,
                        return_when=asyncio.FIRST_COMPLETED,
                    )
                finally:
                    news.cancel()
        finally:
            left.cancel()
            await self._end()

    def _start(self) -> None:
        for task in [task for task, run in self._running.items() if run.done()]:
            self._running.pop(task).result()
        free = self._at_once - len(self._running)
        if free <= 0:
            return
        for task in self._next(free):
            self._submitted.pop(task, None)
            self._running[task] = asyncio.ensure_future(self._run(task))

    def _next(self, free: int) -> list[str]:
        """Tasks to begin with: those that were submitted here, without a look at the record; then what it has."""
        chosen = [task for task in self._submitted if task not in self._running][:free]
        if len(chosen) < free:
            try:
                found = self._record.ready(limit=self._at_once + free)
            except RecordBusy:
                return chosen  # the next look finds it
            chosen += [task for task in found if task not in self._running and task not in chosen]
        return chosen[:free]

    async def _end(self) -> None:
        """Let what runs come to its next step; what takes too long is cut."""
        self._leave()
        running = list(self._running.values())
        self._running.clear()
        if not running:
            return
        _, late = await asyncio.wait(running, timeout=GRACE)
        for run in late:
            run.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _row(self, task: str) -> TaskRow:
        return self._record.row(task)
