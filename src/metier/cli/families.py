"""In which order are tasks listed, and what is a child called below its parent?"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ..app.metier import Metier
from ..errors import TaskMissing
from ..record import Record, TaskRow
from ..record.family import DOT, parent_in

STEP = "  "
"""What each generation is set in by."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A task in its place in a list."""

    row: TaskRow
    label: str
    """Its id; below its parent only what the parent's id lacks, set in."""
    parent: str
    """The task above it that it belongs to; empty for one that nobody handed on."""


def listed_tasks(app: Metier, *, limit: int) -> list[Listed]:
    """The newest tasks, each with its descendants below it; these do not count against the limit."""
    found = list[Listed]()
    for root in app.record.tasks(limit=limit, roots=True):
        found.append(Listed(root, root.id, ""))
        found.extend(listed_below(root.id, app.record.children(root.id)))
    return found


def root_of(record: Record, task: str) -> str:
    """The task that a task's family goes on with: it itself where nobody handed it on."""
    parts = task.split(DOT)
    for count in range(1, len(parts)):
        with suppress(TaskMissing):
            return record.row(DOT.join(parts[:count])).id
    return task


def family_of(record: Record, task: str) -> list[str]:
    """A task and all tasks below it, by their ids."""
    return [task, *(row.id for row in record.children(task))]


def listed_below(task: str, rows: Sequence[TaskRow]) -> Iterator[Listed]:
    """A task's descendants, each below its parent, the older ones first."""
    ids = {task, *(row.id for row in rows)}
    below = defaultdict[str, list[TaskRow]](list)
    for row in rows:
        below[parent_in(row.id, ids)].append(row)
    return _walk(task, below, STEP)


def _walk(parent: str, below: Mapping[str, Sequence[TaskRow]], indent: str) -> Iterator[Listed]:
    for row in below.get(parent, ()):
        yield Listed(row, f"{indent}{row.id.removeprefix(parent)}", parent)
        yield from _walk(row.id, below, indent + STEP)
