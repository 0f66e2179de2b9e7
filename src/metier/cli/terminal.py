"""Who sits at the terminal, and how are they asked?

A line is read by the loop itself, so that a question can be cancelled; nothing is left waiting in a thread.
"""

import asyncio
import getpass
import os
import sys
import termios
from contextlib import suppress

from ..domain.proposal import Proposal, Reply
from .asked import told, wrapped
from .clean import clean
from .progress import Progress

YES = "Yes? [y/N]"
HELP = "Your help (nothing ends the job)"


class Terminal:
    """The person at this terminal: shown things, asked things, and an approver of proposals.

    Args:
        progress: what else is drawn on the terminal.
        keeps: whether a question that gets no answer stays on the record; if not, its task is refused.
    """

    def __init__(self, progress: Progress, *, keeps: bool = False) -> None:
        self._progress = progress
        self._keeps = keeps
        self._typed = b""

    @staticmethod
    def there() -> bool:
        """Whether somebody can be asked: input and standard error are a terminal."""
        return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()

    async def show(self, text: str) -> None:
        """Show a text of others, made harmless."""
        self._progress.pause()
        _print(clean(text))

    async def ask(self, question: str) -> str:
        """Ask for one line.

        Raises:
            EOFError: the input has ended.
        """
        self._progress.pause()
        _print(f"{clean(question)}: ", end="")
        try:
            line = await self._line()
        except BaseException:
            # The question's line ends here, whatever is shown next.
            _print("")
            raise
        self._progress.resume()
        return line

    async def answer(self, proposal: Proposal) -> Reply:
        """Ask whether a proposal may be carried out. Only `y` or `yes` is a yes."""
        self._progress.pause()
        self._forget_typed()
        _print("\n".join(["", *(part for line in told(proposal) for part in wrapped(line))]))
        try:
            said = (await self.ask(HELP if proposal.help else YES)).strip()
        except EOFError:
            return self._unanswered(proposal)
        by = getpass.getuser()
        if proposal.help:
            return Reply("yes" if said else "no", by, said)
        yes = said.lower() in ("y", "yes")
        return Reply("yes" if yes else "no", by, covers="subject" if yes and proposal.subject else "call")

    def _unanswered(self, proposal: Proposal) -> Reply:
        if self._keeps:
            return Reply("later", "", f"it waits until somebody answers proposal {proposal.id}")
        return Reply("nobody", "", "the terminal was closed before an answer came")

    def _forget_typed(self) -> None:
        """What was typed before a question was shown does not answer it."""
        self._typed = b""
        with suppress(termios.error):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    async def _line(self) -> str:
        while b"\n" not in self._typed:
            read = await self._read()
            if not read:
                raise EOFError("standard input has ended")
            self._typed += read
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(sys.stdin.encoding or "utf-8", "replace").rstrip("\r")

    @staticmethod
    async def _read() -> bytes:
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        descriptor = sys.stdin.fileno()
        loop.add_reader(descriptor, _set, ready)
        try:
            await ready
        finally:
            loop.remove_reader(descriptor)
        return os.read(descriptor, 65536)


def _set(ready: "asyncio.Future[None]") -> None:
    if not ready.done():
        ready.set_result(None)


def _print(text: str, end: str = "\n") -> None:
    encoding = sys.stderr.encoding or "ascii"
    sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding) + end)
    sys.stderr.flush()
