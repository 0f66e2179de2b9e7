"""How do entries get into the file?"""

import asyncio
import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from sqlalchemy import BindParameter, bindparam, select

from ..errors import RecordBusy, RecordError
from .batch import Batch
from .connections import Connections
from .contents import Contents
from .faults import database_fault, file_fault
from .tables import entry, standing, task

_DELAY = 0.002
"""Seconds that a note waits for others, or for a commit."""


class Writer:
    """Writes what all tasks of this process noted, in batches, one at a time.

    A batch is written on the caller's thread when that takes no waiting; otherwise, and for a power cut, on a thread.
    A batch that could not be written goes back in front of what was noted since: nothing is lost, nothing overtakes.
    """

    def __init__(self, connections: Connections, contents: Contents) -> None:
        self._connections = connections
        self._contents = contents
        self._batch = Batch()
        self._unsynced = False
        self._lock = threading.Lock()
        """Guards the batch and the queued work. Held for no longer than it takes to swap them."""
        self._flushing = threading.Lock()
        self._timer_loop: asyncio.AbstractEventLoop | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._queued: Future[None] | None = None
        self._find = connections.statement(select(task.c.state).where(task.c.id == bindparam("which")))
        self._begin = connections.statement(task.insert())
        self._entry = connections.statement(entry.insert())
        ended: dict[str, BindParameter[Any]] = {
            "ended": bindparam("ended_at"),
            "state": bindparam("end"),
            "reason": bindparam("why"),
        }
        self._end = connections.statement(task.update().where(task.c.id == bindparam("which")).values(ended))
        self._yes = connections.statement(standing.insert())
        # Both SQLite and Postgres know this clause; SQLAlchemy has it apart for each.
        self._yes.text += " ON CONFLICT (subject) DO NOTHING"

    def has_task(self, task_id: str) -> bool:
        """Whether a task has this id. Raises RecordError when the record cannot be read."""
        try:
            driver = self._connections.quick()
            return driver.execute(self._find.text, (task_id,)).fetchone() is not None
        except sqlite3.Error as error:
            raise database_fault(self._connections.path, error) from error

    def begin(self, **row: Any) -> None:
        """Add a row of the list of tasks."""
        with self._lock:
            self._batch.begins.append(self._begin.row(row))
        self._soon()

    def end(self, task_id: str, *, at: int, state: str, reason: str) -> None:
        """Add how a task ended."""
        row = self._end.row({"which": task_id, "ended_at": at, "end": state, "why": reason})
        with self._lock:
            self._batch.ends.append(row)
        self._soon()

    def keep_yes(self, **row: Any) -> None:
        """Add a standing yes."""
        with self._lock:
            self._batch.yeses.append(self._yes.row(row))
        self._soon()

    def add(self, row: tuple[Any, ...]) -> None:
        """Add an entry: its values in the order of the table's columns."""
        with self._lock:
            self._batch.entries.append(row)
        self._soon()

    async def commit(self, *, power: bool) -> None:
        """Return when all that was added before survives this process; with `power`, a power cut too."""
        if not power and self._flush_quickly():
            return
        # Shielded: who awaits may be cancelled, but the work is shared with others.
        await asyncio.shield(asyncio.wrap_future(self._hand_over()))

    def flush(self) -> None:
        """Write all that was added, and wait for it on this thread."""
        if not self._flush_quickly():
            self._flush_patiently()

    def close(self) -> None:
        """Write all that was added, so that it survives a power cut, and end the thread."""
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
        """Write the batch; answer whether there was one."""
        batch = self._take()
        if not batch:
            return False
        try:
            self._write(connect(), batch)
        except BaseException as error:
            self._put_back(batch)
            if isinstance(error, sqlite3.Error):
                raise database_fault(self._connections.path, error) from error
            raise
        return True

    def _take(self) -> Batch:
        with self._lock:
            batch, self._batch = self._batch, Batch()
        return batch

    def _put_back(self, batch: Batch) -> None:
        with self._lock:
            self._batch = batch.before(self._batch)

    def _write(self, driver: sqlite3.Connection, batch: Batch) -> None:
        cursor = driver.cursor()
        cursor.execute("BEGIN IMMEDIATE")
        try:
            if batch.begins:
                cursor.executemany(self._begin.text, batch.begins)
            cursor.executemany(self._entry.text, batch.entries)
            if batch.yeses:
                cursor.executemany(self._yes.text, batch.yeses)
            if batch.ends:
                cursor.executemany(self._end.text, batch.ends)
            cursor.execute("COMMIT")
        except BaseException:
            if driver.in_transaction:
                driver.rollback()
            raise

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
