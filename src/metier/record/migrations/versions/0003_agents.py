"""Which agent a task was given to, and who answers for each agent."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the agent to the tasks, and make the table of seats. What was given before is no agent's work."""
    op.add_column("task", sa.Column("agent", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "seat",
        sa.Column("agent", sa.Text, primary_key=True),
        sa.Column("sponsor", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """There is no way back: a record is never taken apart."""
    raise NotImplementedError
