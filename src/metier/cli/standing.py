"""How does a task stand just now, and what makes it go on?"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ..domain.proposal import StoredProposal
from ..record import TaskRow
from ..record.claim import AGENT, CHILD
from ..record.family import is_below
from ..record.lease import TAKEOVERS
from .clean import one_line


@dataclass(frozen=True, slots=True)
class Standing:
    """How a task stands, in a word and in a sentence, and the commands by which it goes on."""

    word: str
    """The task's state; `cut` where its process died."""
    told: str
    goes_on: tuple[str, ...] = ()


def standing_of(row: TaskRow, waiting: Sequence[StoredProposal], *, now: int, missing: str = "") -> Standing:
    """How a task stands.

    Args:
        row: its row.
        waiting: its proposals that wait, and its children's.
        now: nanoseconds since the epoch.
        missing: why the last attempt to go on came to nothing.
    """
    resume = f"metier resume {row.id}"
    if row.state == "Stopped":
        return Standing("Stopped", "the task was stopped", (resume,))
    if row.state == "Running":
        return _running(row, resume, now)
    if missing and row.state in ("Ready", "Waiting"):
        return Standing(row.state, "it could not go on; it waits for somebody who mends that", (resume,))
    if row.state == "Ready":
        come = "" if row.waits_for == "worker" else "what it waited for has come, and "
        return Standing("Ready", f"{come}nobody works on it yet", (resume,))
    if row.state == "Waiting":
        return _waiting(row, waiting, resume)
    return Standing(row.state, "")


def is_cut(row: TaskRow, now: int) -> bool:
    """Whether whoever worked on it is gone, without a word."""
    return row.state == "Running" and row.lease_until < now


def waits_for(row: TaskRow) -> str:
    """What a task waits for, in a few words; empty where it waits for nothing."""
    if row.state not in ("Waiting", "Ready"):
        return ""
    if row.waits_for.startswith(CHILD):
        child = row.waits_for.removeprefix(CHILD)
        own = is_below(child, row.id)
        return f"its child {one_line(child[len(row.id) + 1 :], 40)}" if own else f"the end of {one_line(child, 40)}"
    if row.waits_for.startswith(AGENT):
        return f"{one_line(row.waits_for.removeprefix(AGENT), 40)} to work again"
    words = {"person": "an answer", "mending": "mending", "worker": "a worker", "": "a worker"}
    return f"{_moment(row)}" if row.waits_for == "time" else words.get(row.waits_for, one_line(row.waits_for, 40))


def _running(row: TaskRow, resume: str, now: int) -> Standing:
    if not is_cut(row, now):
        stopping = f"; {one_line(row.stop, 40)} asked for it to be stopped" if row.stop else ""
        return Standing("Running", f"somebody works on it now{stopping}", (f"metier stop {row.id}",))
    if row.takeovers >= TAKEOVERS:
        told = f"it ended its process {row.takeovers + 1} times in a row; only a person may take it up again"
    else:
        told = "its process died; what had come out by then is kept"
    return Standing("cut", told, (resume,))


def _waiting(row: TaskRow, waiting: Sequence[StoredProposal], resume: str) -> Standing:
    told = f"it waits for {waits_for(row)}"
    if row.waits_for == "person":
        many = f"it waits for {len(waiting)} answers" if len(waiting) > 1 else told
        told = many if waiting else "it waits for a person"
    elif not row.waits_for.startswith(CHILD):
        return Standing("Waiting", told, (resume,))
    if not waiting:
        return Standing("Waiting", told, (resume,))
    first = waiting[0].proposal
    approve = f"metier approve {first.id}" + (" --reason TEXT" if first.help else "")
    return Standing("Waiting", told, (approve, f"metier decline {first.id}"))


def _moment(row: TaskRow) -> str:
    if row.wake_at is None:
        return "a moment"
    return datetime.fromtimestamp(row.wake_at / 1e9, UTC).strftime("%Y-%m-%d %H:%M UTC")
