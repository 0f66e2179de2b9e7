"""How is a run accounted for that leaves no record?"""

import time
from collections import deque
from collections.abc import Iterator, Mapping
from hashlib import file_digest, sha256
from typing import Any

from ..domain.entry import Entry, Kind
from ..domain.ports import Watcher
from ..domain.receipt import Receipt
from ..errors import RecordError, TaskMissing
from .answers import Clock, TaskRow, Verified
from .chain import facts_text, link
from .faults import file_fault
from .plain import plain_text
from .receipt import Account
from .record import Record

KEPT = 100
"""So many tasks that have ended can still be read; older ones are let go, so that a long process does not grow."""

_SAYS = "This task was not recorded: its entries are kept by this process only, and there is nothing to check."


class MemoryLog:
    """The writer of a task whose entries are kept in a list: no JSON, no digests unless asked, no contents.

    Facts and bodies are kept as they are given, not copied.
    """

    __slots__ = ("_account", "_clock", "_noted", "_watch", "task")

    def __init__(self, task: str, *, clock: Clock = time.time_ns, watch: Watcher | None = None) -> None:
        self.task = task
        self._noted: list[tuple[Kind, int, Mapping[str, Any], Mapping[str, Any] | None]] = []
        self._account = Account()
        self._clock = clock
        self._watch = watch

    @property
    def entries_noted(self) -> int:
        """How many entries were noted."""
        return len(self._noted)

    @property
    def head(self) -> str:
        """The digest of the last entry, worked out when asked. Raises RecordError for what is not plain JSON."""
        head = ""
        for number, (kind, at, facts, body) in enumerate(self._noted, 1):
            text = facts_text(facts, None if body is None else plain_text(body))
            head = link(head, task=self.task, number=number, kind=kind, at=at, facts=text)
        return head

    def note(self, kind: Kind, facts: Mapping[str, Any], body: Mapping[str, Any] | None = None) -> None:
        """Append one entry."""
        at = self._clock()
        self._noted.append((kind, at, facts, body))
        self._account.take(self.task, kind, at, facts, body)
        if self._watch is not None:
            self._watch(Entry(self.task, len(self._noted), kind, at, facts, body, ""))

    def receipt(self) -> Receipt:
        """The account of what was noted so far. Its digest is empty: there is no record that it could be held to."""
        return self._account.receipt("")

    async def commit(self, *, power: bool = False) -> None:
        """Nothing is to be done."""

    def keep(self, data: bytes) -> str:
        """The digest of a content, which is not kept."""
        return sha256(data).hexdigest()

    def keep_file(self, path: str) -> str:
        """The digest of a file, which is not kept."""
        try:
            with open(path, "rb") as file:
                return file_digest(file, sha256).hexdigest()
        except OSError as error:
            raise file_fault(path, error) from error

    def erase(self) -> int:
        """Let go of the bodies, and answer how many."""
        erased = sum(body is not None for *_, body in self._noted)
        self._noted = [(kind, at, facts, None) for kind, at, facts, _ in self._noted]
        return erased

    def entries(self) -> Iterator[Entry]:
        """The entries in their order, without digests."""
        for number, (kind, at, facts, body) in enumerate(self._noted, 1):
            yield Entry(self.task, number, kind, at, facts, body, "")


class MemoryRecord(Record):
    """A record that lasts as long as this object. Use `open_record(None)`."""

    def __init__(self, *, clock: Clock = time.time_ns) -> None:
        self._clock = clock
        self._rows: dict[str, TaskRow] = {}
        self._logs: dict[str, MemoryLog] = {}
        self._yeses: set[str] = set()
        self._ended: deque[str] = deque()

    def begin_task(self, task: str, *, skill: str, source: str, giver: str, watch: Watcher | None = None) -> MemoryLog:
        """Begin a task under an id that is new, and answer the writer of its entries."""
        if task in self._rows:
            raise RecordError(f"The record holds a task {task!r} already.", hint="Give the task another id.")
        self._rows[task] = TaskRow(task, skill, source, giver, self._clock(), None, "Running", "")
        log = self._logs[task] = MemoryLog(task, clock=self._clock, watch=watch)
        return log

    def end_task(self, task: str, *, state: str, reason: str) -> None:
        """Put into the list of tasks how a task ended."""
        row = self._rows[self._known(task)]
        self._rows[task] = TaskRow(task, row.skill, row.source, row.giver, row.started, self._clock(), state, reason)
        self._ended.append(task)
        if len(self._ended) > KEPT:
            oldest = self._ended.popleft()
            del self._rows[oldest], self._logs[oldest]

    def tasks(self, *, limit: int = 50) -> list[TaskRow]:
        """The list of tasks, newest first."""
        return list(reversed(self._rows.values()))[:limit]

    def find_task(self, prefix: str) -> str:
        """The id of the one task whose id begins so. Raises TaskMissing, with the ids that are near."""
        found = [task for task in self._rows if prefix and task.startswith(prefix)]
        return found[0] if len(found) == 1 else self._known(prefix)

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

    def verify(self, task: str) -> Verified:
        """Says that there is nothing to check."""
        log = self._logs[self._known(task)]
        return Verified(ok=True, entries=log.entries_noted, head=log.head, problems=(), erased=0, says=_SAYS)

    def erase(self, task: str) -> int:
        """Let go of the task's bodies, and answer how many."""
        return self._logs[self._known(task)].erase()

    def standing_yes(self, subject: str) -> bool:
        """Whether a yes is kept for this subject."""
        return subject in self._yeses

    def keep_yes(self, subject: str, *, task: str, number: int, by: str) -> None:  # noqa: ARG002  nobody can ask later
        """Keep a yes for as long as this object lasts."""
        self._yeses.add(subject)

    def close(self) -> None:
        """Nothing is to be done: what was noted can still be read."""

    def _known(self, task: str) -> str:
        if task in self._rows:
            return task
        from difflib import get_close_matches  # noqa: PLC0415 - only an id that is missing needs it

        near = get_close_matches(task, self._rows, n=3, cutoff=0.5)
        hint = f"Did you mean {' or '.join(near)}?" if near else "The tasks of this process are in `tasks()`."
        raise TaskMissing(f"No task has the id {task!r}.", hint=hint)


def _not_kept(digest: str) -> RecordError:
    return RecordError(f"The content {digest[:12]} was not kept: this run has no record.", hint="Run it with a record.")
