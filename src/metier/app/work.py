"""How is a task of the record worked on, from taking it up to giving it up?"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ..domain.permits import Rule
from ..domain.ports import Approver, Watcher
from ..domain.receipt import Receipt
from ..domain.task import Ended, RunEnd, Waits, can_go_on
from ..errors import LeaseLost, MetierError, TaskError, TaskTaken
from ..gate.approvers import Later
from ..record import Record, TaskWriter
from .agency import Parent
from .agents.family import parent_again
from .assignment import Assignment
from .choosing import CodeModel
from .earlier import Earlier, earlier_of
from .folders import Folders
from .house import House
from .running import LEFT, Running, paused
from .stopping import STOPPED, note_stop
from .taking_up import assignment_again


class Work:
    """Works on the tasks of one record.

    Args:
        record: the record.
        house: what the app brings.
    """

    def __init__(self, record: Record, house: House) -> None:
        self._record = record
        self._house = house
        self._leaving = False

    def stay(self) -> None:
        """Let the tasks of a worker of this process run on."""
        self._leaving = False

    def leave(self) -> None:
        """Ask all tasks that a worker of this process has to end their run at their next step."""
        self._leaving = True

    async def begin(self, one: Assignment, watch: Watcher | None) -> Receipt:
        """Work on a new task until it ends or waits."""
        return await self._go(one, self._begin(one, watch), None)

    async def submit(self, one: Assignment) -> str:
        """Put a new task on the record, ready for whoever works on it; answer its id."""
        log = self._begin(one, None)
        try:
            Running(one, log, folders=self._folders(one.task)).give()
            ready = Waits("worker", "it was given, to be begun")
            log.note(*paused(ready))
            await self._give_up(log, ready)
        finally:
            self._record.let_go(one.task)
        return one.task

    async def resume(
        self,
        task: str,
        *,
        approver: Approver,
        watch: Watcher | None = None,
        hear: Callable[[str], None] | None = None,
        parent: Parent | None = None,
        leave: Callable[[], bool] | None = None,
    ) -> Receipt:
        """Go on with a task, for a person or for the task that handed it on, until it ends or waits.

        Raises:
            TaskOver: it has ended.
            TaskTaken: another process works on it.
            SkillError: its skill is not here, or not what it was; the task waits.
            SetupError: its model is not to be had here; the task waits.
        """
        log = self._record.take_up(task, watch=watch, stopped=True)
        if log is None:
            raise TaskTaken(f"Another process works on the task {task}.", hint=f"See it with: metier show {task}")
        return await self._take_up(log, approver=approver, hear=hear, parent=parent, leave=leave)

    async def run(self, task: str) -> bool:
        """Work on a task for a worker; answer whether it was to be had. What goes wrong is on the record."""
        try:
            log = self._record.take_up(task)
            if log is None:
                return False
            await self._take_up(log, approver=Later(), leave=lambda: self._leaving)
        except Exception:  # noqa: BLE001 - it is on the record, as far as that can be written, and other tasks go on
            return False
        return True

    async def _take_up(
        self,
        log: TaskWriter,
        *,
        approver: Approver,
        hear: Callable[[str], None] | None = None,
        leave: Callable[[], bool] | None = None,
        parent: Parent | None = None,
    ) -> Receipt:
        try:
            earlier = await self._earlier(log)
            if log.stop_asked:
                note_stop(log, earlier)
                await self._give_up(log, STOPPED)
                return log.receipt()
            parent = parent or parent_again(self._record, earlier)
            one = assignment_again(log.task, earlier, self._house, approver=approver, hear=hear, parent=parent)
        except MetierError as error:
            if not log.lease.held:
                raise  # it has ended
            # It keeps its place: whoever mends what is missing goes on with it.
            log.note("Fault", {"where": "resume", "code": error.code}, {"error": str(error)})
            log.note(*paused(Waits("mending", str(error))))
            await self._give_up(log, Waits("mending", str(error)))
            raise
        except BaseException:
            self._record.let_go(log.task)
            raise
        return await self._go(replace(one, leave=leave), log, earlier)

    async def _earlier(self, log: TaskWriter) -> Earlier:
        """The earlier runs. A task of which nothing can be known ends: nobody could ever go on with it."""
        try:
            return earlier_of(self._record, log.task)
        except TaskError as error:
            log.note(
                "Failed", {"ended": "Failed", "reason": "fault", "seconds": 0.0, "result": None}, {"text": str(error)}
            )
            await self._give_up(log, Ended("Failed", "fault", str(error)))
            raise

    def _begin(self, one: Assignment, watch: Watcher | None) -> TaskWriter:
        agent = one.agency.agent if one.agency else ""
        return self._record.begin_task(
            one.task, skill=one.skill.name, source=one.skill.source, giver=one.giver, agent=agent, watch=watch
        )

    def _folders(self, task: str, *, known: bool = False) -> Folders:
        return Folders(lambda: self._record.folder(task), known=known)

    async def _go(self, one: Assignment, log: TaskWriter, earlier: Earlier | None) -> Receipt:
        record = self._record
        # Taken before anybody is asked: a yes is kept for what was there then.
        subject = one.model.subject if isinstance(one.model, CodeModel) else ""
        folders = self._folders(one.task, known=earlier is not None)
        running = Running(self._with_kept_yes(one), log, folders=folders, earlier=earlier)
        worker = asyncio.current_task()
        log.lease.interrupt = partial(_cut, worker)
        try:
            ended = await running.go()
            if running.code_loaded:
                record.keep_yes(subject, task=one.task, number=log.entries_noted, by=one.giver)
            await self._give_up(log, ended)
        except asyncio.CancelledError:
            await self._cut(log, running, worker)
        except MetierError:
            raise
        except BaseException:
            record.end_task(one.task, state="Failed", reason="fault")
            await asyncio.shield(log.commit(power=True))
            raise
        finally:
            log.lease.interrupt = None
            record.let_go(one.task)
        return await self._receipt(log, folders)

    async def _receipt(self, log: TaskWriter, folders: Folders) -> Receipt:
        """The receipt; the files of a task that cannot go on are removed, and its marks in the app's database."""
        receipt = log.receipt()
        if receipt.ended is None or can_go_on(receipt.state, receipt.reason):
            return receipt
        if folders.used:
            self._record.remove_folder(log.task)
        if self._house.rows.waits:
            await asyncio.to_thread(self._house.rows.forget, log.task)
        return receipt

    async def _give_up(self, log: TaskWriter, ended: RunEnd) -> None:
        if isinstance(ended, Ended):
            self._record.end_task(log.task, state=ended.state, reason=ended.reason)
        else:
            self._record.pause_task(log.task, ended)
        await log.commit(power=True)
        if log.lease.lost:
            raise LeaseLost

    async def _cut(self, log: TaskWriter, running: Running, worker: "asyncio.Task[object] | None") -> None:
        """Give up a task that was cancelled. A stop that was asked for on the record is a normal end; any other goes on up."""
        if running.leaves:
            self._record.pause_task(log.task, LEFT)
        else:
            self._record.end_task(log.task, state=STOPPED.state, reason=STOPPED.reason)
        await asyncio.shield(log.commit(power=True))
        if not log.stop_asked or (worker is not None and worker.cancelling() > 1):
            raise asyncio.CancelledError
        if worker is not None and worker.cancelling():
            worker.uncancel()

    def _with_kept_yes(self, one: Assignment) -> Assignment:
        """Lets a model's code load unasked: named by the person, or as it was when somebody said yes to it."""
        code = one.model
        if not isinstance(code, CodeModel) or (code.from_project and not self._record.standing_yes(code.subject)):
            return one
        why = "said yes to before, as it stands" if code.from_project else "named by the person"
        return replace(one, permits=one.permits.with_rule(Rule("alone", action=code.action, why=why)))


def _cut(worker: "asyncio.Task[object] | None") -> None:
    if worker is not None:
        worker.cancel()
