"""How do entries get into the file?"""

import asyncio
import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import groupby
from operator import itemgetter
from typing import Any

from ..errors import RecordBusy, RecordError
from .connections import Connections
from .contents import Contents
from .faults import database_fault, file_fault
from .fence import LOOK_ONLY, Change, Fence, Row
from .lease import Lease
from .statements import HAS_TASK, LOOK

_DELAY = 0.002
"""Seconds that a note waits for others, or for a commit."""


class Writer:
    """Writes what all tasks of this process noted, in batches, one at a time.

    A batch is written on the caller's thread when that takes no waiting; otherwise, and for a power cut, on a thread.
    A batch waits until it has been written, in front of what was noted since: nothing is lost, nothing overtakes. What
    belongs to a task that somebody else owns by then is kept apart; see `Fence`.
    """

    def __init__(self, connections: Connections, contents: Contents) -> None:
        self._connections = connections
        self._contents = contents
        self._waiting: list[Change] = []
        """What was added, in its order. Added at its end in one step, so that needs no lock; cut only while flushing."""
        self._unsynced = False
        self._lock = threading.Lock()
        """Guards the queued work. Held for no longer than it takes to swap it."""
        self._flushing = threading.Lock()
        """Held while a batch is written and cut off."""
        self._timer_loop: asyncio.AbstractEventLoop | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._queued: Future[None] | None = None

    def has_task(self, task_id: str) -> bool:
        """Whether a task has this id. Raises RecordError when the record cannot be read."""
        try:
            return self._connections.quick().execute(HAS_TASK, (task_id,)).fetchone() is not None
        except sqlite3.Error as error:
            raise database_fault(self._connections.path, error) from error

    def look(self, ids: str) -> list[tuple[Any, ...]] | None:
        """The tokens, states and stops of tasks, whose ids are a JSON text; none when that would take waiting."""
        if not self._flushing.acquire(blocking=False):
            return None
        try:
            return self._connections.quick().execute(LOOK, (ids,)).fetchall()
        except sqlite3.Error:
            return None
        finally:
            self._flushing.release()

    def add(self, statement: str, values: Row, lease: Lease | None = None) -> None:
        """Add a change: a statement and its values, to be written as long as the lease is held."""
        self._waiting.append((statement, values, lease))
        self._soon()

    def add_together(self, changes: Iterable[tuple[str, Row]], lease: Lease) -> None:
        """Add changes that are written in one batch, or none of them."""
        self._waiting.extend([(statement, values, lease) for statement, values in changes])
        self._soon()

    def renew(self, leases: Iterable[Lease]) -> None:
        """Have a look at leases, and renew those that are due, without waiting."""
        self._waiting.extend([(LOOK_ONLY, (), lease) for lease in leases])
        self._on_timer()

    async def commit(self, *, power: bool) -> None:
        """Return when all that was added before survives this process; with `power`, a power cut too."""
        if not power and self._flush_quickly():
            return
        # Shielded: who awaits may be cancelled, but the work is shared with others.
        await asyncio.shield(asyncio.wrap_future(self._hand_over()))

    async def commit_held(self, lease: Lease) -> None:
        """Renew a lease, and return when that is written."""
        self._waiting.append((LOOK_ONLY, (), lease))
        await self.commit(power=False)

    def flush(self) -> None:
        """Write all that was added, and wait for it on this thread."""
        if not self._flush_quickly():
            self._flush_patiently()

    def close(self, *, last: Sequence[Change] = ()) -> None:
        """Write all that was added and then the last changes, so that it survives a power cut, and end the thread."""
        self._waiting.extend(last)
        try:
            self._flush_patiently()
        finally:
            with self._lock:
                thread, self._thread = self._thread, None
            if thread is not None:
                thread.shutdown()

    def _soon(self) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.flush()
            return
        if self._timer_loop is not loop:
            self._timer_loop = loop
            loop.call_later(_DELAY, self._on_timer)

    def _on_timer(self) -> None:
        self._timer_loop = None
        # Nobody to tell here. What failed is still in the batch, and the next commit tells.
        with contextlib.suppress(RecordError, RuntimeError):
            if not self._flush_quickly():
                self._hand_over()

    def _hand_over(self) -> Future[None]:
        with self._lock:
            if self._queued is None:
                if self._thread is None:
                    self._thread = ThreadPoolExecutor(1, thread_name_prefix="metier-record")
                self._queued = self._thread.submit(self._work)
            return self._queued

    def _work(self) -> None:
        # From here on what is added belongs to the next piece of work: this one takes the batch after this line.
        with self._lock:
            self._queued = None
        self._flush_patiently()

    def _flush_quickly(self) -> bool:
        """Write the batch if nothing has to be waited for; answer whether all is written."""
        if not self._flushing.acquire(blocking=False):
            return False
        try:
            if self._write_batch(self._connections.quick):
                self._unsynced = True
        except RecordBusy:
            return False
        finally:
            self._flushing.release()
        return True

    def _flush_patiently(self) -> None:
        with self._flushing:
            self._contents.sync()  # before the entries that name them
            if not self._write_batch(self._connections.patient) and self._unsynced:
                self._sync_log()
            self._unsynced = False

    def _write_batch(self, connect: Callable[[], sqlite3.Connection]) -> bool:
        """Write what waits; answer whether there was anything."""
        batch = self._waiting[:]
        if not batch:
            return False
        try:
            written = _write(connect(), batch)
        except sqlite3.Error as error:
            raise database_fault(self._connections.path, error) from error
        del self._waiting[: len(batch)]
        return written

    def _sync_log(self) -> None:
        # Written already, but not yet on the disk.
        path = f"{self._connections.path}-wal"
        try:
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        except FileNotFoundError:
            return  # moved into the file and removed: that syncs it
        except OSError as error:
            raise file_fault(path, error) from error


def _write(driver: sqlite3.Connection, batch: list[Change]) -> bool:
    """Write a batch in one transaction, and answer whether it changed anything."""
    cursor = driver.cursor()
    cursor.execute("BEGIN IMMEDIATE")
    try:
        fence = Fence(cursor)
        kept = fence.pass_through(batch)
        for statement, changes in groupby(kept, itemgetter(0)):
            cursor.executemany(statement, [change[1] for change in changes])
        cursor.execute("COMMIT")
    except BaseException:
        if driver.in_transaction:
            driver.rollback()
        raise
    fence.tell()
    return bool(kept) or fence.renewed
