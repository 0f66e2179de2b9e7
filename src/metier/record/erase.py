"""How are a task's contents taken out of the record?"""

import contextlib
import re

from ..errors import RecordError
from .connections import Connections
from .contents import Contents
from .read import entry_rows
from .statements import ERASE_BODIES, OTHERS_TEXTS
from .verify import row_contents

_DIGEST = re.compile(r"[0-9a-f]{64}")


def erase_task(connections: Connections, task: str, *, contents: Contents) -> int:
    """Set the bodies of a task to nothing and remove the contents that no other task names; answer how many bodies."""
    with connections.changing() as connection:
        connection.execute("PRAGMA secure_delete = ON").close()  # or the texts stay readable in the file
        named = {digest for row in entry_rows(connections, task) for digest in row_contents(row)}
        if named:
            for facts, body in connection.execute(OTHERS_TEXTS, (task,)):
                named.difference_update(_DIGEST.findall(facts), _DIGEST.findall(body or ""))
        count = connection.execute(ERASE_BODIES, (None, task)).rowcount
    for digest in named:
        if _DIGEST.fullmatch(digest):
            contents.remove(digest)
    # The log beside the file still holds the texts. When another program reads, its own close will move them.
    with contextlib.suppress(RecordError), connections.use() as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
    return count
