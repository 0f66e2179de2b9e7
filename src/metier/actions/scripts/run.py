"""How does a script run, from its start to its last process's end?"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from ...errors import ActionError
from .child import Child, start
from .ending import end_now, end_rest
from .limits import DEFAULT_LIMITS, ScriptLimits
from .stream import Stream

_First = Literal["exited", "timed_out", "output_limit"]


@dataclass(frozen=True, slots=True)
class Output:
    """One output of a script, whole, as a file."""

    path: str
    length: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class ScriptEnded:
    """How a script ended, with what it printed."""

    ended: Literal["exited", "timed_out", "output_limit", "signalled"]
    exit: int | None
    """The exit code; where a signal ended it, minus the signal's number; none where metier ended it."""
    seconds: float
    """From its start until it ended or was ended."""
    stdout: Output
    stderr: Output
    left: int
    """How many processes it had left running. They were ended."""


async def run_script(
    command: Sequence[str],
    *,
    scratch: str,
    outputs: str,
    limits: ScriptLimits = DEFAULT_LIMITS,
    stdin: str | None = None,
    env: Mapping[str, str] | None = None,
) -> ScriptEnded:
    """Run a command to its end in the scratch folder, and leave no process of it behind.

    Its outputs become files in the folder `outputs`, also when it is cancelled. Without `stdin` it reads nothing.
    `env` is added to the few variables that every script sees.

    Raises:
        ActionError: It cannot be started, or its output cannot be written.
    """
    child = start(command, scratch=scratch, outputs=outputs, limits=limits, stdin=stdin, env=env)
    try:
        first, seconds, left = await _watched(child, limits)
        for stream in child.streams:
            stream.drain()
        return _ended(child, first, seconds=seconds, left=left)
    except OSError as error:
        raise _unwritten(error) from error
    finally:
        child.close()


async def _watched(child: Child, limits: ScriptLimits) -> tuple[_First, float, int]:
    """Follow the child to its end and end what it left; when cancelled, end all of it."""
    loop = asyncio.get_running_loop()
    over: asyncio.Future[_First] = loop.create_future()
    timer = loop.call_later(limits.seconds, _settle, over, "timed_out")
    loop.add_reader(child.pidfd, _settle, over, "exited")
    try:
        for stream in child.streams:
            stream.open()
            loop.add_reader(stream.pipe, _pump, loop, stream, over)
        first = await over
        seconds = time.monotonic() - child.began
        loop.remove_reader(child.pidfd)
        return first, seconds, await end_rest(child, grace=first == "exited")
    except BaseException:
        end_now(child)
        child.reap()
        for stream in child.streams:
            with suppress(OSError):
                stream.drain()
        raise
    finally:
        timer.cancel()
        for descriptor in (child.pidfd, child.stdout.pipe, child.stderr.pipe):
            loop.remove_reader(descriptor)


def _settle(over: "asyncio.Future[_First]", first: _First) -> None:
    if not over.done():
        over.set_result(first)


def _pump(loop: asyncio.AbstractEventLoop, stream: Stream, over: "asyncio.Future[_First]") -> None:
    try:
        more = stream.pump()
    except OSError as error:
        more = False
        if not over.done():
            over.set_exception(_unwritten(error))
    if not more or stream.over:
        loop.remove_reader(stream.pipe)
    if stream.over:
        _settle(over, "output_limit")


def _ended(child: Child, first: _First, *, seconds: float, left: int) -> ScriptEnded:
    code = child.reap()
    stdout, stderr = (Output(stream.path, stream.length) for stream in child.streams)
    if first == "exited" and any(stream.over for stream in child.streams):
        first = "output_limit"
    if first != "exited":
        return ScriptEnded(first, None, seconds, stdout, stderr, left)
    signalled = code is not None and code < 0
    return ScriptEnded("signalled" if signalled else "exited", code, seconds, stdout, stderr, left)


def _unwritten(error: OSError) -> ActionError:
    return ActionError(f"The script's output could not be kept: {error}.", hint="Make room on the disk.")
