"""How is a record kept in a file?"""

import os
import threading
from collections.abc import Iterator
from dataclasses import replace

from ..domain.entry import Entry
from ..domain.ports import Watcher
from ..domain.receipt import Receipt
from ..errors import RecordBusy, RecordError
from .answers import Clock, Durability, TaskRow, Verified
from .bodies import whole as whole_body
from .connections import Connections
from .contents import Contents
from .erase import erase_task
from .faults import file_fault
from .read import entry_rows, find_task_row, has_yes, match_task, require_task, task_rows, to_entry
from .receipt import fold
from .record import Record
from .stored_log import StoredLog
from .upgrade import make_ready
from .verify import check_task
from .writer import Writer


class StoredRecord(Record):
    """A record in an SQLite file, with its contents in a folder beside it. Use `open_record`."""

    def __init__(self, path: str, *, durability: Durability, clock: Clock, patience: float) -> None:
        self.path = os.path.abspath(path)
        try:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
        except OSError as error:
            raise file_fault(self.path, error) from error
        self._power = durability == "power"
        self._clock = clock
        self._contents = Contents(f"{self.path}.contents")
        self._connections = Connections(self.path, patience=patience)
        try:
            make_ready(self._connections)
            self._writer = Writer(self._connections, self._contents)
        except BaseException:
            self._connections.close()
            raise
        self._lock = threading.Lock()
        self._writing: set[str] = set()
        self._yeses: set[str] = set()
        self._closed = False

    def begin_task(self, task: str, *, skill: str, source: str, giver: str, watch: Watcher | None = None) -> StoredLog:
        """Begin a task under an id that is new to the record, and answer the writer of its entries."""
        if not task or not task.isprintable():
            raise RecordError(f"{task!r} is no id for a task.", hint="An id is a word of printable characters.")
        with self._lock:
            if task in self._writing or self._is_stored(task):
                raise RecordError(f"The record holds a task {task!r} already.", hint="Give the task another id.")
            self._writing.add(task)
        self._writer.begin(TaskRow(task, skill, source, giver, self._clock(), None, "Running", ""))
        return StoredLog(
            task,
            writer=self._writer,
            contents=self._contents,
            clock=self._clock,
            power=self._power,
            watch=watch,
        )

    def end_task(self, task: str, *, state: str, reason: str) -> None:
        """Write into the list of tasks how a task ended, together with its last entry."""
        self._writer.end(task, at=self._clock(), state=state, reason=reason)
        with self._lock:
            self._writing.discard(task)

    def tasks(self, *, limit: int = 50) -> list[TaskRow]:
        """The list of tasks, newest first."""
        self._writer.flush()
        return task_rows(self._connections, limit=limit)

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

    def verify(self, task: str) -> Verified:
        """Check a task's entries, bodies and contents against the chain."""
        self._writer.flush()
        rows = list(entry_rows(self._connections, task))
        row = find_task_row(self._connections, task) if rows else require_task(self._connections, task)
        return check_task(row, rows, contents=self._contents)

    def erase(self, task: str) -> int:
        """Erase the bodies and contents of a task, and answer how many bodies. Facts and chain stay, and verify."""
        with self._lock:
            if task in self._writing:
                raise RecordError(f"The task {task!r} is still being written.", hint="Wait until it has ended.")
        self._writer.flush()
        require_task(self._connections, task)
        return erase_task(self._connections, task, contents=self._contents)

    def standing_yes(self, subject: str) -> bool:
        """Whether a yes is kept for this subject."""
        return subject in self._yeses or has_yes(self._connections, subject)

    def keep_yes(self, subject: str, *, task: str, number: int, by: str) -> None:
        """Keep a yes for later tasks, written together with the entries noted before. The first one is kept."""
        self._yeses.add(subject)
        self._writer.keep_yes((subject, task, number, self._clock(), by))

    def close(self) -> None:
        """Write what was noted and let go of the file."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        try:
            self._writer.close()
        finally:
            self._connections.close()

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
