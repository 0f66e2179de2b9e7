"""Does a worker of this record live on this machine?

A worker holds a lock on a file beside the record for as long as its process lives; the lock is only looked at here.
"""

import fcntl
import os
import struct
from collections.abc import Generator
from contextlib import contextmanager, suppress

_FLOCK = "hhqqi4x"
"""The members of `struct flock`: the kind of lock, from where it counts, start, length, and whose it is."""


@contextmanager
def present(record_path: str) -> Generator[None]:
    """Let others see that a worker lives, until the block or the process ends."""
    descriptor = -1
    with suppress(OSError):
        os.makedirs(f"{record_path}.tasks", mode=0o700, exist_ok=True)
        descriptor = os.open(_file(record_path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.lockf(descriptor, fcntl.LOCK_SH)
    try:
        yield
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def is_present(record_path: str) -> bool:
    """Whether a worker lives here. Workers of a program of its own do not show themselves."""
    try:
        descriptor = os.open(_file(record_path), os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        asked = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
        kind = struct.unpack(_FLOCK, fcntl.fcntl(descriptor, fcntl.F_GETLK, asked))[0]
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return bool(kind != fcntl.F_UNLCK)


def _file(record_path: str) -> str:
    return f"{record_path}.tasks/worker.lock"
