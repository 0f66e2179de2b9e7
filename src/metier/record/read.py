"""How is the record read?"""

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from sqlalchemy import Row, func, select
from sqlalchemy.engine import RowMapping

from ..domain.entry import Entry
from ..errors import RecordBroken, TaskMissing
from .answers import TaskRow
from .connections import Connections
from .tables import entry, standing, task

_PAGE = 500
"""Entries that are read at once, so that a reader who stops halfway holds nothing."""

_NEAR = 1000
"""Tasks among which near ids are looked for."""

EntryRow = Row[tuple[str, int, str, int, str, str | None, str]]
"""One stored row: task, number, kind, at, facts, body, digest."""


def task_rows(connections: Connections, *, limit: int) -> list[TaskRow]:
    """The newest rows of the list of tasks."""
    query = select(task).order_by(task.c.started.desc(), task.c.id).limit(limit)
    with connections.use() as connection:
        return [_task_row(row) for row in connection.execute(query).mappings()]


def find_task_row(connections: Connections, task_id: str) -> TaskRow | None:
    """The row of one task."""
    with connections.use() as connection:
        row = connection.execute(select(task).where(task.c.id == task_id)).mappings().first()
    return None if row is None else _task_row(row)


def require_task(connections: Connections, task_id: str) -> TaskRow:
    """The row of one task. Raises TaskMissing, with the ids that are near."""
    row = find_task_row(connections, task_id)
    if row is None:
        raise _missing(connections, task_id)
    return row


def match_task(connections: Connections, prefix: str) -> str:
    """The id of the one task whose id begins so. Raises TaskMissing, with the ids that are near."""
    query = select(task.c.id).where(func.substr(task.c.id, 1, len(prefix)) == prefix).order_by(task.c.started.desc())
    with connections.use() as connection:
        found: Sequence[str] = connection.execute(query.limit(_NEAR)).scalars().all()
    if prefix in found or (prefix and len(found) == 1):
        return prefix if prefix in found else found[0]
    if prefix and found:
        raise TaskMissing(
            f"The ids of {len(found)} tasks begin with {prefix!r}.", hint=f"Write more of it: {', '.join(found[:5])}"
        )
    raise _missing(connections, prefix)


def entry_rows(connections: Connections, task_id: str) -> Iterator[EntryRow]:
    """The stored rows of a task's entries in the order of their numbers."""
    after = -(1 << 62)  # whatever number an altered row may have
    while True:
        query = select(entry).where(entry.c.task == task_id, entry.c.number > after).order_by(entry.c.number)
        with connections.use() as connection:
            rows = connection.execute(query.limit(_PAGE)).all()
        yield from rows
        if len(rows) < _PAGE:
            return
        after = rows[-1].number


def to_entry(row: EntryRow) -> Entry:
    """An entry from its row. Raises RecordBroken when its texts are no JSON."""
    try:
        facts: Mapping[str, Any] = json.loads(row.facts)
        body: Mapping[str, Any] | None = None if row.body is None else json.loads(row.body)
    except ValueError as error:
        raise RecordBroken(
            f"Entry {row.number} of task {row.task} is damaged.", hint=f"See what is left: metier verify {row.task}"
        ) from error
    return Entry(row.task, row.number, row.kind, row.at, facts, body, row.digest)


def has_yes(connections: Connections, subject: str) -> bool:
    """Whether a standing yes is stored."""
    with connections.use() as connection:
        query = select(standing.c.subject).where(standing.c.subject == subject)
        return connection.execute(query).first() is not None


def _task_row(row: RowMapping) -> TaskRow:
    return TaskRow(
        id=row["id"],
        skill=row["skill"],
        source=row["source"],
        giver=row["giver"],
        started=row["started"],
        ended=row["ended"],
        state=row["state"],
        reason=row["reason"],
    )


def _missing(connections: Connections, task_id: str) -> TaskMissing:
    ids = [row.id for row in task_rows(connections, limit=_NEAR)]
    near = get_close_matches(task_id, ids, n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else "Run `metier tasks` to see the tasks of this record."
    return TaskMissing(f"No task has the id {task_id!r}.", hint=hint)
