"""In which order are tasks listed, and what is a child called below its parent?"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..app.metier import Metier
from ..record import TaskRow
from ..record.family import parent_in

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
