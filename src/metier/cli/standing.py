"""How does a task stand just now, and what makes it go on?"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ..domain.proposal import StoredProposal
from ..record import TaskRow
from ..record.lease import TAKEOVERS
from .clean import one_line

CHILD = "child:"


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
        waiting: its proposals that wait.
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
        told = "nobody works on it yet" if row.waits_for == "worker" else "it was answered, and nobody works on it yet"
        return Standing("Ready", told, (resume,))
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
        return f"the end of {one_line(row.waits_for.removeprefix(CHILD), 40)}"
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
    if row.waits_for != "person":
        return Standing("Waiting", f"it waits for {waits_for(row)}", (resume,))
    if not waiting:
        return Standing("Waiting", "it waits for a person", (resume,))
    what = "an answer" if len(waiting) == 1 else f"{len(waiting)} answers"
    first = waiting[0].proposal
    approve = f"metier approve {first.id}" + (" --reason TEXT" if first.help else "")
    return Standing("Waiting", f"it waits for {what}", (approve, f"metier decline {first.id}"))


def _moment(row: TaskRow) -> str:
    if row.wake_at is None:
        return "a moment"
    return datetime.fromtimestamp(row.wake_at / 1e9, UTC).strftime("%Y-%m-%d %H:%M UTC")
