"""What does one room need of another? Protocols only; `app` hands the thing in."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from .entry import Entry, Kind
from .message import Answer, Request, TextPiece
from .money import LlmPrice
from .proposal import Proposal, Reply


class Client(Protocol):
    """The model seam, of two members: a whole answer or a stream (O62). It neither chooses a model nor polices spend."""

    async def whole(self, request: Request) -> Answer:
        """Answer one request."""
        ...

    def stream(self, request: Request) -> AsyncIterator[TextPiece | Answer]:
        """Answer one request in pieces of text; the last item is the whole answer."""
        ...


class Model(Protocol):
    """A client with what is known of it (O59)."""

    @property
    def name(self) -> str: ...
    @property
    def client(self) -> Client: ...
    @property
    def price(self) -> LlmPrice | None: ...
    @property
    def max_output_tokens(self) -> int: ...
    @property
    def scripted(self) -> bool: ...
    @property
    def can_force(self) -> bool:
        """Whether it can be made to call one named tool (case 063)."""
        ...

    @property
    def vision(self) -> bool:
        """Whether it can be shown pictures (O61)."""
        ...


@runtime_checkable
class Approver(Protocol):
    """Answers proposals: a person at the terminal, code, or a rule. Its answer counts once it is on the record."""

    async def answer(self, proposal: Proposal) -> Reply:
        """Answer one proposal. It may take as long as it needs."""
        ...


class Person(Protocol):
    """Somebody at a terminal, for the model `me`."""

    async def show(self, text: str) -> None: ...

    async def ask(self, question: str) -> str:
        """One line of answer, without its line end. Raises EOFError when there will be no more."""
        ...


Watcher = Callable[[Entry], None]
"""Is told of each entry as it is written. It must be quick and must not raise."""


class TaskLog(Protocol):
    """The writer of one task's entries. A task has one writer."""

    @property
    def task(self) -> str: ...

    def note(self, kind: Kind, facts: Mapping[str, Any], body: Mapping[str, Any] | None = None) -> None:
        """Append one entry. It is in the record at the latest when the next `commit` returns."""
        ...

    async def commit(self, *, power: bool = False) -> None:
        """Return when all that was noted survives this process; with `power`, a power cut too.

        Raises:
            LeaseLost: another process works on the task now; what was noted is kept beside its entries.
            asyncio.CancelledError: somebody asked for the task to be stopped.
        """
        ...

    def propose(self, proposal: Proposal) -> None:
        """Store a proposal that waits for its answer, together with the entries noted before."""
        ...

    async def reply_to(self, proposal: str) -> Reply | None:
        """The stored answer to a proposal, from whatever process it came; none while it waits."""
        ...

    async def answer(self, proposal: str, reply: Reply) -> Reply:
        """Store the answer to a proposal, and give back the one that counts: the first that was stored."""
        ...

    def carried_out(self, proposal: str) -> None:
        """Store that the call of an approved proposal begins, together with the entries noted before."""
        ...

    def stale(self, proposal: str) -> None:
        """Store that an approved proposal is not carried out, for the world moved; together with the entries before."""
        ...

    def keep(self, data: bytes) -> str:
        """Keep a content whole beside the record and answer its SHA-256 in hexadecimal."""
        ...

    def keep_file(self, path: str) -> str:
        """The same for a file, without reading it into memory."""
        ...
