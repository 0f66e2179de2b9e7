"""How are the tasks of the record watched: a live table on a terminal, a line for each change elsewhere?"""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Literal

from ..app.metier import Metier
from ..config import Settings
from .as_json import plain, print_line
from .families import Listed, listed_tasks
from .glyphs import glyphs_for
from .listing import HEAD, STYLES, Row, needs_of, row_of, word_of
from .say import say
from .story import free_the_gone

if TYPE_CHECKING:
    from rich.console import Group
    from rich.text import Text

EVERY = 1.0
"""Seconds between two looks."""

WHOLE_ID = 19
"""Characters of an id that metier made."""

LEAVE = "Ctrl-C leaves; the tasks go on."

AROUND = 8
"""Lines of the terminal that the table needs beside its rows."""


def watch(settings: Settings, *, limit: int, as_json: bool) -> None:
    """Show the newest tasks until the person leaves with Ctrl-C."""
    drawn = sys.stdout.isatty() and not as_json
    with ExitStack() as stack:
        try:
            if drawn:
                _draw(_Looks(settings, stack), limit=limit)
            else:
                _tell(_Looks(settings, stack), limit=limit, as_json=as_json)
        except KeyboardInterrupt:
            return


class _Looks:
    """Looks at the record; while there is none, there are no tasks."""

    def __init__(self, settings: Settings, stack: ExitStack) -> None:
        self._settings = settings
        self._stack = stack
        self._app: Metier | None = None

    def found(self, limit: int) -> list[Listed]:
        if self._app is None and os.path.isfile(self._settings.record_path):
            self._app = self._stack.enter_context(Metier(settings=self._settings))
        if self._app is None:
            return []
        free_the_gone(self._app)
        return listed_tasks(self._app, limit=limit)


def _draw(looks: _Looks, *, limit: int) -> None:
    from rich.console import Console
    from rich.live import Live

    console = Console(file=sys.stdout, highlight=False, emoji=False, markup=False)
    ascii_only = glyphs_for(sys.stdout).ascii
    # Nothing else is printed meanwhile, so both outputs may stay what they are.
    with Live(
        console=console,
        auto_refresh=False,
        vertical_overflow="crop",
        redirect_stdout=False,
        redirect_stderr=False,
    ) as live:
        while True:
            shown = max(1, min(limit, console.size.height - AROUND))
            live.update(_picture(looks.found(shown)[:shown], ascii_only=ascii_only), refresh=True)
            time.sleep(EVERY)


def _picture(found: Sequence[Listed], *, ascii_only: bool) -> "Group":
    """The table with what its tasks need."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    now = time.time_ns()
    table = Table(box=box.ASCII if ascii_only else box.SIMPLE_HEAD, pad_edge=False, expand=False)
    overflow: Literal["crop", "ellipsis"] = "crop" if ascii_only else "ellipsis"
    for name in HEAD:
        justify: Literal["left", "right"] = "right" if name == "took" else "left"
        wide = WHOLE_ID if name == "task" else None
        table.add_column(name, justify=justify, no_wrap=True, min_width=wide, overflow=overflow)
    for one in found:
        table.add_row(*_cells(row_of(one.row, now=now, label=one.label), ascii_only=ascii_only))
    needs = needs_of([one.row for one in found], now=now) if found else ["No tasks yet."]
    return Group(table, *(Text(_in(ascii_only, need), style="bold") for need in needs), Text(LEAVE, style="dim"))


def _cells(told: Row, *, ascii_only: bool) -> "Iterator[Text]":
    from rich.text import Text

    for name in ("id", "given", "took", "word", "why", "skill"):
        cell = str(getattr(told, name))
        yield Text(_in(ascii_only, cell), style=STYLES.get(cell, "yellow") if name == "word" else "")


def _in(ascii_only: bool, text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode() if ascii_only else text


def _tell(looks: _Looks, *, limit: int, as_json: bool) -> None:
    seen: dict[str, tuple[str, str]] = {}
    while True:
        for one in _changed(looks.found(limit), seen):
            now = time.time_ns()
            if as_json:
                print_line(plain(one.row) | {"word": word_of(one.row, now), "parent": one.parent})
            else:
                # Each line stands alone, so it tells the whole id.
                say(f"{time.strftime('%H:%M:%S')}  {row_of(one.row, now=now).line()}")
        time.sleep(EVERY)


def _changed(found: Sequence[Listed], seen: dict[str, tuple[str, str]]) -> Iterator[Listed]:
    """The tasks that stand otherwise than they did, oldest first."""
    now = time.time_ns()
    for one in sorted(found, key=lambda one: one.row.started):
        stands = (word_of(one.row, now), one.row.waits_for)
        if seen.get(one.row.id) != stands:
            seen[one.row.id] = stands
            yield one
