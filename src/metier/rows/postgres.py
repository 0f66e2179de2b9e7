"""How is a PostgreSQL connection held to reading?

The server refuses writes in a transaction that only reads. What such a transaction cannot hold, its own end and the next
one's beginning, is judged by `statement.py` before it is sent.
"""

from typing import Any

from sqlalchemy import Dialect
from sqlalchemy.dialects.postgresql.base import PGDialect


def hold(dialect: Dialect, driver: Any, *, own: bool) -> None:
    """Let every transaction of a connection read only: those that the driver begins, and those of a single statement."""
    if not own:
        # In AUTOCOMMIT the driver begins none; then the session's own default holds. The unit's own has one already.
        _run(driver, "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
    _set(dialect, driver, read_only=True)


def let_go(dialect: Dialect, driver: Any, *, own: bool) -> None:
    """Give a connection back as it was."""
    _set(dialect, driver, read_only=False)
    if not own:
        _run(driver, "RESET default_transaction_read_only")


def _run(driver: Any, statement: str) -> None:
    cursor = driver.cursor()
    cursor.execute(statement)
    cursor.close()
    driver.commit()


def _set(dialect: Dialect, driver: Any, *, read_only: bool) -> None:
    if isinstance(dialect, PGDialect):
        dialect.set_readonly(driver, read_only)  # type: ignore[no-untyped-call]  # SQLAlchemy gives it no types
