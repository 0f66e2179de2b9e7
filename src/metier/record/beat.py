"""How does an owner learn of a stop, and how is its lease kept, while it writes nothing?"""

import asyncio
import json
import time

from ..errors import RecordError
from .connections import Connections
from .lease import Lease, running_loop
from .statements import LOOK
from .writer import Writer

BEAT = 1.0
"""Seconds between two looks at the leases that are held."""


class Beat:
    """Looks at all held leases of each event loop once a second, and renews those of which a third has gone by.

    Only what runs here is renewed: a lease whose loop has ended is left to run out. Nothing runs while none is held.
    """

    def __init__(self, connections: Connections, writer: Writer, held: dict[str, Lease]) -> None:
        self._connections = connections
        self._writer = writer
        self._held = held
        self._timers: dict[asyncio.AbstractEventLoop, asyncio.TimerHandle] = {}

    def keep(self, lease: Lease) -> None:
        """See to it that a lease is looked at for as long as it is held."""
        loop = lease.loop
        if loop is None or loop in self._timers:
            return
        for gone in [other for other in self._timers if other.is_closed()]:
            del self._timers[gone]
        self._timers[loop] = loop.call_later(BEAT, self._on_timer, loop)

    def rest(self) -> None:
        """Stop the running loop's timer if no lease is held; with others held it finds out by itself."""
        if self._held:
            return
        loop = running_loop()
        if loop is not None and loop in self._timers:
            self._timers.pop(loop).cancel()

    def _leases(self, loop: asyncio.AbstractEventLoop) -> dict[str, Lease]:
        return {task: lease for task, lease in list(self._held.items()) if lease.loop is loop and not lease.lost}

    def _on_timer(self, loop: asyncio.AbstractEventLoop) -> None:
        del self._timers[loop]
        leases = self._leases(loop)
        if not leases:
            return
        self._timers[loop] = loop.call_later(BEAT, self._on_timer, loop)
        ids = json.dumps([task for task, lease in leases.items() if lease.stored])
        rows = self._writer.look(ids)
        if rows is None:
            loop.run_in_executor(None, self._look_patiently, ids, leases)
        else:
            self._take(rows, leases)

    def _look_patiently(self, ids: str, leases: dict[str, Lease]) -> None:
        try:
            with self._connections.use() as connection:
                rows = connection.execute(LOOK, (ids,)).fetchall()
        except RecordError:
            return  # the next look, or the next commit, tells
        self._take(rows, leases)

    def _take(self, rows: list[tuple[str, int, str, str]], leases: dict[str, Lease]) -> None:
        for task, token, state, stop in rows:
            lease = leases[task]
            if token != lease.token or (state != "Running" and lease.held):
                lease.lose()
            elif stop:
                lease.stop(stop)
        self._renew(leases)

    def _renew(self, leases: dict[str, Lease]) -> None:
        now = time.time_ns()
        due = [lease for lease in leases.values() if lease.held and not lease.lost and lease.is_due(now)]
        if due:
            self._writer.renew(due)
