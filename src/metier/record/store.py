"""How is a record kept in a file?"""

import os
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

from ..domain.entry import Entry
from ..domain.money import Dollars
from ..domain.ports import Watcher
from ..domain.proposal import ProposalState, Reply, StoredProposal
from ..domain.receipt import Receipt
from ..domain.seat import Seat
from ..domain.task import Waits
from ..errors import LeaseLost, RecordBusy, RecordError
from .answers import Clock, Durability, ModelUse, TaskRow, Verified
from .beat import Beat
from .bodies import whole as whole_body
from .claim import ask_stop, claim_task, end_changes, pause_changes, ready_tasks
from .connections import Connections
from .contents import Contents
from .erase import erase_task
from .faults import file_fault
from .fence import Change
from .folders import TaskFolders
from .lease import Lease
from .owner import owner_name
from .proposals import (
    answer_proposal,
    find_proposal,
    list_proposals,
    match_proposal,
    missing_proposal,
    refuse_answered,
    state_of,
)
from .read import (
    call_entries,
    call_entries_of,
    child_rows,
    entry_rows,
    find_task_row,
    has_yes,
    late_rows,
    match_task,
    require_task,
    task_rows,
    to_entry,
)
from .receipt import fold
from .record import Record
from .seats import all_seats, checked, find_seat, store_seat
from .statements import ADD_TASK, ADD_YES, LET_GO
from .stored_log import StoredLog
from .upgrade import make_ready
from .usage import cost_of, model_use
from .verify import check_task
from .writer import Writer


class StoredRecord(Record):
    """A record in an SQLite file, with its contents in a folder beside it. Use `open_record`."""

    def __init__(self, path: str, *, durability: Durability, clock: Clock, patience: float, lease: float) -> None:
        self.path = os.path.abspath(path)
        try:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
        except OSError as error:
            raise file_fault(self.path, error) from error
        self._power = durability == "power"
        self._clock = clock
        self._length = int(lease * 1e9)
        self._owner = owner_name()
        self._contents = Contents(f"{self.path}.contents")
        self._folders = TaskFolders(f"{self.path}.tasks")
        self._connections = Connections(self.path, patience=patience)
        try:
            make_ready(self._connections)
            self._writer = Writer(self._connections, self._contents)
        except BaseException:
            self._connections.close()
            raise
        self._lock = threading.Lock()
        self._taking = threading.Lock()
        """Held while a task is taken up, which may wait for other programs."""
        self._held: dict[str, Lease] = {}
        """The leases that were not given up yet; some may be lost. Each task's writer is somebody's in this process."""
        self._beat = Beat(self._connections, self._writer, self._held)
        self._yeses: set[str] = set()
        self._closed = False

    def begin_task(
        self, task: str, *, skill: str, source: str, giver: str, agent: str = "", watch: Watcher | None = None
    ) -> StoredLog:
        """Begin a task under an id that is new to the record, and answer the writer of its entries."""
        if not task or not task.isprintable():
            raise RecordError(f"{task!r} is no id for a task.", hint="An id is a word of printable characters.")
        lease = Lease(task, 1, until=time.time_ns() + self._length, length=self._length, stored=False)
        with self._lock:
            if task in self._held or self._is_stored(task):
                raise RecordError(f"The record holds a task {task!r} already.", hint="Give the task another id.")
            self._held[task] = lease
        row = (task, skill, source, giver, self._clock(), "Running", "", lease.token, self._owner, lease.until, agent)
        self._writer.add(ADD_TASK, row, lease)
        return self._log(lease, watch)

    def take_up(self, task: str, *, watch: Watcher | None = None, stopped: bool = False) -> StoredLog | None:
        """Go on with a task; none while somebody has it, here or in another process. See `Record.take_up`."""
        self._writer.flush()
        with self._taking:
            if task in self._held:
                return None
            claim = claim_task(self._connections, task, owner=self._owner, length=self._length, stopped=stopped)
            if claim is None:
                return None
            lease = Lease(task, claim.token, until=claim.until, length=self._length, stop=claim.stop)
            self._held[task] = lease
        log = self._log(lease, watch)
        try:
            for row in entry_rows(self._connections, task):
                log.follow(self._whole_end(to_entry(row)))
        except BaseException:
            self.let_go(task)
            raise
        return log

    def ready(self, *, limit: int = 100) -> list[str]:
        """The tasks that a worker may take up, oldest first. See `Record.ready`."""
        self._writer.flush()
        return ready_tasks(self._connections, limit=limit)

    def end_task(self, task: str, *, state: str, reason: str) -> None:
        """Write into the list of tasks how a task ended, together with its last entry, and give it up."""
        lease = self._lease(task)
        changes = end_changes(task, lease.token, at=self._clock(), state=state, reason=reason)
        self._give_up(lease)
        self._writer.add_together(changes, lease)

    def pause_task(self, task: str, waits: Waits) -> None:
        """Write that a task waits, together with its last entry, and give it up. See `Record.pause_task`."""
        lease = self._lease(task)
        changes = pause_changes(task, lease.token, waits)
        self._give_up(lease)
        self._writer.add_together(changes, lease)

    def let_go(self, task: str) -> None:
        """Give a task up as it is, so that anybody can take it up at once."""
        lease = self._held.get(task)
        if lease is not None:
            self._writer.add(*self._let_go_change(lease))

    def ask_stop(self, task: str, *, by: str) -> TaskRow:
        """Ask for a task to be stopped. Its owner learns of it within a second."""
        self._writer.flush()
        row = ask_stop(self._connections, task, by=by or "somebody")
        lease = self._held.get(task)
        if lease is not None:
            lease.stop(row.stop)
        return row

    def proposals(
        self, *, task: str | None = None, state: ProposalState | None = "Pending", limit: int = 100
    ) -> list[StoredProposal]:
        """The newest proposals, in the order in which they were made."""
        self._writer.flush()
        return list_proposals(self._connections, task=task, state=state, limit=limit)

    def proposal(self, prefix: str) -> StoredProposal:
        """The one proposal whose id begins so. Raises TaskMissing, with the ids that are near."""
        self._writer.flush()
        return self._proposal(match_proposal(self._connections, prefix))

    def answer(self, proposal: str, reply: Reply) -> StoredProposal:
        """Store a yes or a no so that it survives a power cut. See `Record.answer`."""
        state_of(reply)  # before anything is looked for
        found = self.proposal(proposal).proposal.id
        answered = answer_proposal(self._connections, found, reply, at=self._clock(), seen=False)
        stored = self._proposal(found)
        if not answered:
            raise refuse_answered(stored)
        return stored

    def late(self, task: str) -> list[Entry]:
        """What owners noted after they had lost the task, oldest owner first, without digests."""
        self._writer.flush()
        require_task(self._connections, task)
        return [self._whole(to_entry(row)) for row in late_rows(self._connections, task)]

    def folder(self, task: str) -> str:
        """A folder for the files of a task, beside the record."""
        return self._folders.make(task)

    def remove_folder(self, task: str) -> None:
        """Remove the task's folder, if it is there."""
        self._folders.remove(task)

    def tasks(self, *, limit: int = 50, roots: bool = False) -> list[TaskRow]:
        """The list of tasks, newest first; with `roots`, only those that no other task handed on."""
        self._writer.flush()
        return task_rows(self._connections, limit=limit, roots=roots)

    def children(self, task: str) -> list[TaskRow]:
        """The descendants of a task, oldest first."""
        self._writer.flush()
        return child_rows(self._connections, task)

    def spent(self, task: str) -> Dollars:
        """What a task and all its descendants cost so far. See `Record.spent`."""
        self._writer.flush()
        return cost_of(call_entries_of(self._connections, task))

    def row(self, task: str) -> TaskRow:
        """The row of one task in the list of tasks. Raises TaskMissing, with the ids that are near."""
        self._writer.flush()
        return require_task(self._connections, task)

    def find_task(self, prefix: str) -> str:
        """The id of the one task whose id begins so. Raises TaskMissing, with the ids that are near."""
        self._writer.flush()
        return match_task(self._connections, prefix)

    def entries(self, task: str, *, whole: bool = False) -> Iterator[Entry]:
        """The entries of a task in their order; see `Record.entries`."""
        self._writer.flush()
        require_task(self._connections, task)
        found = map(to_entry, entry_rows(self._connections, task))
        return map(self._whole, found) if whole else found

    def content(self, digest: str) -> bytes:
        """A content by its digest. Raises RecordBroken when it is not what the digest says."""
        return self._contents.read(digest)

    def content_path(self, digest: str) -> str:
        """Where a content lies on this machine."""
        return self._contents.path(digest)

    def receipt(self, task: str) -> Receipt:
        """The account of a task, folded from its entries."""
        return fold(self._whole_end(entry) for entry in self.entries(task))

    def usage(self, *, since: int = 0) -> list[ModelUse]:
        """What the models cost, by day, agent, skill and model, from a moment on (nanoseconds since the epoch)."""
        self._writer.flush()
        return model_use(call_entries(self._connections, since=since))

    def verify(self, task: str) -> Verified:
        """Check a task's entries, bodies and contents against the chain."""
        self._writer.flush()
        rows = list(entry_rows(self._connections, task))
        row = find_task_row(self._connections, task) if rows else require_task(self._connections, task)
        return check_task(row, rows, contents=self._contents)

    def erase(self, task: str) -> int:
        """Erase the bodies and contents of a task, and answer how many bodies. Facts and chain stay, and verify."""
        self._writer.flush()
        count = erase_task(self._connections, task, contents=self._contents)
        self._folders.remove(task)
        return count

    def standing_yes(self, subject: str) -> bool:
        """Whether a yes is kept for this subject."""
        return subject in self._yeses or has_yes(self._connections, subject)

    def keep_yes(self, subject: str, *, task: str, number: int, by: str) -> None:
        """Keep a yes for later tasks, written together with the entries noted before. The first one is kept."""
        self._yeses.add(subject)
        self._writer.add(ADD_YES, (subject, task, number, self._clock(), by), self._held.get(task))

    def seat(self, agent: str) -> Seat | None:
        """Who answers for an agent and whether it works, as it is now in the record."""
        return find_seat(self._connections, agent)

    def seats(self) -> list[Seat]:
        """All seats, by the names of their agents."""
        return all_seats(self._connections)

    def put_seat(self, seat: Seat) -> None:
        """Store a seat in place of the agent's earlier one. See `Record.put_seat`."""
        self._writer.flush()  # what waits for the agent may not be written yet
        store_seat(self._connections, checked(seat, self._clock()))

    def close(self) -> None:
        """Write what was noted, give up the tasks that are held, and let go of the file."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        try:
            self._writer.close(last=[self._let_go_change(lease) for lease in list(self._held.values())])
        finally:
            self._connections.close()

    def _log(self, lease: Lease, watch: Watcher | None) -> StoredLog:
        lease.adopted = self._beat.keep
        self._beat.keep(lease)
        return StoredLog(
            lease,
            writer=self._writer,
            connections=self._connections,
            contents=self._contents,
            clock=self._clock,
            power=self._power,
            watch=watch,
        )

    def _lease(self, task: str) -> Lease:
        lease = self._held.get(task)
        if lease is None:
            raise LeaseLost(f"This process does not work on the task {task}.", hint=f"See who does: metier show {task}")
        return lease

    def _give_up(self, lease: Lease) -> None:
        lease.held = False
        self._held.pop(lease.task, None)
        self._beat.rest()

    def _let_go_change(self, lease: Lease) -> Change:
        self._give_up(lease)
        return (LET_GO, (lease.task, lease.token), lease)

    def _proposal(self, proposal: str) -> StoredProposal:
        stored = find_proposal(self._connections, proposal)
        if stored is None:
            raise missing_proposal(proposal, [])
        return stored

    def _is_stored(self, task: str) -> bool:
        try:
            return self._writer.has_task(task)
        except RecordBusy:  # the quick way does not wait
            return find_task_row(self._connections, task) is not None

    def _whole(self, entry: Entry) -> Entry:
        return entry if entry.body is None else replace(entry, body=whole_body(entry.body, self._contents.read))

    def _whole_end(self, entry: Entry) -> Entry:
        if "ended" not in entry.facts:
            return entry
        try:
            return self._whole(entry)
        except RecordError:
            return entry  # a content was lost: the account still stands, with what the reference shows
