"""`metier replay`: would a task's model be sent the same today?"""

import click

from .as_json import print_json
from .clean import clean
from .completion import tasks
from .exits import DIFFERS, DONE
from .opened import opened
from .say import say


@click.command("replay")
@click.argument("task", metavar="TASK", shell_complete=tasks)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, task: str, as_json: bool) -> int:
    """Make every request of a task anew, by today's code and today's files, and show the first word that differs.

    TASK is a task's id, the beginning of it, or `last`. Nothing is asked and nothing is done; the answers are those on the record.
    """
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
