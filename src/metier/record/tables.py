"""In which tables is the record kept?

The truth for `schema.py`, `statements.py` and the migrations. Only they and their tests need SQLAlchemy.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    literal_column,
    text,
)

metadata = MetaData()

NOTHING: ColumnElement[str] = literal_column("''")
"""An empty text as it stands in a statement: a place would keep SQLite from seeing that a partial index fits."""


def partial(name: str, *columns: Column[Any], rows: ColumnElement[bool]) -> Index:
    """An index of some rows only, in each database."""
    return Index(name, *columns, sqlite_where=rows, postgresql_where=rows)


task = Table(
    "task",
    metadata,
    Column("id", Text, primary_key=True),
    Column("skill", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("giver", Text, nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("ended", BigInteger),
    Column("state", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("token", Integer, nullable=False, server_default=text("0")),
    Column("owner", Text, nullable=False, server_default=""),
    Column("lease_until", BigInteger, nullable=False, server_default=text("0")),
    Column("stop", Text, nullable=False, server_default=""),
    Column("wake_at", BigInteger),
    Column("waits_for", Text, nullable=False, server_default=""),
    Column("takeovers", Integer, nullable=False, server_default=text("0")),
    Column("agent", Text, nullable=False, server_default=""),
    Index("task_started", "started"),
)
"""One row for a task: the list of tasks, and the queue of those that wait for a worker. The entries are the truth.

`token` counts the owners: who writes under an older one is refused. `lease_until` is the moment until which the owner's
word holds, in nanoseconds since the epoch. `stop` names who asked for a stop. `waits_for` is `person`, `time`, `worker`,
`child:` with a task's id or `agent:` with an agent's name. A child's id is its parent's, a dot, and the call that made it. `takeovers` counts the owners in a row that did not come to a wait or an end.
"""

partial("task_open", task.c.state, task.c.wake_at, rows=task.c.ended.is_(None))
partial("task_stopping", task.c.started, rows=task.c.ended.is_(None) & (task.c.stop != NOTHING))
partial("task_waits", task.c.waits_for, rows=task.c.waits_for != NOTHING)

entry = Table(
    "entry",
    metadata,
    Column("task", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("facts", Text, nullable=False),
    Column("body", Text),
    Column("digest", Text, nullable=False),
)
"""The entries. `facts` and `body` are JSON texts. Only a body may ever change, to nothing."""

standing = Table(
    "yes",
    metadata,
    Column("subject", Text, primary_key=True),
    Column("task", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("by", Text, nullable=False),
)
"""The answers that are kept for like calls of later tasks."""

proposal = Table(
    "proposal",
    metadata,
    Column("id", Text, primary_key=True),
    Column("task", Text, nullable=False),
    Column("call", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("told", Text, nullable=False),
    Column("answered", BigInteger),
    Column("by", Text, nullable=False, server_default=""),
    Column("reason", Text, nullable=False, server_default=""),
    Column("covers", Text, nullable=False, server_default=""),
    Column("edited", Text),
    Column("seen", Integer, nullable=False, server_default=text("0")),
    Index("proposal_state", "state", "made"),
    Index("proposal_task", "task"),
)
"""What persons are asked. `told` is the rest of the proposal as JSON, `edited` are the arguments as the answer changed them.

`seen` says that the task's owner read the answer: until then the task must not begin to wait for it.
"""

late = Table(
    "late",
    metadata,
    Column("task", Text, primary_key=True),
    Column("token", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("facts", Text, nullable=False),
    Column("body", Text),
)
"""What a process noted after it had lost the task, as it numbered it. Evidence for a person; no part of the chain."""

seat = Table(
    "seat",
    metadata,
    Column("agent", Text, primary_key=True),
    Column("sponsor", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)
"""Who answers for an agent, and whether it works, is paused or stopped."""

version = Table("alembic_version", metadata, Column("version_num", String(32), primary_key=True))
"""The version of the tables, as alembic keeps it."""
