"""How is the work shown as it happens: drawn on a terminal, as plain lines elsewhere?"""

import sys
import time
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ..domain.entry import Entry
from .clean import clean, one_line
from .glyphs import glyphs_for
from .tree import CallTree, Line

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text


HEARD = 600
"""How many of the last characters of a text that is still coming are shown."""


class Progress:
    """Shows a task on standard error. On a terminal the call that runs stands below with its clock."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._stream = sys.stderr
        self._glyphs = glyphs_for(self._stream)
        self._tree = CallTree(self._glyphs)
        self._quiet = quiet
        self._live: Live | None = None
        self._since = time.monotonic()
        self._heard = ""
        self._root: Line | None = None
        self._drawn = not quiet and self._stream.isatty()
        if self._drawn:
            from rich.console import Console

            self._console = Console(file=self._stream, highlight=False)

    def __enter__(self) -> Self:
        self.resume()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.pause()

    @property
    def draws(self) -> bool:
        """Whether it draws on a terminal, and so can show text as it comes."""
        return self._drawn

    def hear(self, text: str) -> None:
        """Show a piece of the model's text, in the line of what runs now."""
        self._heard += text

    def know(self, skill: str, task: str, entries: Iterable[Entry]) -> None:
        """Begin with another task, which goes on from the entries of its earlier runs."""
        self._tree = CallTree(self._glyphs)
        self._tree.know(entries)
        self._root = Line(-1, "", one_line(skill, 60), f"task {task}", "bold")

    def watch(self, entry: Entry) -> None:
        """Show what an entry completes."""
        self._since = time.monotonic()
        self._heard = ""
        if self._root is not None:
            # Not before the first entry: the task may not be to be had.
            self._print(self._root)
            self._root = None
        for line in self._tree.take(entry):
            self._print(line)

    def pause(self) -> None:
        """Clear the way for a question."""
        live, self._live = self._live, None
        if live is not None:
            live.stop()

    def resume(self) -> None:
        """Go on after a question, below it."""
        if self._drawn:
            from rich.live import Live

            self._live = Live(get_renderable=self._running, console=self._console, transient=True, refresh_per_second=8)
            self._live.start()

    def _print(self, line: Line) -> None:
        if self._quiet:
            return
        text = line.drawn(self._glyphs)
        if self._drawn:
            from rich.text import Text

            self._console.print(Text(text, style=line.style), overflow="ellipsis", no_wrap=True, crop=True)
        else:
            # A stream that cannot carry a character gets its escape, never an error.
            encoding = self._stream.encoding or "ascii"
            self._stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
            self._stream.flush()

    def _running(self) -> "Text":
        from rich.text import Text

        running = self._tree.running
        if not running:
            return Text("")
        line = f"{self._glyphs.bar}... {running}  {time.monotonic() - self._since:.0f} s"
        return Text(f"{line}\n{clean(self._heard[-HEARD:])}" if self._heard else line, style="dim")
