"""How are a task's contents taken out of the record?"""

import contextlib
import re

from ..errors import RecordError
from .connections import Connections
from .contents import Contents
from .read import entry_rows, late_rows, require_task
from .statements import ERASE_BODIES, ERASE_LATE, ERASE_PROPOSALS, OTHERS_LATE, OTHERS_TEXTS
from .verify import row_contents

_DIGEST = re.compile(r"[0-9a-f]{64}")


def erase_task(connections: Connections, task: str, *, contents: Contents) -> int:
    """Set the bodies of a task to nothing and remove the contents that no other task names; answer how many bodies.

    What its proposals and late notes tell goes too. Raises TaskMissing, and RecordError for a task that has not ended.
    """
    with connections.changing() as connection:
        if require_task(connections, task).ended is None:
            raise RecordError(f"The task {task!r} has not ended.", hint="Wait for its end, or stop it.")
        connection.execute("PRAGMA secure_delete = ON").close()  # or the texts stay readable in the file
        rows = (*entry_rows(connections, task), *late_rows(connections, task))
        named = {digest for row in rows for digest in row_contents(row)}
        if named:
            for others in (OTHERS_TEXTS, OTHERS_LATE):
                for facts, body in connection.execute(others, (task,)):
                    named.difference_update(_DIGEST.findall(facts), _DIGEST.findall(body or ""))
        count = connection.execute(ERASE_BODIES, (None, task)).rowcount
        connection.execute(ERASE_LATE, (task,))
        connection.execute(ERASE_PROPOSALS, (task,))
    for digest in named:
        if _DIGEST.fullmatch(digest):
            contents.remove(digest)
    # The log beside the file still holds the texts. When another program reads, its own close will move them.
    with contextlib.suppress(RecordError), connections.use() as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
    return count
