"""`metier replay`: would a task's model be sent the same today?"""

from collections.abc import Mapping
from typing import Any

import click

from ..app.metier import Metier
from ..domain.entry import Entry
from ..domain.ports import Approver
from ..gate.approvers import Yes
from .as_json import print_json
from .clean import clean
from .completion import tasks
from .exits import DIFFERS, DONE, STOPPED
from .opened import opened
from .progress import Progress
from .receipt_view import print_end
from .say import say
from .story import story_of
from .terminal import Terminal


@click.command("replay")
@click.argument("task", metavar="TASK", shell_complete=tasks)
@click.option(
    "--from", "step", type=click.IntRange(min=1), metavar="N", help="Go on from the task's Nth model call, really."
)
@click.option("--model", metavar="NAME", help="With --from: the model that goes on; the task's own if left out.")
@click.option("--yes", is_flag=True, help="With --from: answer yes to every question.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, /, **how: Any) -> int:
    """Make every request of a task anew, by today's code and today's files, and show the first word that differs.

    TASK is a task's id, the beginning of it, or `last`. Nothing is asked and nothing is done; the answers are those on the record.

    With --from a new task goes on from that step, with another model if one is named: what came before is taken from the
    record, and what follows is done, through the gate.
    """
    task, as_json = how["task"], how["as_json"]
    if how["step"] is not None:
        return _go_on(ctx, how)
    if how["model"] or how["yes"]:
        raise click.UsageError("--model and --yes are for --from N.")
    with opened(ctx) as app:
        found = app.replay(task)
    if as_json:
        print_json(found)
    elif found.difference is None:
        say(f"{found.requests} requests are made as they were.")
    else:
        one = found.difference
        say(f"Request {one.step} of {found.requests} differs in {one.place}:")
        say(f"  then: {clean(one.before)}")
        say(f"  now:  {clean(one.now)}")
    return DONE if found.difference is None else DIFFERS


def _go_on(ctx: click.Context, how: Mapping[str, Any]) -> int:
    progress = Progress(quiet=how["as_json"])
    terminal = Terminal(progress)
    there = terminal if Terminal.there() else None
    with opened(ctx, flags={"model": how["model"]}, person=there, yes=how["yes"]) as app:
        with progress:
            task = _done(app, progress, how, Yes("--yes") if how["yes"] else there)
        if not task:
            return STOPPED
        story = story_of(app, task)
        print_end(story, as_json=how["as_json"])
    return story.exit_code


def _done(app: Metier, progress: Progress, how: Mapping[str, Any], approver: Approver | None) -> str:
    """The new task's id, once it has ended or waits, or was stopped here; empty where it was stopped before it began."""
    seen: list[str] = []

    def watch(entry: Entry) -> None:
        if not seen:
            seen.append(entry.task)
            # What came before is known to it, and not shown again.
            progress.know(app.record.row(entry.task).skill, entry.task, app.record.entries(entry.task))
        progress.watch(entry)

    hear = progress.hear if progress.draws else None
    try:
        model = how["model"] or ""
        receipt = app.replay_from(how["task"], how["step"], model=model, approver=approver, watch=watch, hear=hear)
    except KeyboardInterrupt:
        return seen[0] if seen else ""
    return receipt.id
