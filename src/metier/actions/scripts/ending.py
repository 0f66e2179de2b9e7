"""How does everything that a run started come to its end?"""

import asyncio
import os
import select
import signal
from collections.abc import Iterable
from contextlib import suppress

from .child import Child
from .survivors import Survivor, reap_orphan, survivors

_GRACE = 0.3
"""Seconds that processes in the background may still take when the script has ended by itself."""
_TERM = 0.25
_KILL = 2.0
_STEPS = ((signal.SIGTERM, _TERM), *((signal.SIGKILL, _KILL),) * 5)
_ROUNDS = 5


async def end_rest(child: Child, *, grace: bool) -> int:
    """End every living process of the run, and answer how many there were beside the script's own.

    With grace, they may first end by themselves for a moment (case 041).
    """
    if grace and not await _alone_soon(child):
        return 0
    ended: set[int] = set()
    for sign, patience in _STEPS:
        rest = survivors(child)
        if not rest:
            break
        try:
            ended.update(one.pid for one in rest)
            _send(child, rest, sign)
            await _gone(rest, patience)
        finally:
            _close(rest)
    return _reaped(child, ended)


def end_now(child: Child) -> None:
    """End every living process of the run at once, without giving the event loop a turn.

    For a cancelled run: nothing may be awaited there, since it may be cancelled again.
    """
    ended: set[int] = set()
    for _ in range(_ROUNDS):
        rest = survivors(child)
        if not rest:
            break
        ended.update(one.pid for one in rest)
        _send(child, rest, signal.SIGKILL)
        poll = select.poll()
        for one in rest:
            poll.register(one.pidfd, select.POLLIN)
            poll.poll(_KILL * 1000)
            poll.unregister(one.pidfd)
        _close(rest)
    _reaped(child, ended)


async def _alone_soon(child: Child) -> bool:
    """Whether there is somebody to wait for at all, once the grace is over."""
    rest = survivors(child)
    try:
        if rest:
            await _gone(rest, _GRACE)
    finally:
        _close(rest)
    return bool(rest)


async def _gone(rest: list[Survivor], patience: float) -> None:
    """Wait until all have ended, or the patience has."""
    loop = asyncio.get_running_loop()
    over: asyncio.Future[None] = loop.create_future()
    waiting = {one.pidfd for one in rest}

    def one_gone(pidfd: int) -> None:
        loop.remove_reader(pidfd)
        waiting.discard(pidfd)
        if not waiting and not over.done():
            over.set_result(None)

    try:
        for one in rest:
            loop.add_reader(one.pidfd, one_gone, one.pidfd)
        await asyncio.wait([over], timeout=patience)
    finally:
        for pidfd in waiting:
            loop.remove_reader(pidfd)


def _send(child: Child, rest: Iterable[Survivor], sign: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        # The group first: it is ended as one, faster than it can start new processes.
        os.killpg(child.pid, sign)
    for one in rest:
        with suppress(ProcessLookupError, PermissionError):
            signal.pidfd_send_signal(one.pidfd, sign)


def _reaped(child: Child, ended: set[int]) -> int:
    ended.discard(child.pid)
    for pid in ended:
        reap_orphan(pid)
    return len(ended)


def _close(rest: Iterable[Survivor]) -> None:
    for one in rest:
        one.close()
