"""What happens when somebody answers a proposal, and what goes on then?"""

import time

from ..app.metier import Metier
from ..domain.proposal import Reply, StoredProposal
from .as_json import print_json
from .clean import clean, in_one_line
from .exits import DONE
from .families import family_of, root_of
from .presence import is_present
from .proposals import as_data, edits
from .say import say
from .standing import is_cut
from .story import free_the_gone

BY_OWNER = "The process that works on it goes on by itself."
BY_WORKER = "A worker goes on with it."
BY_NOBODY = "Nobody works on it just now. Go on with: metier resume {task}"
OTHERS = "It still asks other things: metier proposals {task}"


def answer(app: Metier, proposal: str, reply: Reply, *, as_json: bool) -> int:
    """Answer a proposal, and say who goes on with its task."""
    stored = app.answer(proposal, reply)
    task = root_of(app.record, stored.proposal.task)
    by_itself = who_goes_on(app, stored.proposal.task)
    if as_json:
        goes_on = {"goes_on_by_itself": by_itself != BY_NOBODY, "go_on": None if by_itself != BY_NOBODY else task}
        print_json({"proposal": as_data(stored), **goes_on})
        return DONE
    _print(stored)
    say(by_itself.format(task=clean(task)))
    if any(app.proposals(one) for one in family_of(app.record, task)):
        say(OTHERS.format(task=clean(task)))
    return DONE


def who_goes_on(app: Metier, task: str) -> str:
    """Who goes on with a task that was answered, as a sentence."""
    free_the_gone(app)
    for row in map(app.record.row, {task, root_of(app.record, task)}):
        if row.state == "Running" and not is_cut(row, time.time_ns()):
            return BY_OWNER
    return BY_WORKER if is_present(app.settings.record_path) else BY_NOBODY


def _print(stored: StoredProposal) -> None:
    reply = stored.reply
    by = "" if reply is None else f" by {in_one_line(reply.by)}"
    said = "Yes" if reply is None or reply.answer == "yes" else "No"
    say(f"{said}{by} to {clean(stored.proposal.id)}: {_about(stored)}.")
    for line in edits(stored):
        say(f"  {line}")


def _about(stored: StoredProposal) -> str:
    proposal, reply = stored.proposal, stored.reply
    yes = reply is not None and reply.answer == "yes"
    if proposal.help:
        return "the model is told what you wrote" if yes else "the job ends without help"
    if proposal.unknown:
        return "the call is made again" if yes else "the call is left as it is, and the model is told that nobody knows"
    return in_one_line(proposal.words).rstrip(".")
