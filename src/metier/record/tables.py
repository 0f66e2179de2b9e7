"""In which tables is the record kept?

The truth for `schema.py`, `statements.py` and the migrations. Only they and their tests need SQLAlchemy.
"""

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, String, Table, Text

metadata = MetaData()

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
    Index("task_started", "started"),
)
"""One row for a task, written at its begin and at its end. The entries are the truth; this is the list of them."""

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

version = Table("alembic_version", metadata, Column("version_num", String(32), primary_key=True))
"""The version of the tables, as alembic keeps it."""
