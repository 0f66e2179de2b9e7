"""How are a task's contents taken out of the record?"""

import contextlib
import re

from sqlalchemy import select, update

from ..errors import RecordError
from .connections import Connections
from .contents import Contents
from .read import entry_rows
from .tables import entry
from .verify import row_contents

_DIGEST = re.compile(r"[0-9a-f]{64}")


def erase_task(connections: Connections, task: str, *, contents: Contents) -> int:
    """Set the bodies of a task to nothing and remove the contents that no other task names; answer how many bodies."""
    with connections.changing() as connection:
        connection.exec_driver_sql("PRAGMA secure_delete = ON")  # or the texts stay readable in the file
        named = {digest for row in entry_rows(connections, task) for digest in row_contents(row)}
        if named:
            others = select(entry.c.facts, entry.c.body).where(entry.c.task != task)
            for row in connection.execute(others.execution_options(yield_per=500)):
                named.difference_update(_DIGEST.findall(row.facts), _DIGEST.findall(row.body or ""))
        gone = update(entry).where(entry.c.task == task, entry.c.body.is_not(None)).values(body=None)
        count = connection.execute(gone).rowcount
    for digest in named:
        if _DIGEST.fullmatch(digest):
            contents.remove(digest)
    # The log beside the file still holds the texts. When another program reads, its own close will move them.
    with contextlib.suppress(RecordError), connections.use() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return count
