"""How does a test sit at a terminal?

A real pseudo-terminal with a process on it. What comes out is read until an expected text is there, never for a fixed time.
"""

import fcntl
import os
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

PATIENCE = 30.0
"""Seconds to wait for a text or for the end, on the slowest of machines."""
CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[()].|\r")
CTRL_C = "\x03"
CTRL_D = "\x04"
# The first process of a session that opens a terminal gets it as its own, and so Ctrl-C reaches it.
ON_TERMINAL = 'exec "$@" <"$0" >"$0" 2>&1'


class Screen:
    """A terminal of 120 columns with one command on it."""

    def __init__(self, command: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> None:
        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 120, 0, 0))
        start = ["/bin/sh", "-c", ON_TERMINAL, os.ttyname(slave), *command]
        self.process = subprocess.Popen(start, cwd=cwd, env=env, stdin=subprocess.DEVNULL, start_new_session=True)
        self._slave = slave
        self._bytes = b""
        self._seen = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._master)
        os.close(self._slave)

    @property
    def raw(self) -> str:
        """All that came out, with its colours and movements."""
        return self._bytes.decode("utf-8", "replace")

    @property
    def text(self) -> str:
        """All that came out, as words."""
        return CONTROL.sub("", self.raw)

    def until(self, text: str) -> str:
        """Read until a text is there, after what was waited for before; answer what came up to it."""
        end = time.monotonic() + PATIENCE
        while (at := self.text.find(text, self._seen)) < 0:
            assert self._read(end), f"no {text!r} came, but:\n{self.text[self._seen :]}"
        came = self.text[self._seen : at + len(text)]
        self._seen = at + len(text)
        return came

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    def answer(self, question: str, line: str) -> str:
        """Wait for a question and answer it with a line; answer what came up to the question."""
        came = self.until(question)
        self.type(f"{line}\n")
        return came

    def end(self) -> int:
        """Read to the end, and answer the exit code."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, f"it did not end, but said:\n{self.text[self._seen :]}"
            self._read(time.monotonic() + 0.05)
        while self._read(time.monotonic()):
            pass
        return self.process.returncode

    def _read(self, end: float) -> bool:
        """Read what comes before a point in time; whether something came."""
        ready, _, _ = select.select([self._master], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            return False
        with suppress(OSError):
            self._bytes += os.read(self._master, 65536)
            return True
        return False
