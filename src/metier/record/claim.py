"""Who may take a task up, and which tasks wait for somebody?"""

import time
from dataclasses import dataclass

from ..domain.task import Waits, can_go_on
from ..errors import RecordError, TaskOver
from .answers import TaskRow
from .connections import Connections
from .fence import Row
from .lease import TAKEOVERS
from .owner import is_gone
from .read import require_task
from .statements import (
    ASK_STOP,
    END_TASK,
    FREE_OWNER,
    OWNERS,
    PAUSE_TASK,
    READY,
    TAKE_UP,
    TAKEN_AS,
    WAKE_ANSWERED,
    WAKE_FOR,
    WAKE_WITHOUT_CHILD,
    WAKE_WORKING,
    WITHDRAW,
)

CHILD = "child:"
"""What `waits_for` begins with where another task's end is waited for; its id follows."""

AGENT = "agent:"
"""What `waits_for` begins with where an agent must work again first; its name follows."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A task that was taken up: its token, until when, and who had asked for a stop."""

    token: int
    until: int
    stop: str


def free_the_gone(connections: Connections) -> None:
    """Let the leases of owners run out whose processes have surely ended, so that nobody waits for them."""
    with connections.use() as connection:
        owners = [str(row[0]) for row in connection.execute(OWNERS, (time.time_ns(),))]
        for owner in filter(is_gone, owners):
            connection.execute(FREE_OWNER, (owner,))


def claim_task(connections: Connections, task: str, *, owner: str, length: int, stopped: bool) -> Claim | None:
    """Take a task up by one conditional write; none when another owner holds it.

    Raises TaskMissing, and TaskOver for a task that has ended.
    """
    free_the_gone(connections)
    with connections.changing() as connection:
        now = time.time_ns()
        values = (owner, now + length, int(stopped), task, now, int(stopped))
        if connection.execute(TAKE_UP, values).rowcount:
            token, stop = connection.execute(TAKEN_AS, (task,)).fetchone()
            return Claim(token, now + length, stop)
    refuse_ended(require_task(connections, task))
    return None


def ready_tasks(connections: Connections, *, limit: int) -> list[str]:
    """The ids of the tasks that a worker may take up, oldest first."""
    free_the_gone(connections)
    now = time.time_ns()
    with connections.use() as connection:
        return [str(row[0]) for row in connection.execute(READY, (now, now, TAKEOVERS, now, limit))]


def ask_stop(connections: Connections, task: str, *, by: str) -> TaskRow:
    """Write down who asks for a stop, unless somebody did before. Raises TaskOver for a task that has ended."""
    with connections.changing() as connection:
        connection.execute(ASK_STOP, (by, task))
    row = require_task(connections, task)
    refuse_ended(row)
    return row


def end_changes(task: str, token: int, *, at: int, state: str, reason: str) -> list[tuple[str, Row]]:
    """What is written when a task ends: its proposals are withdrawn, and who waits for it is woken."""
    return [
        (END_TASK, (at, state, reason, task, token)),
        (WITHDRAW, (task,)),
        (WAKE_FOR, (f"{CHILD}{task}",)),
    ]


def pause_changes(task: str, token: int, waits: Waits) -> list[tuple[str, Row]]:
    """What is written when a task begins to wait. What it waits for may have come already: then it is Ready at once."""
    waits_for = check_waits(task, waits)
    if waits.on == "worker":
        return [(PAUSE_TASK, ("Ready", None, waits_for, task, token))]
    pause = (PAUSE_TASK, ("Waiting", waits.until, waits_for, task, token))
    if waits.on == "child":
        return [pause, (WAKE_WITHOUT_CHILD, (task, token, waits.child))]
    if waits.on == "agent":
        return [pause, (WAKE_WORKING, (task, token, waits.agent))]
    return [pause, (WAKE_ANSWERED, (task, token, task))] if waits.on == "person" else [pause]


def check_waits(task: str, waits: Waits) -> str:
    """What a task waits for, in the list's words. Raises RecordError where nothing could ever wake it."""
    if waits.on == "child" and not waits.child:
        raise RecordError(f"The task {task!r} waits for a child that is not named.", hint="Name the child's id.")
    if waits.on == "time" and waits.until is None:
        raise RecordError(f"The task {task!r} waits for a moment that is not told.", hint="Tell it by `until`.")
    if waits.on == "agent":
        if not waits.agent:
            raise RecordError(f"The task {task!r} waits for an agent that is not named.", hint="Name the agent.")
        return f"{AGENT}{waits.agent}"
    return f"{CHILD}{waits.child}" if waits.on == "child" else waits.on


def refuse_ended(row: TaskRow) -> None:
    """Raise TaskOver for a task that has ended."""
    if row.ended is not None:
        hint = (
            f"Take it up again with: metier resume {row.id}"
            if can_go_on(row.state, row.reason)
            else f"metier show {row.id}"
        )
        raise TaskOver(f"The task {row.id} has ended: {row.state} ({row.reason}).", hint=hint)
