"""`metier resume`: go on with a task that waits, was stopped, or whose process died; or with all that can go on."""

from collections.abc import Iterator

import click

from ..actions.scripts.subreaper import become_subreaper
from ..app.metier import Metier
from ..errors import MetierError, TaskOver, TaskTaken
from .as_json import print_json
from .background import end_in_background
from .completion import tasks_to_resume
from .exits import DONE, STOPPED
from .opened import opened
from .progress import Progress
from .receipt_view import print_end
from .say import print_error, say
from .story import Story, story_of
from .terminal import Terminal
from .working import Working

NONE = "No task can go on just now."
WAITING = "Some wait for an answer: metier proposals"


@click.command("resume")
@click.argument("task", metavar="TASK", required=False, shell_complete=tasks_to_resume)
@click.option("--yes", is_flag=True, help="Answer yes to every question, but not for a call that may have been made.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: the receipt, or a list of them without TASK.")
@click.option("--background", metavar="FILE", hidden=True, help="Work without a terminal, with this file as output.")
@click.pass_context
def command(ctx: click.Context, task: str | None, yes: bool, as_json: bool, background: str | None) -> int:
    """Go on with a task that waits, was stopped, or whose process died, from its last known step.

    What came out is not done again, and no recorded answer is paid for again. TASK is its id, the beginning of it, or `last`.
    Without it, every task that can go on without an answer goes on, one after another.
    """
    progress = Progress(quiet=as_json or background is not None)
    terminal = Terminal(progress, keeps=True)
    become_subreaper()
    with opened(ctx, person=terminal if Terminal.there() else None) as app:
        working = Working(app, progress, terminal, yes=yes)
        if background is not None:
            return _quietly(working, str(task), background)
        if task is None:
            return _all(app, working, as_json=as_json)
        story = working.go_on(app.receipt(task).id)
        print_end(story, as_json=as_json)
    return story.exit_code


def _quietly(working: Working, task: str, log: str) -> int:
    try:
        return working.go_on(task).exit_code
    except (TaskTaken, TaskOver):
        return DONE  # a worker was quicker
    finally:
        end_in_background(log)


def _all(app: Metier, working: Working, *, as_json: bool) -> int:
    """Go on with all that can; answer the highest of their numbers."""
    code, told = DONE, list[object]()
    for task in _ready(app):
        try:
            story = _one(app, working, task)
        except TaskTaken:
            continue  # a worker was quicker
        except MetierError as error:
            print_error(error)
            code = max(code, error.exit_code)
            continue
        told.append(story.as_json())
        if not as_json:
            print_end(story, as_json=False)
        code = max(code, STOPPED if working.stopped else story.exit_code)
        if working.stopped:
            break
    _print_all(app, told, as_json=as_json, failed=code != DONE)
    return code


def _print_all(app: Metier, told: list[object], *, as_json: bool, failed: bool) -> None:
    """Print what is left to say: all as one JSON document, or that there was none."""
    if as_json:
        print_json(told)
    elif not told and not failed:
        say(f"{NONE} {WAITING}" if app.proposals() else NONE)


def _one(app: Metier, working: Working, task: str) -> Story:
    if app.record.row(task).stop:
        # Somebody asked for its end, and nobody has written that end yet.
        app.stop(task)
        return story_of(app, task)
    return working.go_on(task)


def _ready(app: Metier) -> Iterator[str]:
    """Each task that can go on without anybody, oldest first, and those that come to it meanwhile."""
    seen: set[str] = set()
    while found := [task for task in app.record.ready(limit=len(seen) + 100) if task not in seen]:
        for task in found:
            seen.add(task)
            yield task
