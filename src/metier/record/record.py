"""What can be done with a record?"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from types import TracebackType
from typing import Protocol, Self

from ..domain.entry import Entry
from ..domain.money import Dollars
from ..domain.ports import TaskLog, Watcher
from ..domain.proposal import ProposalState, Reply, StoredProposal
from ..domain.receipt import Receipt
from ..domain.seat import Seat
from ..domain.task import Waits
from .answers import ModelUse, TaskRow, Verified
from .lease import Lease


class TaskWriter(TaskLog, Protocol):
    """The writer of one task's entries, with how far it has come."""

    @property
    def entries_noted(self) -> int: ...
    @property
    def head(self) -> str:
        """The digest of the last entry noted; empty before the first."""
        ...

    @property
    def lease(self) -> Lease:
        """The right by which it writes. Set its `interrupt` to be told when it is lost or a stop is asked for."""
        ...

    @property
    def stop_asked(self) -> str:
        """Who asked for the task to be stopped; empty while nobody did."""
        ...

    def receipt(self) -> Receipt:
        """The account of what was noted so far; the same that the record folds from the entries it stored."""
        ...


class Record(ABC):
    """All that happened, task by task, and whose turn it is to work on each. Requirements: O33, O81, O89-O94.

    A record may be used from several threads and event loops. All its methods raise RecordError when the record cannot
    be read or written. A task has one owner at a time: who begins it or takes it up, until `end_task`, `pause_task` or
    `let_go`. Whatever an owner writes after another one has taken the task up is kept apart, as `late`.
    """

    @abstractmethod
    def begin_task(
        self, task: str, *, skill: str, source: str, giver: str, agent: str = "", watch: Watcher | None = None
    ) -> TaskWriter:
        """Begin a task under an id that is new to the record, and answer the writer of its entries.

        The id of a task that another one hands work to is the other's, a dot, and the id of the call that does so.
        """

    @abstractmethod
    def take_up(self, task: str, *, watch: Watcher | None = None, stopped: bool = False) -> TaskWriter | None:
        """Go on with a task that is Ready or Waiting, or whose owner's lease has run out; none while somebody has it.

        With `stopped` a person resumes it: a stopped task goes on too, and a stop that was asked for is forgotten.
        Otherwise the writer's `stop_asked` says who asked.

        Raises:
            TaskMissing: there is no such task.
            TaskOver: it has ended.
        """

    @abstractmethod
    def ready(self, *, limit: int = 100) -> list[str]:
        """The tasks that a worker may take up, oldest first.

        They are Ready, or their moment has come, or somebody asked for a stop and nobody has them, or their owner's
        lease has run out: unless that happened five times in a row, for then the task is what ends its owners.
        """

    @abstractmethod
    def end_task(self, task: str, *, state: str, reason: str) -> None:
        """Write into the list of tasks how a task ended, together with its last entry, and give it up.

        Its proposals that wait are withdrawn, and the tasks that wait for its end are Ready. Raises LeaseLost when this
        record does not have the task.
        """

    @abstractmethod
    def pause_task(self, task: str, waits: Waits) -> None:
        """Write that a task waits, together with its last entry, and give it up.

        It is Ready at once if what it waits for has come already. Raises LeaseLost when this record does not have it.
        """

    @abstractmethod
    def let_go(self, task: str) -> None:
        """Give a task up as it is, so that anybody can take it up at once; nothing to do when it is given up already.

        Who works on a task does this whatever happens, or its lease is renewed for nobody.
        """

    @abstractmethod
    def ask_stop(self, task: str, *, by: str) -> TaskRow:
        """Ask for a task to be stopped. Its owner learns of it within a second.

        Raises:
            TaskMissing: there is no such task.
            TaskOver: it has ended.
        """

    @abstractmethod
    def proposals(
        self, *, task: str | None = None, state: ProposalState | None = "Pending", limit: int = 100
    ) -> list[StoredProposal]:
        """The newest proposals of a task or of all, in one state or in any, in the order in which they were made."""

    @abstractmethod
    def proposal(self, prefix: str) -> StoredProposal:
        """The one proposal whose id begins so, or the only one of them that waits.

        Raises TaskMissing, with the ids that are near.
        """

    @abstractmethod
    def answer(self, proposal: str, reply: Reply) -> StoredProposal:
        """Store a yes or a no so that it survives a power cut. The first answer counts, and wakes the task.

        Raises:
            TaskMissing: there is no such proposal.
            TaskOver: it does not wait any more; the message says what it is and who answered.
            InputInvalid: the answer is neither yes nor no.
        """

    @abstractmethod
    def late(self, task: str) -> list[Entry]:
        """What owners noted after they had lost the task, oldest owner first, without digests. It moves nothing."""

    @abstractmethod
    def folder(self, task: str) -> str:
        """A folder for the files of a task, for whoever works on it; made at first use, closed to other users."""

    @abstractmethod
    def remove_folder(self, task: str) -> None:
        """Remove the task's folder, if it is there."""

    @abstractmethod
    def tasks(self, *, limit: int = 50, roots: bool = False) -> list[TaskRow]:
        """The list of tasks, newest first; with `roots`, only those that no other task handed on."""

    @abstractmethod
    def children(self, task: str) -> list[TaskRow]:
        """The tasks that a task handed work to, and those that these handed it to, oldest first."""

    @abstractmethod
    def spent(self, task: str) -> Dollars:
        """What a task and all its descendants cost so far. A model call that has no answer counts at its reservation."""

    @abstractmethod
    def row(self, task: str) -> TaskRow:
        """The row of one task in the list of tasks. Raises TaskMissing, with the ids that are near."""

    @abstractmethod
    def find_task(self, prefix: str) -> str:
        """The id of the one task whose id begins so; a task and its descendants count as one, which is the task.

        Raises TaskMissing, with the ids that are near.
        """

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
    def usage(self, *, since: int = 0) -> list[ModelUse]:
        """What the models cost, by day, agent, skill and model, from a moment on (nanoseconds since the epoch)."""

    @abstractmethod
    def verify(self, task: str) -> Verified:
        """Check a task's entries, bodies and contents against the chain."""

    @abstractmethod
    def erase(self, task: str) -> int:
        """Erase the bodies and contents of a task, and answer how many bodies. Facts and chain stay, and verify.

        What its proposals and late notes tell goes too, and its folder. Contents that an entry of another task names
        stay. Raises RecordError for a task that has not ended.
        """

    @abstractmethod
    def standing_yes(self, subject: str) -> bool:
        """Whether a yes is kept for this subject."""

    @abstractmethod
    def keep_yes(self, subject: str, *, task: str, number: int, by: str) -> None:
        """Keep a yes for later tasks, written together with the entries noted before. The first one is kept."""

    @abstractmethod
    def seat(self, agent: str) -> Seat | None:
        """Who answers for an agent and whether it works, as it is now in the record; none for one without a seat (O126).

        It takes microseconds: a running task asks before each step.
        """

    @abstractmethod
    def seats(self) -> list[Seat]:
        """All seats, by the names of their agents."""

    @abstractmethod
    def put_seat(self, seat: Seat) -> None:
        """Store a seat in place of the agent's earlier one, so that it survives a power cut.

        What waits for the agent is Ready if it works. Raises RecordError for a seat that names nobody.
        """

    @abstractmethod
    def close(self) -> None:
        """Write what was noted and let go of the file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
