"""Who works on a task, what it waits for, the proposals that wait for an answer, and what came too late."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add to the tasks, and make the tables of proposals and late notes. A task that runs may be taken up by anybody."""
    for column in (
        sa.Column("token", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("owner", sa.Text, nullable=False, server_default=""),
        sa.Column("lease_until", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("stop", sa.Text, nullable=False, server_default=""),
        sa.Column("wake_at", sa.BigInteger),
        sa.Column("waits_for", sa.Text, nullable=False, server_default=""),
        sa.Column("takeovers", sa.Integer, nullable=False, server_default=sa.text("0")),
    ):
        op.add_column("task", column)
    for name, columns, rows in (
        ("task_open", ["state", "wake_at"], "ended IS NULL"),
        ("task_stopping", ["started"], "ended IS NULL AND stop != ''"),
        ("task_waits", ["waits_for"], "waits_for != ''"),
    ):
        op.create_index(name, "task", columns, sqlite_where=sa.text(rows), postgresql_where=sa.text(rows))
    _make_proposal()
    op.create_table(
        "late",
        sa.Column("task", sa.Text, primary_key=True),
        sa.Column("token", sa.Integer, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("body", sa.Text),
    )


def _make_proposal() -> None:
    op.create_table(
        "proposal",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("task", sa.Text, nullable=False),
        sa.Column("call", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("told", sa.Text, nullable=False),
        sa.Column("answered", sa.BigInteger),
        sa.Column("by", sa.Text, nullable=False, server_default=""),
        sa.Column("reason", sa.Text, nullable=False, server_default=""),
        sa.Column("covers", sa.Text, nullable=False, server_default=""),
        sa.Column("edited", sa.Text),
        sa.Column("seen", sa.Integer, nullable=False, server_default=sa.text("0")),
    )
    op.create_index("proposal_state", "proposal", ["state", "made"])
    op.create_index("proposal_task", "proposal", ["task"])


def downgrade() -> None:
    """There is no way back: a record is never taken apart."""
    raise NotImplementedError
