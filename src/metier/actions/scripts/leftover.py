"""Does a script still run whose metier has died?

A killed process cannot end what it started. Whoever goes on with its task does so, before anybody is asked whether the
script may run again: two of them must not work in one folder.
"""

import os
import select
import signal
from contextlib import suppress

from .environment import KEY
from .survivors import Survivor, listed

_ROUNDS = 5
_PATIENCE = 2.0
"""Seconds that a killed process may take to be gone."""


def end_left(key: str) -> int:
    """End every process that has this call's key in its environment, and answer how many there were."""
    mark = f"{KEY}={key}".encode()
    ended: set[int] = set()
    for _ in range(_ROUNDS):
        rest = [one for pid in listed() if (one := _taken(pid, mark)) is not None]
        if not rest:
            break
        for one in rest:
            ended.add(one.pid)
            with suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(one.pidfd, signal.SIGKILL)
        _wait(rest)
    return len(ended)


def _taken(pid: int, mark: bytes) -> Survivor | None:
    if pid == os.getpid():
        return None
    try:
        pidfd = os.pidfd_open(pid)
    except OSError:
        return None
    # Read after the descriptor is open: from here on it is one and the same process.
    try:
        with open(f"/proc/{pid}/environ", "rb", buffering=0) as file:
            if mark in file.read().split(b"\0"):
                return Survivor(pid, pidfd)
    except OSError:
        pass  # it has ended, or is somebody else's
    os.close(pidfd)
    return None


def _wait(rest: list[Survivor]) -> None:
    for one in rest:
        poll = select.poll()
        poll.register(one.pidfd, select.POLLIN)
        poll.poll(_PATIENCE * 1000)
        one.close()
