"""`metier tasks`: the tasks of the record."""

from datetime import UTC, datetime

import click

from .as_json import print_json
from .clean import clean
from .opened import opened


@click.command("tasks")
@click.option("--limit", default=20, show_default=True, help="The most tasks to list, the newest first.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, limit: int, as_json: bool) -> int:
    """List the tasks of the record, the newest first."""
    with opened(ctx) as app:
        rows = app.tasks(limit=limit)
    if as_json:
        print_json(rows)
        return 0
    if not rows:
        click.echo("No tasks yet.")
    for row in rows:
        started = datetime.fromtimestamp(row.started / 1e9, UTC).strftime("%Y-%m-%d %H:%M")
        took = f"{(row.ended - row.started) / 1e9:8.1f} s" if row.ended else "         -"
        click.echo(f"{row.id}  {started}  {took}  {row.state:8} {row.reason:14} {clean(row.skill)}")
    return 0
