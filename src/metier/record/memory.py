"""How is a run accounted for that leaves no record?"""

import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

from ..domain.entry import Entry
from ..domain.money import Dollars
from ..domain.ports import Watcher
from ..domain.proposal import ProposalState, Reply, StoredProposal
from ..domain.receipt import Receipt
from ..domain.seat import Seat
from ..domain.task import Waits, can_go_on
from ..errors import LeaseLost, RecordError, TaskMissing
from .answers import Clock, ModelUse, TaskRow, Verified
from .claim import AGENT, CHILD, check_waits, refuse_ended
from .family import ancestors_in, is_below, parent_in
from .folders import remove_tree
from .lease import FOREVER, TAKEOVERS, Lease
from .memory_log import MemoryLog
from .memory_proposals import MemoryProposals
from .proposals import state_of
from .read import one_task
from .record import Record
from .seats import checked
from .usage import CallEntry, model_use

KEPT = 100
"""So many tasks that have ended can still be read; older ones are let go, so that a long process does not grow."""

_SAYS = "This task was not recorded: its entries are kept by this process only, and there is nothing to check."


class MemoryRecord(Record):
    """A record that lasts as long as this object. Use `open_record(None)`.

    Nobody but this process can work on its tasks, so a lease holds until it is given up.
    """

    def __init__(self, *, clock: Clock = time.time_ns) -> None:
        self._clock = clock
        self._rows: dict[str, TaskRow] = {}
        self._logs: dict[str, MemoryLog] = {}
        self._late: dict[str, list[MemoryLog]] = {}
        """The writers of owners that the task was taken from."""
        self._held: dict[str, Lease] = {}
        self._proposals = MemoryProposals(clock)
        self._folders: dict[str, str] = {}
        self._yeses: set[str] = set()
        self._seats: dict[str, Seat] = {}
        self._ended: dict[str, None] = {}
        """The tasks that have ended, oldest first."""

    def begin_task(
        self, task: str, *, skill: str, source: str, giver: str, agent: str = "", watch: Watcher | None = None
    ) -> MemoryLog:
        """Begin a task under an id that is new, and answer the writer of its entries."""
        if task in self._rows:
            raise RecordError(f"The record holds a task {task!r} already.", hint="Give the task another id.")
        lease = self._held[task] = Lease(task, 1, until=FOREVER, length=0)
        self._rows[task] = TaskRow(
            task, skill, source, giver, self._clock(), None, "Running", "", lease_until=lease.until, agent=agent
        )
        log = self._logs[task] = MemoryLog(task, clock=self._clock, watch=watch, lease=lease, proposals=self._proposals)
        return log

    def take_up(self, task: str, *, watch: Watcher | None = None, stopped: bool = False) -> MemoryLog | None:
        """Go on with a task; none while somebody has it. See `Record.take_up`."""
        row = self._rows[self._known(task)]
        if task in self._held:
            return None
        if not (stopped and can_go_on(row.state, row.reason)):
            refuse_ended(row)
        before = self._logs[task]
        lease = Lease(task, before.lease.token + 1, until=FOREVER, length=0, stop="" if stopped else row.stop)
        self._change(
            task,
            ended=None,
            state="Running",
            reason="",
            waits_for="",
            wake_at=None,
            lease_until=lease.until,
            takeovers=row.takeovers + 1 if row.state == "Running" else 0,
            stop=lease.stop_asked,
        )
        self._ended.pop(task, None)
        self._held[task] = lease
        before.lease.lose()
        self._late.setdefault(task, []).append(before)
        log = self._logs[task] = before.hand_on(lease, watch=watch)
        return log

    def ready(self, *, limit: int = 100) -> list[str]:
        """The tasks that a worker may take up, oldest first. See `Record.ready`."""
        now = time.time_ns()
        found = [row for row in self._rows.values() if row.ended is None and _may_go_on(row, now)]
        return [row.id for row in sorted(found, key=_age)][:limit]

    def end_task(self, task: str, *, state: str, reason: str) -> None:
        """Put into the list of tasks how a task ended, and give it up. See `Record.end_task`."""
        self._give_up(task)
        self._change(task, ended=self._clock(), state=state, reason=reason, lease_until=0)
        self._proposals.withdraw(task)
        self._wake(f"{CHILD}{task}")
        self._ended[task] = None
        if len(self._ended) > KEPT:
            self._forget_oldest()

    def pause_task(self, task: str, waits: Waits) -> None:
        """Put into the list that a task waits, and give it up. See `Record.pause_task`."""
        waits_for = check_waits(task, waits)
        self._give_up(task)
        child = self._rows.get(waits.child)
        come = {
            "worker": True,
            "time": False,
            "mending": False,
            "child": child is None or child.ended is not None,
            "person": self._proposals.is_unseen(task),
            "agent": waits.on == "agent" and self._works(waits.agent),
        }[waits.on]
        if come:
            waits_for = waits_for if waits.on == "worker" else ""
        wake_at = None if come else waits.until
        state = "Ready" if come else "Waiting"
        self._change(task, state=state, waits_for=waits_for, wake_at=wake_at, lease_until=0, takeovers=0)

    def let_go(self, task: str) -> None:
        """Give a task up as it is, so that it can be taken up at once."""
        if task in self._held:
            self._give_up(task)
            self._change(task, lease_until=0)

    def ask_stop(self, task: str, *, by: str) -> TaskRow:
        """Ask for a task to be stopped; its owner learns of it at once."""
        row = self._rows[self._known(task)]
        refuse_ended(row)
        row = self._change(task, stop=row.stop or by or "somebody")
        if task in self._held:
            self._held[task].stop(row.stop)
        return row

    def proposals(
        self, *, task: str | None = None, state: ProposalState | None = "Pending", limit: int = 100
    ) -> list[StoredProposal]:
        """The newest proposals, in the order in which they were made."""
        return self._proposals.of(task, state)[-limit:]

    def proposal(self, prefix: str) -> StoredProposal:
        """The one proposal whose id begins so. Raises TaskMissing, with the ids that are near."""
        return self._proposals.find(prefix)

    def answer(self, proposal: str, reply: Reply) -> StoredProposal:
        """Keep a yes or a no. See `Record.answer`."""
        state_of(reply)  # before anything is looked for
        stored = self._proposals.answer(proposal, reply)
        self._wake("person", only=stored.proposal.task)
        return stored

    def late(self, task: str) -> list[Entry]:
        """What owners noted after the task was taken from them."""
        self._known(task)
        return [entry for log in self._late.get(task, ()) for entry in log.entries()]

    def folder(self, task: str) -> str:
        """A temporary folder for the files of a task."""
        if task not in self._folders:
            self._folders[task] = tempfile.mkdtemp(prefix="metier-")
        return self._folders[task]

    def remove_folder(self, task: str) -> None:
        """Remove the task's folder, if it is there."""
        folder = self._folders.pop(task, None)
        if folder is not None:
            remove_tree(folder)

    def tasks(self, *, limit: int = 50, roots: bool = False) -> list[TaskRow]:
        """The list of tasks, newest first; with `roots`, only those that no other task handed on."""
        rows = reversed(self._rows.values())
        return [row for row in rows if not (roots and parent_in(row.id, self._rows))][:limit]

    def children(self, task: str) -> list[TaskRow]:
        """The descendants of a task, oldest first."""
        return sorted((row for row in self._rows.values() if is_below(row.id, task)), key=_age)

    def spent(self, task: str) -> Dollars:
        """What a task and all its descendants cost so far. See `Record.spent`."""
        family = [log for name, log in self._logs.items() if name == task or is_below(name, task)]
        return sum((log.receipt().cost for log in family), Decimal(0))

    def row(self, task: str) -> TaskRow:
        """The row of one task in the list of tasks. Raises TaskMissing, with the ids that are near."""
        return self._rows[self._known(task)]

    def find_task(self, prefix: str) -> str:
        """The id of the one task whose id begins so. Raises TaskMissing, with the ids that are near."""
        return one_task(prefix, [task for task in self._rows if task.startswith(prefix)]) or self._known(prefix)

    def entries(self, task: str, *, whole: bool = False) -> Iterator[Entry]:  # noqa: ARG002  bodies are always whole here
        """The entries of a task in their order, without digests."""
        return self._logs[self._known(task)].entries()

    def content(self, digest: str) -> bytes:
        """Raises RecordError: nothing is kept."""
        raise _not_kept(digest)

    def content_path(self, digest: str) -> str:
        """Raises RecordError: nothing is kept."""
        raise _not_kept(digest)

    def receipt(self, task: str) -> Receipt:
        """The account of a task; see `MemoryLog.receipt`."""
        return self._logs[self._known(task)].receipt()

    def usage(self, *, since: int = 0) -> list[ModelUse]:
        """What the models cost, by day, agent, skill and model, from a moment on (nanoseconds since the epoch)."""
        entries = (
            CallEntry(row.id, row.skill, row.agent, entry.kind, entry.at, entry.facts)
            for row in sorted(self._rows.values(), key=lambda row: row.id)
            for entry in self._logs[row.id].entries()
            if entry.kind in ("ModelCalled", "ModelAnswered") and entry.at >= since
        )
        return model_use(entries)

    def verify(self, task: str) -> Verified:
        """Says that there is nothing to check."""
        log = self._logs[self._known(task)]
        return Verified(ok=True, entries=log.entries_noted, head=log.head, problems=(), erased=0, says=_SAYS)

    def erase(self, task: str) -> int:
        """Let go of the task's bodies and folder, and answer how many bodies."""
        if self._rows[self._known(task)].ended is None:
            raise RecordError(f"The task {task!r} has not ended.", hint="Wait for its end, or stop it.")
        for log in self._late.get(task, ()):
            log.erase()
        self._proposals.erase(task)
        self.remove_folder(task)
        return self._logs[task].erase()

    def standing_yes(self, subject: str) -> bool:
        """Whether a yes is kept for this subject."""
        return subject in self._yeses

    def keep_yes(self, subject: str, *, task: str, number: int, by: str) -> None:  # noqa: ARG002  nobody can ask later
        """Keep a yes for as long as this object lasts."""
        self._yeses.add(subject)

    def seat(self, agent: str) -> Seat | None:
        """Who answers for an agent and whether it works; none for one without a seat."""
        return self._seats.get(agent)

    def seats(self) -> list[Seat]:
        """All seats, by the names of their agents."""
        return [self._seats[agent] for agent in sorted(self._seats)]

    def put_seat(self, seat: Seat) -> None:
        """Keep a seat in place of the agent's earlier one. See `Record.put_seat`."""
        self._seats[seat.agent] = checked(seat, self._clock())
        if seat.state == "works":
            self._wake(f"{AGENT}{seat.agent}")

    def close(self) -> None:
        """Remove the tasks' folders, and give up the tasks that are held. What was noted can still be read."""
        for task in list(self._held):
            self.let_go(task)
        for task in list(self._folders):
            self.remove_folder(task)

    def _change(self, task: str, **changes: Any) -> TaskRow:
        row = self._rows[task] = replace(self._rows[task], **changes)
        return row

    def _give_up(self, task: str) -> None:
        lease = self._held.pop(task, None)
        if lease is None:
            raise LeaseLost(f"Nobody works on the task {task}.", hint=f"See how it is: metier show {task}")
        lease.held = False

    def _works(self, agent: str) -> bool:
        return agent in self._seats and self._seats[agent].state == "works"

    def _forget_oldest(self) -> None:
        # What belongs to a task that goes on is kept: its cost counts against the budget of the whole.
        for task in self._ended:
            if any(self._rows[above].ended is None for above in ancestors_in(task, self._rows)):
                continue
            del self._ended[task]
            self._proposals.forget(task)
            self.remove_folder(task)
            self._late.pop(task, None)
            del self._rows[task], self._logs[task]
            return

    def _wake(self, waits_for: str, *, only: str = "") -> None:
        for row in [*self._rows.values()] if not only else [self._rows[only]]:
            if row.state == "Waiting" and row.waits_for == waits_for:
                self._change(row.id, state="Ready", wake_at=None, waits_for="")

    def _known(self, task: str) -> str:
        if task in self._rows:
            return task
        from difflib import get_close_matches  # noqa: PLC0415 - only an id that is missing needs it

        near = get_close_matches(task, self._rows, n=3, cutoff=0.5)
        hint = f"Did you mean {' or '.join(near)}?" if near else "The tasks of this process are in `tasks()`."
        raise TaskMissing(f"No task has the id {task!r}.", hint=hint)


def _age(row: TaskRow) -> tuple[int, str]:
    return row.started, row.id


def _may_go_on(row: TaskRow, now: int) -> bool:
    if row.state == "Ready" or (row.state == "Waiting" and row.wake_at is not None and row.wake_at <= now):
        return True
    return row.lease_until < now and (row.stop != "" or (row.state == "Running" and row.takeovers < TAKEOVERS))


def _not_kept(digest: str) -> RecordError:
    return RecordError(f"The content {digest[:12]} was not kept: this run has no record.", hint="Run it with a record.")
