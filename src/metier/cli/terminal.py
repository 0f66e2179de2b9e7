"""Who sits at the terminal, and how are they asked?

A line is read by the loop itself, so that a question can be cancelled; nothing is left waiting in a thread.
"""

import asyncio
import getpass
import os
import shutil
import sys
import termios
import textwrap
from collections.abc import Mapping
from contextlib import suppress

from ..domain.proposal import Proposal, Reply
from .clean import clean, in_one_line, short_digests
from .progress import Progress

EFFECT_WORDS: Mapping[str, str] = {
    "reads": "reads",
    "loads": "shows a text of others to the model",
    "changes": "changes something",
    "sends": "sends something out",
    "runs": "runs code",
    "acts": "acts on a screen or a machine",
}

SHOWN = 500
"""So many characters of an argument are shown to the person who is asked."""


class Terminal:
    """The person at this terminal: shown things, asked things, and an approver of proposals."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
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
        _print("\n".join(_told(proposal)))
        try:
            said = (await self.ask("Yes? [y/N]")).strip().lower()
        except EOFError:
            return Reply("nobody", "", "the terminal was closed before an answer came")
        yes = said in ("y", "yes")
        return Reply(
            "yes" if yes else "no", getpass.getuser(), covers="subject" if yes and proposal.subject else "call"
        )

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


def _told(proposal: Proposal) -> list[str]:
    """What a person reads before they answer: what, with what, under what, and how far a yes goes."""
    lines = ["", f"May this be done? {_cut(in_one_line(proposal.words))}."]
    for name, value in proposal.arguments.items():
        lines.append(f"  {in_one_line(name)}: {_cut(in_one_line(str(value)))}")
    lines.append(f"  It {' and '.join(EFFECT_WORDS.get(effect, effect) for effect in proposal.effects)}.")
    if proposal.confinement:
        lines.append(f"  {proposal.confinement[0].upper()}{proposal.confinement[1:].rstrip('.')}.")
    if proposal.subject:
        until = "as long as it stays as it is" if proposal.kept else "until this task ends"
        lines.append(f"  A yes covers, {until}: {in_one_line(short_digests(proposal.subject))}")
    width = max(40, shutil.get_terminal_size().columns - 1)
    return [part for line in lines for part in _wrapped(line, width)]


def _wrapped(line: str, width: int) -> list[str]:
    return textwrap.wrap(line, width, subsequent_indent="    ", break_on_hyphens=False) or [""]


def _cut(text: str) -> str:
    left = len(text) - SHOWN
    return text if left <= 0 else f"{text[:SHOWN]}... ({left} more characters)"


def _print(text: str, end: str = "\n") -> None:
    encoding = sys.stderr.encoding or "ascii"
    sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding) + end)
    sys.stderr.flush()
