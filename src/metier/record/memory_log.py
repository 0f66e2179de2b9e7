"""Who keeps a task's entries when there is no file?"""

import time
from collections.abc import Iterator, Mapping
from hashlib import file_digest, sha256
from typing import Any

from ..domain.entry import Entry, Kind
from ..domain.ports import Watcher
from ..domain.proposal import Proposal, Reply
from ..domain.receipt import Receipt
from .answers import Clock
from .chain import facts_text, link
from .faults import file_fault
from .lease import FOREVER, Lease, raise_told
from .memory_proposals import MemoryProposals
from .plain import data_text
from .receipt import Account

Noted = list[tuple[Kind, int, Mapping[str, Any], Mapping[str, Any] | None]]


class MemoryLog:
    """The writer of a task whose entries are kept in a list: no JSON, no digests unless asked, no contents.

    Facts and bodies are kept as they are given, not copied.
    """

    __slots__ = ("_account", "_clock", "_earlier", "_noted", "_proposals", "_watch", "lease", "task")

    def __init__(
        self,
        task: str,
        *,
        clock: Clock = time.time_ns,
        watch: Watcher | None = None,
        lease: Lease | None = None,
        proposals: MemoryProposals | None = None,
    ) -> None:
        self.task = task
        self.lease = lease or Lease(task, 1, until=FOREVER, length=0)
        self._proposals = MemoryProposals(clock) if proposals is None else proposals
        self._earlier: Noted = []
        """What was noted before those that are kept here, which are late."""
        self._noted: Noted = []
        self._account = Account()
        self._clock = clock
        self._watch = watch

    @property
    def entries_noted(self) -> int:
        """How many entries were noted."""
        return len(self._earlier) + len(self._noted)

    @property
    def stop_asked(self) -> str:
        """Who asked for the task to be stopped; empty while nobody did."""
        return self.lease.stop_asked

    @property
    def head(self) -> str:
        """The digest of the last entry, worked out when asked. Raises RecordError for what is not plain JSON."""
        head = ""
        for number, (kind, at, facts, body) in enumerate((*self._earlier, *self._noted), 1):
            text = facts_text(facts, None if body is None else data_text(body))
            head = link(head, task=self.task, number=number, kind=kind, at=at, facts=text)
        return head

    def note(self, kind: Kind, facts: Mapping[str, Any], body: Mapping[str, Any] | None = None) -> None:
        """Append one entry."""
        at = self._clock()
        self._noted.append((kind, at, facts, body))
        self._account.take(self.task, kind, at, facts, body)
        if self._watch is not None:
            self._watch(Entry(self.task, self.entries_noted, kind, at, facts, body, ""))

    def receipt(self) -> Receipt:
        """The account of what was noted so far. Its digest is empty: there is no record that it could be held to."""
        return self._account.receipt("")

    async def commit(self, *, power: bool = False) -> None:  # noqa: ARG002  there is nothing to write
        """Raise what the owner has to be told, as a record in a file does."""
        lease = self.lease
        if lease.loop is None or lease.loop.is_closed():
            lease.adopt()
        if lease.raises():
            raise_told(lease)

    def propose(self, proposal: Proposal) -> None:
        """Keep a proposal that waits for its answer."""
        self._proposals.add(proposal)

    async def reply_to(self, proposal: str) -> Reply | None:
        """The answer to a proposal, whoever gave it; none while it waits."""
        return self._proposals.see(proposal)

    async def answer(self, proposal: str, reply: Reply) -> Reply:
        """Keep the answer to a proposal, and give back the one that counts: the first."""
        return self._proposals.first_answer(proposal, reply) or reply

    def carried_out(self, proposal: str) -> None:
        """Keep that the call of an approved proposal begins."""
        self._proposals.carry_out(proposal)

    def stale(self, proposal: str) -> None:
        """Keep that an approved proposal is not carried out, for the world moved."""
        self._proposals.make_stale(proposal)

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
        for number, (kind, at, facts, body) in enumerate(self._noted, len(self._earlier) + 1):
            yield Entry(self.task, number, kind, at, facts, body, "")

    def hand_on(self, lease: Lease, *, watch: Watcher | None) -> "MemoryLog":
        """The writer of the task's next owner, which goes on after these entries. What is noted here is late from now."""
        after = MemoryLog(self.task, clock=self._clock, watch=watch, lease=lease, proposals=self._proposals)
        after._noted = self._noted
        for kind, at, facts, body in after._noted:
            after._account.take(self.task, kind, at, facts, body)
        self._earlier, self._noted = after._noted[:], []
        return after
