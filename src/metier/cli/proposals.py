"""`metier proposals`: what tasks ask, and what waits for an answer."""

import os
import time

import click

from ..app.metier import Metier
from ..config import load_settings
from ..domain.proposal import ProposalState, StoredProposal
from .as_json import plain, print_json
from .asked import told, wrapped
from .clean import clean, one_line
from .completion import tasks
from .exits import DONE
from .families import family_of
from .say import say

NONE = "Nothing waits for an answer."


@click.command("proposals")
@click.argument("task", metavar="TASK", required=False, shell_complete=tasks)
@click.option("--all", "every", is_flag=True, help="List those too that were answered or withdrawn.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=100, show_default=True, help="The most to list, the newest of them."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with everything that is known of each.")
@click.pass_context
def command(ctx: click.Context, task: str | None, every: bool, limit: int, as_json: bool) -> int:
    """List what tasks ask and what waits for an answer, the oldest first.

    TASK is a task's id, the beginning of it, or `last`: then those of the tasks that it handed work to are listed too.
    Without it, those of all tasks are.
    """
    settings = load_settings((ctx.obj or {}).get("project"))
    found, skills = list[StoredProposal](), dict[str, str]()
    if task is not None or os.path.isfile(settings.record_path):
        with Metier(settings=settings) as app:
            found = _found(app, task, every=every, limit=limit)
            skills = {one.proposal.task: app.record.row(one.proposal.task).skill for one in found}
    if as_json:
        print_json([as_data(one) for one in found])
    elif found:
        say("\n\n".join("\n".join(_lines(one, skills)) for one in found))
    else:
        say("Nothing has been asked." if every else NONE)
    return DONE


def as_data(one: StoredProposal) -> dict[str, object]:
    """A proposal as JSON data: what is asked, what became of it, and the answer."""
    facts: dict[str, object] = plain(one.proposal)
    return facts | {"state": one.state, "made": one.made, "reply": plain(one.reply), "answered": one.answered}


def edits(one: StoredProposal) -> list[str]:
    """How an answer changed the arguments: each of those that it changed, as it is now and as it was."""
    reply, asked = one.reply, one.proposal.arguments
    if reply is None or reply.arguments is None:
        return []
    names = [name for name in {**asked, **reply.arguments} if asked.get(name) != reply.arguments.get(name)]
    return [
        f"{one_line(name, 60)}: {_value(reply.arguments, name)}  (was: {_value(asked, name)})" for name in names
    ] or ["the arguments as they were"]


def age(made: int, *, now: int) -> str:
    """How long ago something was, in the largest unit that fits."""
    seconds = max(0, now - made) // 1_000_000_000
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return f"{seconds} s ago"


def _found(app: Metier, task: str | None, *, every: bool, limit: int) -> list[StoredProposal]:
    state: ProposalState | None = None if every else "Pending"
    if task is None:
        return app.record.proposals(state=state, limit=limit)
    whole = family_of(app.record, app.receipt(task).id)
    found = [one for name in whole for one in app.record.proposals(task=name, state=state, limit=limit)]
    return sorted(found, key=lambda one: one.made)[-limit:]


def _lines(one: StoredProposal, skills: dict[str, str]) -> list[str]:
    proposal = one.proposal
    skill = one_line(skills.get(proposal.task, ""), 60)
    lines = [f"{clean(proposal.id)}  {age(one.made, now=time.time_ns())}  {skill}"]
    lines += [part for line in told(proposal) for part in wrapped(line, indent="  ")]
    if one.state == "Pending":
        lines += [f"  {command}" for command in _commands(one)]
    else:
        lines += [part for line in _answer(one) for part in wrapped(line, indent="  ")]
    return lines


def _commands(one: StoredProposal) -> list[str]:
    proposal = clean(one.proposal.id)
    if one.proposal.help:
        return [f"metier approve {proposal} --reason TEXT", f"metier decline {proposal}"]
    wider = [f"metier approve {proposal} --subject   for all that is named above"] if one.proposal.subject else []
    return [f"metier approve {proposal}", *wider, f"metier decline {proposal}"]


def _answer(one: StoredProposal) -> list[str]:
    reply = one.reply
    if reply is None:
        return [f"{one.state}: its task ended or was stopped before an answer came."]
    reason = f": {one_line(reply.reason, 200)}" if reply.reason else ""
    return [f"{one.state}, {reply.answer} by {one_line(reply.by, 40)}{reason}", *(f"  {it}" for it in edits(one))]


def _value(arguments: object, name: str) -> str:
    held = arguments if isinstance(arguments, dict) else {}
    return one_line(str(held[name]), 100) if name in held else "nothing"
