"""`metier stop`: stop a task, wherever it runs."""

import click

from ..app.metier import Metier
from .as_json import print_json
from .completion import tasks_to_stop
from .exits import DONE
from .opened import opened
from .say import say
from .story import Story, story_of

WAITS = "Asked. It ends at its next step."


@click.command("stop")
@click.argument("task", metavar="TASK", shell_complete=tasks_to_stop)
@click.option("--json", "as_json", is_flag=True, help="Print the receipt as JSON.")
@click.pass_context
def command(ctx: click.Context, task: str, as_json: bool) -> int:
    """Stop a task, wherever it runs. TASK is its id, the beginning of it, or `last`.

    What it has done stays done, whoever works on it ends its run, and it can be resumed.
    """
    with opened(ctx) as app:
        story = _stopped(app, app.receipt(task).id, quiet=as_json)
    if as_json:
        print_json(story.as_json())
    else:
        _print(story)
    return DONE


def _stopped(app: Metier, task: str, *, quiet: bool) -> Story:
    if not quiet and app.record.row(task).state == "Running":
        say(WAITS, error=True)
    app.stop(task)
    return story_of(app, task)


def _print(story: Story) -> None:
    receipt = story.receipt
    calls = receipt.calls
    if story.state != "Stopped":
        say(f"{receipt.id} had already come to its end: {story.state}. See it with: metier show {receipt.id}")
        return
    say(f"Stopped: {receipt.id}, after {receipt.model_calls} model calls and {calls.done} calls done. They stay done.")
    if calls.unknown:
        say(f"Of {calls.unknown} calls it is not known whether they took effect; that is asked should it go on.")
    say(f"Go on with: metier resume {receipt.id}")
