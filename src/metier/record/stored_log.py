"""Who writes a task's entries into the file?"""

import json
from collections.abc import Mapping
from typing import Any

from ..domain.entry import Entry, Kind
from ..domain.ports import Watcher
from ..domain.receipt import Receipt
from .answers import Clock
from .bodies import body_text
from .chain import facts_text, link
from .contents import Contents
from .receipt import Account
from .writer import Writer


class StoredLog:
    """The writer of one task's entries: numbers them, chains them, and gives them to the file's writer."""

    __slots__ = ("_account", "_clock", "_contents", "_power", "_watch", "_writer", "entries_noted", "head", "task")

    def __init__(
        self, task: str, *, writer: Writer, contents: Contents, clock: Clock, power: bool, watch: Watcher | None
    ) -> None:
        self.task = task
        self.entries_noted = 0
        self.head = ""
        self._account = Account()
        self._writer = writer
        self._contents = contents
        self._clock = clock
        self._power = power
        self._watch = watch

    def note(self, kind: Kind, facts: Mapping[str, Any], body: Mapping[str, Any] | None = None) -> None:
        """Append one entry. It is in the record at the latest when the next `commit` returns.

        Facts and body are taken as they are now. Raises RecordError for what is not plain JSON, and then notes nothing.
        """
        body_json = None if body is None else body_text(body, self._contents.keep)
        facts_json = facts_text(facts, body_json)
        number, at = self.entries_noted + 1, self._clock()
        digest = link(self.head, task=self.task, number=number, kind=kind, at=at, facts=facts_json)
        self.entries_noted, self.head = number, digest
        self._writer.add((self.task, number, kind, at, facts_json, body_json, digest))
        self._account.take(self.task, kind, at, facts, body)
        if self._watch is not None:
            self._watch(Entry(self.task, number, kind, at, json.loads(facts_json), body, digest))

    def receipt(self) -> Receipt:
        """The account of what was noted so far, without reading it back."""
        return self._account.receipt(self.head)

    async def commit(self, *, power: bool = False) -> None:
        """Return when all that was noted survives this process; with `power`, a power cut too."""
        await self._writer.commit(power=power or self._power)

    def keep(self, data: bytes) -> str:
        """Keep a content whole beside the record and answer its SHA-256 in hexadecimal."""
        return self._contents.keep(data)

    def keep_file(self, path: str) -> str:
        """The same for a file, without reading it into memory."""
        return self._contents.keep_file(path)
