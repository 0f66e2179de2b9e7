"""Which process has a task, and is it still there?

A lease runs out by itself. On one machine there is no need to wait for that: whether a process lives can be seen. What
cannot be seen for sure, such as a process of another container, counts as living.
"""

import os
import secrets
from contextlib import suppress
from functools import cache

_STATE = 0
_START = 19
"""Places in `/proc/PID/stat` after the name."""


def owner_name() -> str:
    """A name for an opened record: where its process is to be found, and what tells it from all others."""
    return f"{_here()}/{os.getpid()}/{_started(os.getpid())}/{secrets.token_hex(4)}"


def is_gone(owner: str) -> bool:
    """Whether the process that this is the name of has surely ended."""
    match owner.split("/"):
        case [place, pid, started, _] if place and place == _here() and pid.isdecimal() and started:
            return _started(int(pid)) != started
        case _:
            return False


@cache
def _here() -> str:
    """This boot of this machine, and the space in which its processes are numbered; empty where that is not known."""
    with suppress(OSError):
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read(8)
        return f"{boot}-{os.stat('/proc/self/ns/pid').st_ino}"
    return ""


def _started(pid: int) -> str:
    """When the process began, in the kernel's own count; empty for one that is no more."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            parts = file.read().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if parts[_STATE] in ("Z", "X") else parts[_START]
