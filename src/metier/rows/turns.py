"""Whose turn is it to change rows, in a database that takes one writer at a time?

Calls wait for their turn on their own loops, in the order in which they came, and hold no thread meanwhile. If they waited in
threads, the one call that has the lock might find no thread left to commit in.
"""

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Engine


class _Place(NamedTuple):
    loop: asyncio.AbstractEventLoop
    come: "asyncio.Future[None]"


class Turns:
    """One writer at a time, whichever loop of the process it runs on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken = False
        self._waiting: deque[_Place] = deque()

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None]:
        """Wait for the turn, and have it until the block ends."""
        await self._take()
        try:
            yield
        finally:
            self._pass_on()

    async def _take(self) -> None:
        loop = asyncio.get_running_loop()
        with self._lock:
            if not self._taken:
                self._taken = True
                return
            place = _Place(loop, loop.create_future())
            self._waiting.append(place)
        try:
            await place.come
        except BaseException:
            with self._lock:
                came = place not in self._waiting
                if not came:
                    self._waiting.remove(place)
            if came:  # it was this one's turn already
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        with self._lock:
            while self._waiting:
                place = self._waiting.popleft()
                try:
                    place.loop.call_soon_threadsafe(_come, place.come)
                except RuntimeError:
                    continue  # its loop is closed: nobody waits there any more
                return
            self._taken = False


def turns_of(engine: Engine) -> Turns | None:
    """The turns of an engine's database; none where it takes many writers at a time."""
    if engine.dialect.name != "sqlite":
        return None
    with _lock:
        return _TURNS.setdefault(engine, Turns())


_lock = threading.Lock()
_TURNS: "WeakKeyDictionary[Engine, Turns]" = WeakKeyDictionary()


def _come(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)
