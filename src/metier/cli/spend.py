"""`metier spend`: what the models of this record cost."""

import os
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import click

from ..app.metier import Metier
from ..config import Settings, load_settings
from ..record import ModelUse
from .as_json import print_json
from .clean import clean
from .say import say

BY = ("day", "agent", "skill", "model")
DAY = 86_400 * 1_000_000_000
"""Nanoseconds."""
ALL = "all"
NOBODY = "-"
"""Stands where no agent was at work."""


@click.command("spend")
@click.option(
    "--days", type=click.IntRange(min=1), default=30, show_default=True, help="So many days back, today among them."
)
@click.option(
    "--by",
    type=click.Choice(BY),
    multiple=True,
    help="Sum up by this, instead of by day, agent, skill and model. May be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, days: int, by: tuple[str, ...], as_json: bool) -> int:
    """Tell what models were used for and what that cost, by day, agent, skill and model. Days are in UTC.

    A call that was cut counts at what was reserved for it. A model without a known price counts nothing.
    """
    uses = _uses(load_settings((ctx.obj or {}).get("project")), days)
    names = by or _names(uses)
    uses = _summed(uses, names)
    if as_json:
        print_json(uses)
    elif not uses:
        say(f"No model was called in the last {days} days.")
    else:
        _print(uses, names)
    return 0


def _names(uses: Sequence[ModelUse]) -> tuple[str, ...]:
    """What is told apart where nobody says it: agents only where there are any."""
    return BY if any(use.agent for use in uses) else tuple(name for name in BY if name != "agent")


def _print(uses: Sequence[ModelUse], by: Sequence[str]) -> None:
    rows = [[getattr(use, name) or NOBODY for name in by] for use in uses]
    rows.append(["total", *[""] * (len(by) - 1)])
    widths = [max(len(clean(row[place])) for row in rows) for place in range(len(by))]
    for row, use in zip(rows, [*uses, _sum(uses)], strict=True):
        names = "  ".join(f"{clean(name):{width}}" for name, width in zip(row, widths, strict=True))
        usage = use.usage
        say(f"{names}  {use.calls:6,} calls  {usage.sent:12,} in  {usage.output:10,} out  ${use.cost:12.4f}")


def _uses(settings: Settings, days: int) -> list[ModelUse]:
    """What was used; looking for it makes no record."""
    if not os.path.isfile(settings.record_path):
        return []
    since = (time.time_ns() // DAY - days + 1) * DAY
    with Metier(settings=settings) as app:
        return app.record.usage(since=since)


def _summed(uses: Sequence[ModelUse], by: Sequence[str]) -> list[ModelUse]:
    found: dict[tuple[str, ...], list[ModelUse]] = defaultdict(list)
    for use in uses:
        day, agent, skill, model = (getattr(use, name) if name in by else ALL for name in BY)
        one = replace(use, day=day, agent=agent, skill=skill, model=model)
        found[tuple(getattr(one, name) for name in BY)].append(one)
    return [_sum(found[key]) for key in sorted(found)]


def _sum(uses: Sequence[ModelUse]) -> ModelUse:
    total = uses[0]
    for use in uses[1:]:
        total = total + use
    return total
