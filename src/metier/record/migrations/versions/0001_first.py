"""The first tables: tasks, entries that only ever grow, and standing answers."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# Postgres gets triggers of its own when it is supported.
_SQLITE = (
    """
    CREATE TRIGGER entry_is_never_deleted BEFORE DELETE ON entry
    BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END
    """,
    """
    CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry
    WHEN NEW.body IS NOT NULL OR NEW.task IS NOT OLD.task OR NEW.number IS NOT OLD.number OR NEW.kind IS NOT OLD.kind
      OR NEW.at IS NOT OLD.at OR NEW.facts IS NOT OLD.facts OR NEW.digest IS NOT OLD.digest
    BEGIN SELECT RAISE(ABORT, 'entries are never changed; only a body may be erased'); END
    """,
    """
    CREATE TRIGGER entry_is_never_replaced BEFORE INSERT ON entry
    WHEN EXISTS (SELECT 1 FROM entry WHERE task = NEW.task AND number = NEW.number)
    BEGIN SELECT RAISE(ABORT, 'entries are never replaced'); END
    """,
)


def upgrade() -> None:
    """Make the tables and, on SQLite, the triggers that hold the entries."""
    op.create_table(
        "task",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("skill", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("giver", sa.Text, nullable=False),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
    )
    op.create_index("task_started", "task", ["started"])
    op.create_table(
        "entry",
        sa.Column("task", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("body", sa.Text),
        sa.Column("digest", sa.Text, nullable=False),
    )
    op.create_table(
        "yes",
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("task", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
    )
    if op.get_bind().dialect.name == "sqlite":
        for trigger in _SQLITE:
            op.execute(trigger)


def downgrade() -> None:
    """There is no way back: a record is never taken apart."""
    raise NotImplementedError
