"""Who writes a task's entries into the file?"""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from ..domain.entry import Entry, Kind
from ..domain.ports import Watcher
from ..domain.proposal import Proposal, Reply
from ..domain.receipt import Receipt
from .answers import Clock
from .bodies import body_text
from .chain import facts_text, link
from .connections import Connections
from .contents import Contents
from .lease import Lease, raise_told
from .proposals import answer_proposal, find_proposal, proposal_row
from .receipt import Account
from .statements import ADD_ENTRY, ADD_PROPOSAL, CARRY_OUT, MAKE_STALE, SEE
from .writer import Writer


class StoredLog:
    """The writer of one task's entries: numbers them, chains them, and gives them to the file's writer."""

    __slots__ = (
        "_account",
        "_clock",
        "_connections",
        "_contents",
        "_power",
        "_watch",
        "_writer",
        "entries_noted",
        "head",
        "lease",
        "task",
    )

    def __init__(
        self,
        lease: Lease,
        *,
        writer: Writer,
        connections: Connections,
        contents: Contents,
        clock: Clock,
        power: bool,
        watch: Watcher | None,
    ) -> None:
        self.task = lease.task
        self.lease = lease
        self.entries_noted = 0
        self.head = ""
        self._account = Account()
        self._writer = writer
        self._connections = connections
        self._contents = contents
        self._clock = clock
        self._power = power
        self._watch = watch

    @property
    def stop_asked(self) -> str:
        """Who asked for the task to be stopped; empty while nobody did."""
        return self.lease.stop_asked

    def follow(self, entry: Entry) -> None:
        """Go on after an entry that is stored."""
        self.entries_noted, self.head = entry.number, entry.digest
        self._account.take(entry.task, entry.kind, entry.at, entry.facts, entry.body)

    def note(self, kind: Kind, facts: Mapping[str, Any], body: Mapping[str, Any] | None = None) -> None:
        """Append one entry. It is in the record at the latest when the next `commit` returns.

        Facts and body are taken as they are now. Raises RecordError for what is not plain JSON, and then notes nothing.
        """
        body_json = None if body is None else body_text(body, self._contents.keep)
        facts_json = facts_text(facts, body_json)
        number, at = self.entries_noted + 1, self._clock()
        digest = link(self.head, task=self.task, number=number, kind=kind, at=at, facts=facts_json)
        self.entries_noted, self.head = number, digest
        self._writer.add(ADD_ENTRY, (self.task, number, kind, at, facts_json, body_json, digest), self.lease)
        self._account.take(self.task, kind, at, facts, body)
        if self._watch is not None:
            self._watch(Entry(self.task, number, kind, at, json.loads(facts_json), body, digest))

    def receipt(self) -> Receipt:
        """The account of what was noted so far, without reading it back."""
        return self._account.receipt(self.head)

    async def commit(self, *, power: bool = False) -> None:
        """Return when all that was noted survives this process; with `power`, a power cut too.

        A lease of which half has gone by is renewed first: whatever the caller begins next, it begins as the owner.

        Raises:
            LeaseLost: another process works on the task now; what was noted is kept beside its entries.
            asyncio.CancelledError: somebody asked for the task to be stopped.
        """
        lease = self.lease
        if lease.loop is None or lease.loop.is_closed():
            lease.adopt()
        lease.committing += 1
        try:
            await self._writer.commit(power=power or self._power)
            while lease.held and not lease.lost and lease.is_old():
                await self._writer.commit_held(lease)
        finally:
            lease.committing -= 1
        if lease.raises():
            raise_told(lease)

    def propose(self, proposal: Proposal) -> None:
        """Store a proposal that waits for its answer, together with the entries noted before."""
        self._writer.add(ADD_PROPOSAL, proposal_row(proposal, made=self._clock()), self.lease)

    async def reply_to(self, proposal: str) -> Reply | None:
        """The stored answer to a proposal, from whatever process it came; none while it waits."""
        stored = await asyncio.to_thread(find_proposal, self._connections, proposal)
        if stored is None or stored.reply is None:
            return None
        self._writer.add(SEE, (proposal,), self.lease)
        return stored.reply

    async def answer(self, proposal: str, reply: Reply) -> Reply:
        """Store the answer to a proposal, and give back the one that counts: the first that was stored.

        `later` and `nobody` are no answers, and are given back as they are unless somebody else has answered.
        """
        if reply.answer in ("yes", "no"):
            await asyncio.to_thread(self._answer, proposal, reply)
        stored = await self.reply_to(proposal)
        if stored is None and reply.answer in ("yes", "no"):
            # Withdrawn: the task has ended elsewhere.
            self.lease.lose()
            raise_told(self.lease)
        return stored or reply

    def carried_out(self, proposal: str) -> None:
        """Store that the call of an approved proposal begins, together with the entries noted before."""
        self._writer.add(CARRY_OUT, (proposal,), self.lease)

    def stale(self, proposal: str) -> None:
        """Store that an approved proposal is not carried out, for the world moved; together with the entries before."""
        self._writer.add(MAKE_STALE, (proposal,), self.lease)

    def keep(self, data: bytes) -> str:
        """Keep a content whole beside the record and answer its SHA-256 in hexadecimal."""
        return self._contents.keep(data)

    def keep_file(self, path: str) -> str:
        """The same for a file, without reading it into memory."""
        return self._contents.keep_file(path)

    def _answer(self, proposal: str, reply: Reply) -> None:
        self._writer.flush()  # the proposal itself may still wait
        answer_proposal(self._connections, proposal, reply, at=self._clock(), seen=True)
