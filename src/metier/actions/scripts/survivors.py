"""Which processes of a run are still alive, wherever they went?"""

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from .child import Child, ends

_NEAR = 512
"""So many numbers are tried one by one; for more, the list of all processes is read."""
_STARTS_A_SECOND = 50_000
"""More processes and threads than a machine starts in a second."""


@dataclass(frozen=True, slots=True)
class Survivor:
    """A living process of a run. The descriptor means this one process, even when its number is used again."""

    pid: int
    pidfd: int

    def close(self) -> None:
        """Give the descriptor back."""
        os.close(self.pidfd)


def survivors(child: Child) -> list[Survivor]:
    """Every living process of the run, the script's own among them. The caller closes them.

    A process belongs to the run when it is in the script's session, or has the run's mark in its environment, or
    holds the run's lifeline. One that shed all three is not seen.
    """
    held = child.held()
    lifeline = os.readlink(f"/proc/self/fd/{child.lifeline}") if held else ""
    found: list[Survivor] = []
    if not ends(child.pidfd):
        found.append(Survivor(child.pid, os.dup(child.pidfd)))
    for pid in _newer(child):
        survivor = _taken(pid, child, lifeline)
        if survivor is not None:
            found.append(survivor)
    return found


def reap_orphan(pid: int) -> None:
    """Reap an ended process, if it came to us when its parent died."""
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def _taken(pid: int, child: Child, lifeline: str) -> Survivor | None:
    try:
        pidfd = os.pidfd_open(pid)
    except OSError:
        return None
    # Asked after the descriptor is open: from here on it is one and the same process.
    if ends(pidfd):
        _reap_stray(pid)
    elif _belongs(pid, child, lifeline):
        return Survivor(pid, pidfd)
    os.close(pidfd)
    return None


def _belongs(pid: int, child: Child, lifeline: str) -> bool:
    try:
        if os.getsid(pid) == child.pid:
            return True
        with open(f"/proc/{pid}/environ", "rb", buffering=0) as file:
            if child.mark in file.read():
                return True
        return bool(lifeline) and _holds(pid, lifeline)
    except OSError:
        return False


def _holds(pid: int, lifeline: str) -> bool:
    folder = f"/proc/{pid}/fd"
    for name in os.listdir(folder):
        with suppress(OSError):
            if os.readlink(f"{folder}/{name}") == lifeline:
                return True
    return False


def _reap_stray(pid: int) -> None:
    """Reap an orphan that ended by itself.

    A process that we started ourselves is in our session or leads its own; those are for others to wait for.
    """
    with suppress(OSError):
        if os.getsid(pid) not in (os.getsid(0), pid):
            reap_orphan(pid)


def _newer(child: Child) -> Iterable[int]:
    """The numbers of all processes that may have started after the script.

    Numbers are given in order. Most scripts start nothing, and then this costs one small read.
    """
    most = _most_pids()
    # After so long the numbers may have come round.
    if time.monotonic() - child.began > most / _STARTS_A_SECOND:
        return [pid for pid in listed() if pid not in (child.pid, os.getpid())]
    since = (_last_pid() - child.pid) % most
    if since <= _NEAR:
        return [(child.pid + step) % most for step in range(1, since + 1)]
    return [pid for pid in listed() if 0 < (pid - child.pid) % most <= since]


def listed() -> list[int]:
    """The numbers of all processes."""
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()]


def _last_pid() -> int:
    with open("/proc/loadavg", "rb", buffering=0) as file:
        return int(file.read().split()[-1])


@cache
def _most_pids() -> int:
    with open("/proc/sys/kernel/pid_max", "rb", buffering=0) as file:
        return int(file.read())
