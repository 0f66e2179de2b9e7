"""May a batch's changes be written, or does somebody else own their task by now?"""

import sqlite3
import time
from typing import Any

from .lease import Lease
from .statements import ADD_ENTRY, ADD_LATE, HOLDS, RENEW

Row = tuple[Any, ...]
Change = tuple[str, Row, Lease | None]
"""A statement, its values, and the lease that it is written under; without a statement the lease is only looked at."""

LOOK_ONLY = ""


class Fence:
    """Looks at the leases of one batch, within its transaction; renews those of which a third has gone by."""

    __slots__ = ("_cursor", "_lost", "_new", "_renewed", "_stops")

    def __init__(self, cursor: sqlite3.Cursor) -> None:
        self._cursor = cursor
        # Nothing is found in most batches, and making a list for that would cost as much as the look.
        self._new: tuple[Lease, ...] = ()
        self._lost: tuple[Lease, ...] = ()
        self._renewed: tuple[tuple[Lease, int], ...] = ()
        self._stops: tuple[tuple[Lease, str], ...] = ()

    @property
    def renewed(self) -> bool:
        """Whether a lease was written anew."""
        return bool(self._renewed)

    def pass_through(self, batch: list[Change]) -> list[Change]:
        """The changes that may be written. Of a lost lease only its entries are left, as late ones."""
        for lease in {change[2] for change in batch}:
            if lease is not None:
                self._look_at(lease)
        if not self._lost and all([change[0] for change in batch]):  # noqa: C419  a list is quicker than a generator
            return batch
        return [kept for change in batch if (kept := self._kept(change)) is not None]

    def tell(self) -> None:
        """Take over what was found, once the batch is written, and tell the owners."""
        for lease in self._new:
            lease.stored = True
        for lease, until in self._renewed:
            lease.until = until
        for lease in self._lost:
            lease.lose()
        for lease, by in self._stops:
            lease.stop(by)

    def _look_at(self, lease: Lease) -> None:
        if not lease.stored:
            self._new += (lease,)  # its row is in this batch
            return
        row = None if lease.lost else self._cursor.execute(HOLDS, (lease.task, lease.token)).fetchone()
        if row is None:
            self._lost += (lease,)
            return
        if row[0]:
            self._stops += ((lease, row[0]),)
        now = time.time_ns()
        if lease.held and lease.is_due(now):
            until = now + lease.length
            self._cursor.execute(RENEW, (until, lease.task, lease.token))
            self._renewed += ((lease, until),)

    def _kept(self, change: Change) -> Change | None:
        statement, values, lease = change
        if statement == LOOK_ONLY:
            return None
        if lease is None or lease not in self._lost:
            return change
        if statement != ADD_ENTRY:
            return None
        task, *rest, _ = values
        return (ADD_LATE, (task, lease.token, *rest), None)
