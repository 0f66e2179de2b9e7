"""`metier tasks`: the tasks of the record."""

import os
from datetime import UTC, datetime

import click

from ..app.metier import Metier
from ..config import Settings, load_settings
from ..record import TaskRow
from .as_json import print_json
from .clean import clean
from .say import say


@click.command("tasks")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="The most tasks to list, the newest first.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, limit: int, as_json: bool) -> int:
    """List the tasks of the record, the newest first."""
    rows = _rows(load_settings((ctx.obj or {}).get("project")), limit)
    if as_json:
        print_json(rows)
        return 0
    if not rows:
        say("No tasks yet.")
    for row in rows:
        started = datetime.fromtimestamp(row.started / 1e9, UTC).strftime("%Y-%m-%d %H:%M")
        took = f"{(row.ended - row.started) / 1e9:8.1f} s" if row.ended else "         -"
        say(f"{row.id}  {started}  {took}  {row.state:8} {row.reason:14} {clean(row.skill)}")
    return 0


def _rows(settings: Settings, limit: int) -> list[TaskRow]:
    """The tasks; looking for them makes no record."""
    if not os.path.isfile(settings.record_path):
        return []
    with Metier(settings=settings) as app:
        return app.tasks(limit=limit)
