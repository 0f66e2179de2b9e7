"""Who works on a task, and for how long does that hold?"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import NoReturn

from ..errors import LeaseLost

LEASE = 15.0
"""Seconds that an owner's word holds without being renewed."""

TAKEOVERS = 5
"""So many owners in a row may come to neither a wait nor an end. After that a person must take the task up."""


FOREVER = 1 << 62
"""A moment that does not come, in nanoseconds since the epoch."""


class Lease:
    """The right to write a task: the task, and the number that its owners are counted by.

    It is found lost, or a stop is found asked for, by whatever looks at the record: a write, or the beat. The owner is
    told by the error of its next commit, or by `interrupt`, whichever comes first.
    """

    __slots__ = (
        "_interrupt",
        "_told",
        "adopted",
        "committing",
        "held",
        "length",
        "loop",
        "lost",
        "stop_asked",
        "stored",
        "task",
        "token",
        "until",
    )

    def __init__(self, task: str, token: int, *, until: int, length: int, stop: str = "", stored: bool = True) -> None:
        self.task = task
        self.token = token
        self.until = until
        """Nanoseconds since the epoch; as the record has it."""
        self.length = length
        """Nanoseconds."""
        self.stored = stored
        """Whether the task's row is in the file: a new task's comes with its first batch."""
        self.held = True
        """Whether it was not given up by an end, a wait or `let_go`."""
        self.lost = False
        self.stop_asked = stop
        """Who asked for a stop; empty while nobody did."""
        self.committing = 0
        """How many commits wait now. Each raises what was found, so no interrupt is needed."""
        self.loop = running_loop()
        """The event loop that the owner works on."""
        self.adopted: Callable[[Lease], None] | None = None
        """Is told when the owner shows on which loop it works."""
        self._interrupt: Callable[[], None] | None = None
        self._told = bool(stop)

    @property
    def interrupt(self) -> Callable[[], None] | None:
        """What is called, once and on the loop that set it, when the lease is found lost or a stop is found asked for.

        Not for what a commit raises, and not for a stop that was asked for before the task was taken up.
        """
        return self._interrupt

    @interrupt.setter
    def interrupt(self, call: Callable[[], None] | None) -> None:
        self._interrupt = call
        self.adopt()

    def adopt(self) -> None:
        """Take the running loop for the one that the owner works on."""
        loop = running_loop()
        if loop is not None and loop is not self.loop:
            self.loop = loop
            if self.adopted is not None:
                self.adopted(self)

    def lose(self) -> None:
        """Take note that another owner has the task."""
        if not self.lost:
            self.lost = True
            self._told = False
            self._tell()

    def stop(self, by: str) -> None:
        """Take note that somebody asked for a stop."""
        if not self.stop_asked:
            self.stop_asked = by
            self._tell()

    def raises(self) -> bool:
        """Whether a commit has something to raise; what it raises is told."""
        if self.lost or (self.held and self.stop_asked):
            self._told = True
            return True
        return False

    def is_due(self, now: int) -> bool:
        """Whether a third of it has gone by: time to renew it."""
        return (self.until - now) * 3 < self.length * 2

    def is_old(self) -> bool:
        """Whether half of it has gone by: nothing may begin before it is renewed."""
        return (self.until - time.time_ns()) * 2 < self.length

    def _tell(self) -> None:
        loop = self.loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed, and whoever worked there is gone
                loop.call_soon_threadsafe(self._call)

    def _call(self) -> None:
        if self._told or self.committing or self._interrupt is None or not (self.lost or self.held):
            return
        self._told = True
        self._interrupt()


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The event loop that runs on this thread; none outside of one."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def raise_told(lease: Lease) -> NoReturn:
    """Raise what was found of a lease: LeaseLost, or asyncio.CancelledError when somebody asked for a stop."""
    if lease.lost:
        raise LeaseLost(
            f"Another process works on the task {lease.task} now.",
            hint=f"What this one still noted is kept as late: metier show {lease.task}",
        )
    raise asyncio.CancelledError(f"{lease.stop_asked} asked for the task {lease.task} to be stopped")
