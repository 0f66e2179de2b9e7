"""How is the record read?"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from ..domain.entry import Entry, Kind
from ..domain.exact import read_json
from ..errors import RecordBroken, TaskMissing
from .answers import TaskRow
from .connections import Connections
from .family import descendants, tops
from .statements import (
    CHILDREN,
    FIND_TASK,
    HAS_YES,
    LATE_NOTES,
    MATCH_TASKS,
    MODEL_CALLS,
    MODEL_CALLS_OF,
    NEWEST_ROOTS,
    NEWEST_TASKS,
    NEXT_ENTRIES,
)
from .usage import CallEntry

_PAGE = 500
"""Entries that are read at once, so that a reader who stops halfway holds nothing."""

_NEAR = 1000
"""Tasks among which near ids are looked for."""


class EntryRow(NamedTuple):
    """One stored row, as it is, damaged or not."""

    task: str
    number: int
    kind: str
    at: int
    facts: str
    body: str | None
    digest: str


def task_rows(connections: Connections, *, limit: int, roots: bool = False) -> list[TaskRow]:
    """The newest rows of the list of tasks; with `roots`, of those that are nobody's children."""
    statement, values = (NEWEST_ROOTS, (1, limit)) if roots else (NEWEST_TASKS, (limit,))
    with connections.use() as connection:
        return [TaskRow(*row) for row in connection.execute(statement, values)]


def child_rows(connections: Connections, task_id: str) -> list[TaskRow]:
    """The rows of all descendants of a task, oldest first."""
    with connections.use() as connection:
        return [TaskRow(*row) for row in connection.execute(CHILDREN, descendants(task_id))]


def find_task_row(connections: Connections, task_id: str) -> TaskRow | None:
    """The row of one task."""
    with connections.use() as connection:
        row = connection.execute(FIND_TASK, (task_id,)).fetchone()
    return None if row is None else TaskRow(*row)


def require_task(connections: Connections, task_id: str) -> TaskRow:
    """The row of one task. Raises TaskMissing, with the ids that are near."""
    row = find_task_row(connections, task_id)
    if row is None:
        raise _missing(connections, task_id)
    return row


def match_task(connections: Connections, prefix: str) -> str:
    """The id of the one task whose id begins so. Raises TaskMissing, with the ids that are near."""
    with connections.use() as connection:
        found = [str(row[0]) for row in connection.execute(MATCH_TASKS, (1, len(prefix), prefix))]
    meant = one_task(prefix, found)
    if meant is None:
        raise _missing(connections, prefix)
    return meant


def one_task(prefix: str, found: Sequence[str]) -> str | None:
    """The one that is meant of the ids that begin so; none where there is none.

    A task and its descendants count as one, which is the task. Raises TaskMissing where several could be meant.
    """
    if prefix in found:
        return prefix
    meant = tops(found) if prefix else []
    if len(meant) > 1:
        raise TaskMissing(
            f"The ids of {len(meant)} tasks begin with {prefix!r}.", hint=f"Write more of it: {', '.join(meant[:5])}"
        )
    return meant[0] if meant else None


def entry_rows(connections: Connections, task_id: str) -> Iterator[EntryRow]:
    """The stored rows of a task's entries in the order of their numbers."""
    after = -(1 << 62)  # whatever number an altered row may have
    while True:
        with connections.use() as connection:
            rows = [EntryRow(*row) for row in connection.execute(NEXT_ENTRIES, (task_id, after, _PAGE))]
        yield from rows
        if len(rows) < _PAGE:
            return
        after = rows[-1].number


def late_rows(connections: Connections, task_id: str) -> list[EntryRow]:
    """What owners that had lost the task still noted, without digests."""
    with connections.use() as connection:
        return [EntryRow(*row) for row in connection.execute(LATE_NOTES, (task_id,))]


def to_entry(row: EntryRow) -> Entry:
    """An entry from its row. Raises RecordBroken when its texts are no JSON."""
    try:
        facts: Mapping[str, Any] = json.loads(row.facts)
        body: Mapping[str, Any] | None = None if row.body is None else read_json(row.body)
    except ValueError as error:
        raise RecordBroken(
            f"Entry {row.number} of task {row.task} is damaged.", hint=f"See what is left: metier verify {row.task}"
        ) from error
    return Entry(row.task, row.number, cast("Kind", row.kind), row.at, facts, body, row.digest)


def call_entries(connections: Connections, *, since: int) -> Iterator[CallEntry]:
    """The begins and ends of all model calls from a moment on."""
    with connections.use() as connection:
        rows = connection.execute(MODEL_CALLS, (since,)).fetchall()
    return map(_call_entry, rows)


def call_entries_of(connections: Connections, task_id: str) -> Iterator[CallEntry]:
    """The begins and ends of the model calls of a task and its descendants."""
    with connections.use() as connection:
        rows = connection.execute(MODEL_CALLS_OF, (task_id, *descendants(task_id))).fetchall()
    return map(_call_entry, rows)


def _call_entry(row: tuple[str, str, str, str, int, str]) -> CallEntry:
    task, skill, agent, kind, at, facts = row
    return CallEntry(task, skill, agent, kind, at, json.loads(facts))


def has_yes(connections: Connections, subject: str) -> bool:
    """Whether a standing yes is stored."""
    with connections.use() as connection:
        return connection.execute(HAS_YES, (subject,)).fetchone() is not None


def _missing(connections: Connections, task_id: str) -> TaskMissing:
    from difflib import get_close_matches  # noqa: PLC0415 - only an id that is missing needs it

    ids = [row.id for row in task_rows(connections, limit=_NEAR)]
    near = get_close_matches(task_id, ids, n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else "Run `metier tasks` to see the tasks of this record."
    return TaskMissing(f"No task has the id {task_id!r}.", hint=hint)
