"""What can be done with a record?"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, Protocol, Self

from ..domain.entry import Entry
from ..domain.ports import TaskLog, Watcher
from ..domain.receipt import Receipt

Durability = Literal["ends", "power"]
"""What a commit survives: the end of this process (a task's end survives a power cut), or always a power cut."""

Clock = Callable[[], int]
"""The time in nanoseconds since the epoch."""


class TaskWriter(TaskLog, Protocol):
    """The writer of one task's entries, with how far it has come."""

    @property
    def entries_noted(self) -> int: ...
    @property
    def head(self) -> str:
        """The digest of the last entry noted; empty before the first."""
        ...


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One line of the list of tasks. It is written when a task begins and when it ends."""

    id: str
    skill: str
    source: str
    giver: str
    started: int
    """Nanoseconds since the epoch."""
    ended: int | None
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What came out when a task's entries and contents were checked against the chain."""

    ok: bool
    entries: int
    head: str
    """The digest of the last entry."""
    problems: tuple[str, ...]
    erased: int
    """How many entries had a body that was erased. The chain holds without them."""
    says: str
    """What this proves and what it does not, in plain words."""


class Record(ABC):
    """All that happened, task by task. Requirements: O89-O94.

    A record may be used from several threads and event loops. All its methods raise RecordError when the record cannot
    be read or written.
    """

    @classmethod
    def open(
        cls, path: str | None, *, durability: Durability = "ends", clock: Clock = time.time_ns, patience: float = 30.0
    ) -> "Record":
        """Open the record in a file, made when there is none. Without a path nothing is kept beyond this object.

        `patience` is how many seconds to wait for another program that holds the file, before RecordBusy.
        """
        if path is None:
            from .memory import MemoryRecord  # noqa: PLC0415  it is a Record itself

            return MemoryRecord(clock=clock)
        from .store import StoredRecord  # noqa: PLC0415  SQLAlchemy takes 0.15 s to import; unrecorded runs go without

        return StoredRecord(path, durability=durability, clock=clock, patience=patience)

    @abstractmethod
    def begin_task(self, task: str, *, skill: str, source: str, giver: str, watch: Watcher | None = None) -> TaskWriter:
        """Begin a task under an id that is new to the record, and answer the writer of its entries."""

    @abstractmethod
    def end_task(self, task: str, *, state: str, reason: str) -> None:
        """Write into the list of tasks how a task ended, together with its last entry."""

    @abstractmethod
    def tasks(self, *, limit: int = 50) -> list[TaskRow]:
        """The list of tasks, newest first."""

    @abstractmethod
    def find_task(self, prefix: str) -> str:
        """The id of the one task whose id begins so. Raises TaskMissing, with the ids that are near."""

    @abstractmethod
    def entries(self, task: str, *, whole: bool = False) -> Iterator[Entry]:
        """The entries of a task in their order. With `whole`, large members of bodies are read from their contents.

        Otherwise such a member is `{"$content": digest, "length": bytes, "start": text, "form": "text" or "json"}`.
        """

    @abstractmethod
    def content(self, digest: str) -> bytes:
        """A content by its digest. Raises RecordBroken when it is not what the digest says."""

    @abstractmethod
    def content_path(self, digest: str) -> str:
        """Where a content lies on this machine."""

    @abstractmethod
    def receipt(self, task: str) -> Receipt:
        """The account of a task, folded from its entries."""

    @abstractmethod
    def verify(self, task: str) -> Verified:
        """Check a task's entries, bodies and contents against the chain."""

    @abstractmethod
    def erase(self, task: str) -> int:
        """Erase the bodies and contents of a task, and answer how many bodies. Facts and chain stay, and verify.

        Contents that an entry of another task names stay too.
        """

    @abstractmethod
    def standing_yes(self, subject: str) -> bool:
        """Whether a yes is kept for this subject."""

    @abstractmethod
    def keep_yes(self, subject: str, *, task: str, number: int, by: str) -> None:
        """Keep a yes for later tasks, written together with the entries noted before. The first one is kept."""

    @abstractmethod
    def close(self) -> None:
        """Write what was noted and let go of the file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
