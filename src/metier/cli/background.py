"""How does a task begin in the background, when nobody sits at a terminal with it?"""

import os
import sys
from collections.abc import Sequence

from ..errors import SetupError

READ = os.O_RDONLY
WRITE = os.O_WRONLY | os.O_CREAT | os.O_APPEND


def begin_in_background(task: str, *, options: Sequence[str], record_path: str) -> str:
    """Start a process of its own that goes on with a task, and answer the file that its trouble would be in.

    It outlives this process and its terminal. What it must ask waits on the record.

    Args:
        task: the task's whole id.
        options: what `metier resume` is told beside it; those of the program itself come before `resume`.
        record_path: the record's file; the log lies beside it, where the tasks' own folders lie.

    Raises:
        SetupError: no process can be started; the task is on the record and can be resumed.
    """
    folder = f"{record_path}.tasks"
    log = os.path.join(folder, f"{task}.log")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        # -P: a folder `metier` in the working folder must not be taken for this program.
        command = [sys.executable, "-P", "-m", "metier", *options, task, "--background", log]
        files = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, READ, 0),
            (os.POSIX_SPAWN_OPEN, 1, log, WRITE, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ]
        os.posix_spawn(sys.executable, command, os.environ, file_actions=files, setsid=True)
    except OSError as error:
        raise SetupError(
            f"No process can be started for the task {task}: {error.strerror}.",
            hint=f"The task is on the record. Begin it with: metier resume {task}",
        ) from error
    return log


def end_in_background(log: str) -> None:
    """Take the log away if there is nothing in it."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    if os.path.isfile(log) and os.path.getsize(log) == 0:
        os.unlink(log)
