"""How is a record opened?"""

import time

from .answers import Clock, Durability
from .lease import LEASE
from .record import Record


def open_record(
    path: str | None,
    *,
    durability: Durability = "ends",
    clock: Clock = time.time_ns,
    patience: float = 30.0,
    lease: float = LEASE,
) -> Record:
    """The record in a file, made when there is none. Without a path nothing is kept beyond the object that comes back.

    Args:
        path: the file; its contents lie in a folder beside it.
        durability: what a commit survives.
        clock: nanoseconds since the epoch.
        patience: how many seconds to wait for another program that holds the file.
        lease: how many seconds a task is held without a sign of its owner, by this machine's clock.

    Raises:
        RecordError: the file cannot be opened, or a newer metier wrote it.
        RecordBusy: another program holds the file for too long.
    """
    if path is None:
        from .memory import MemoryRecord  # noqa: PLC0415 - a task without a record needs the other one not at all

        return MemoryRecord(clock=clock)
    from .store import StoredRecord  # noqa: PLC0415 - unrecorded runs need no database

    return StoredRecord(path, durability=durability, clock=clock, patience=patience, lease=lease)
