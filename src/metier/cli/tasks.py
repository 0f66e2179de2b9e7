"""`metier tasks`: the tasks of the record, listed or watched."""

import os
import time

import click

from ..app.metier import Metier
from ..config import Settings, load_settings
from .as_json import plain, print_json
from .exits import DONE
from .families import Listed, listed_tasks
from .listing import needs_of, row_of, word_of
from .say import say
from .story import free_the_gone
from .watching import watch


@click.command("tasks")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="The most tasks to list, the newest first; their children come with them.",
)
@click.option("--watch", "live", is_flag=True, help="Stay, and show each change; Ctrl-C leaves.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON; with --watch, a line for each change.")
@click.pass_context
def command(ctx: click.Context, limit: int, live: bool, as_json: bool) -> int:
    """List the tasks of the record, the newest first, with what each waits for.

    A task that another one handed on stands below it, under the part of its id that comes after the other's.
    """
    settings = load_settings((ctx.obj or {}).get("project"))
    if live:
        watch(settings, limit=limit, as_json=as_json)
        return DONE
    found = _found(settings, limit)
    now = time.time_ns()
    if as_json:
        print_json([plain(one.row) | {"word": word_of(one.row, now), "parent": one.parent} for one in found])
        return DONE
    if not found:
        say("No tasks yet.")
        return DONE
    say("\n".join(row_of(one.row, now=now, label=one.label).line() for one in found))
    for need in needs_of([one.row for one in found], now=now):
        # Beside the list, so that a program that reads the list reads nothing else.
        say(need, error=True)
    return DONE


def _found(settings: Settings, limit: int) -> list[Listed]:
    """The tasks; looking for them makes no record."""
    if not os.path.isfile(settings.record_path):
        return []
    with Metier(settings=settings) as app:
        free_the_gone(app)
        return listed_tasks(app, limit=limit)
