"""How is a script's process started, and by what is it known afterwards?"""

import os
import secrets
import select
import subprocess
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from ...errors import ActionError
from .environment import MARK, environment
from .limits import ScriptLimits, limited
from .stream import Stream


@dataclass(slots=True, eq=False)
class Child:
    """One started script. It is not reaped before `close`, so its numbers mean no other process."""

    process: "subprocess.Popen[bytes]"
    pidfd: int
    lifeline: int
    """The reading end of a pipe that the script's processes inherit. It ends when none of them holds it."""
    mark: bytes
    """What stands in the environment of every process of this run."""
    stdout: Stream
    stderr: Stream
    began: float
    """By the monotonic clock, in seconds."""

    @property
    def pid(self) -> int:
        """Its process, its group and its session: one number."""
        return self.process.pid

    @property
    def streams(self) -> tuple[Stream, Stream]:
        """Both outputs."""
        return self.stdout, self.stderr

    def held(self) -> bool:
        """Whether some process still holds the lifeline."""
        return not ends(self.lifeline)

    def reap(self) -> int | None:
        """Take the exit code of the ended process; a signal's number is negative."""
        return self.process.wait() if ends(self.pidfd) else self.process.poll()

    def close(self) -> None:
        """Give back every descriptor."""
        for stream in self.streams:
            stream.close()
        os.close(self.pidfd)
        os.close(self.lifeline)


def ends(descriptor: int) -> bool:
    """Whether a process's descriptor says that it ended, or a pipe's that nobody writes any more."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))


def start(
    command: Sequence[str],
    *,
    scratch: str,
    outputs: str,
    limits: ScriptLimits,
    stdin: str | None,
    env: Mapping[str, str] | None,
) -> Child:
    """Start a command under its limits, in a session of its own, with its outputs in pipes.

    Raises:
        ActionError: The process cannot be started, or a folder cannot be used.
    """
    mark = secrets.token_hex(16)
    with _told(), ExitStack() as ours, ExitStack() as theirs:
        os.makedirs(outputs, mode=0o700, exist_ok=True)
        lifeline, held = _pipe(ours, theirs)
        stdout, out = _stream(os.path.join(outputs, f"{mark[:8]}.stdout"), limits.output, ours, theirs)
        stderr, err = _stream(os.path.join(outputs, f"{mark[:8]}.stderr"), limits.output, ours, theirs)
        began = time.monotonic()
        process = subprocess.Popen(
            limited(command, limits),
            stdin=_input(stdin, outputs, theirs),
            stdout=out,
            stderr=err,
            pass_fds=(held,),
            cwd=scratch,
            env=environment(scratch, mark, env),
            start_new_session=True,
        )
        pidfd = _pidfd(process)
        ours.pop_all()
    return Child(process, pidfd, lifeline, f"{MARK}={mark}".encode(), stdout, stderr, began)


@contextmanager
def _told() -> Generator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise ActionError(
            f"The script could not be started: {error}.",
            hint="See that its scratch folder exists and that its arguments are not too long.",
        ) from error


def _pidfd(process: "subprocess.Popen[bytes]") -> int:
    try:
        return os.pidfd_open(process.pid)
    except OSError:
        # Out of descriptors: nobody could watch it, so it must not run.
        process.kill()
        process.wait()
        raise


def _stream(path: str, limit: int, ours: ExitStack, theirs: ExitStack) -> tuple[Stream, int]:
    """Our end of one output, and the script's."""
    pipe, given = _pipe(ours, theirs)
    os.set_blocking(pipe, False)
    return Stream(pipe, path, limit), given


def _pipe(ours: ExitStack, theirs: ExitStack) -> tuple[int, int]:
    reading, writing = os.pipe()
    ours.callback(os.close, reading)
    theirs.callback(os.close, writing)
    return reading, writing


def _input(text: str | None, folder: str, theirs: ExitStack) -> int:
    """Standard input: the null device, or a file without a name that holds the text (case 040)."""
    if text is None:
        return subprocess.DEVNULL
    file, path = tempfile.mkstemp(dir=folder)
    theirs.callback(os.close, file)
    os.unlink(path)
    view = memoryview(text.encode())
    while view:
        view = view[os.write(file, view) :]
    os.lseek(file, 0, os.SEEK_SET)
    return file
