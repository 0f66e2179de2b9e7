"""How does a record of an older version get the newest tables?"""

import os
import threading

from alembic.command import upgrade
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import create_engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from ..errors import RecordError
from .connections import Connections
from .faults import database_fault

_ONE_AT_A_TIME = threading.Lock()
"""Alembic keeps what it works on in module globals: two threads at once would write into each other's file."""
_MIGRATIONS = os.path.join(os.path.dirname(__file__), "migrations")


def migrate(connections: Connections) -> None:
    """Run the migrations that the file has not seen, in one transaction that holds the write lock.

    Raises RecordError when that cannot be done; then the file is as it was.
    """
    config = Config()
    config.set_main_option("script_location", _MIGRATIONS.replace("%", "%%"))
    # SQLAlchemy prepares its first connection with a rollback, so the transaction begins after that.
    engine = create_engine("sqlite://", creator=connections.open, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            config.attributes["connection"] = connection
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # undone when the connection is closed without a commit
            with _ONE_AT_A_TIME:
                upgrade(config, "head")
            connection.exec_driver_sql("COMMIT")
    except SQLAlchemyError as error:
        raise database_fault(connections.path, error) from error
    except CommandError as error:
        raise RecordError(
            f"The record {connections.path!r} cannot be brought to the newest tables ({error}).",
            hint="Update with: pip install --upgrade metier",
        ) from error
