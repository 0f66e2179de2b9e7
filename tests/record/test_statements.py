"""The texts that the driver is given, held to the tables."""

from typing import Any

import pytest
from sqlalchemy import BindParameter, bindparam, func, select, update
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql import ClauseElement

from metier.record import TaskRow, statements
from metier.record.read import EntryRow
from metier.record.tables import entry, standing, task, version

WHICH: BindParameter[Any] = bindparam("which")
ENDED: dict[str, BindParameter[Any]] = {name: bindparam(f"new_{name}") for name in ("ended", "state", "reason")}
BEGINNING = func.substr(task.c.id, bindparam("first"), bindparam("length")) == WHICH
ONCE = " ON CONFLICT (subject) DO NOTHING"

# Each with what SQLAlchemy writes in words of its own for each database, and both SQLite and Postgres understand.
COMPILED: dict[str, tuple[ClauseElement, str]] = {
    "FIND_VERSION": (select(version.c.version_num), ""),
    "MARK_VERSION": (version.insert(), ""),
    "ADD_TASK": (task.insert(), ""),
    "END_TASK": (update(task).where(task.c.id == WHICH).values(ENDED), ""),
    "HAS_TASK": (select(task.c.state).where(task.c.id == WHICH), ""),
    "FIND_TASK": (select(task).where(task.c.id == WHICH), ""),
    "NEWEST_TASKS": (select(task).order_by(task.c.started.desc(), task.c.id), " LIMIT ?"),
    "MATCH_TASKS": (select(task.c.id).where(BEGINNING).order_by(task.c.started.desc()), " LIMIT ?"),
    "ADD_ENTRY": (entry.insert(), ""),
    "NEXT_ENTRIES": (
        select(entry).where(entry.c.task == WHICH, entry.c.number > bindparam("after")).order_by(entry.c.number),
        " LIMIT ?",
    ),
    "OTHERS_TEXTS": (select(entry.c.facts, entry.c.body).where(entry.c.task != WHICH), ""),
    "ERASE_BODIES": (update(entry).where(entry.c.task == WHICH, entry.c.body.is_not(None)).values(body=None), ""),
    "ADD_YES": (standing.insert(), ONCE),
    "HAS_YES": (select(standing.c.subject).where(standing.c.subject == WHICH), ""),
}


@pytest.mark.parametrize("name", COMPILED)
def test_texts_are_what_the_tables_say(name: str) -> None:
    """A text is what SQLAlchemy makes of the tables for SQLite."""
    element, more = COMPILED[name]
    compiled = element.compile(dialect=sqlite.dialect())
    assert getattr(statements, name) == " ".join(f"{compiled}{more}".split())


def test_every_text_is_held() -> None:
    """No text is left out of the comparison."""
    assert {name for name in vars(statements) if name.isupper()} == set(COMPILED)


def test_rows_have_the_columns_order() -> None:
    """A row becomes a value by the places of its columns."""
    assert list(TaskRow.__slots__) == [column.name for column in task.columns]
    assert list(EntryRow._fields) == [column.name for column in entry.columns]
