"""What can be done with a record?"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from types import TracebackType
from typing import Protocol, Self

from ..domain.entry import Entry
from ..domain.ports import TaskLog, Watcher
from ..domain.receipt import Receipt
from .answers import TaskRow, Verified


class TaskWriter(TaskLog, Protocol):
    """The writer of one task's entries, with how far it has come."""

    @property
    def entries_noted(self) -> int: ...
    @property
    def head(self) -> str:
        """The digest of the last entry noted; empty before the first."""
        ...

    def receipt(self) -> Receipt:
        """The account of what was noted so far; the same that the record folds from the entries it stored."""
        ...


class Record(ABC):
    """All that happened, task by task. Requirements: O89-O94.

    A record may be used from several threads and event loops. All its methods raise RecordError when the record cannot
    be read or written.
    """

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
