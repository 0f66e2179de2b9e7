"""Where do a task's files lie while it is worked on, by whichever process?"""

import contextlib
import os
import re
from hashlib import sha256

from .faults import file_fault

_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")
"""An id that can be a folder's name as it stands."""


class TaskFolders:
    """A folder for each task that asks for one, its owner's alone, in a folder beside the record."""

    def __init__(self, root: str) -> None:
        self._root = root

    def make(self, task: str) -> str:
        """The task's folder, made at first use."""
        place = self._place(task)
        try:
            for folder in (self._root, place):
                with contextlib.suppress(FileExistsError):
                    os.mkdir(folder, 0o700)
        except OSError as error:
            raise file_fault(place, error) from error
        return place

    def remove(self, task: str) -> None:
        """Remove the task's folder with all that is in it, if it is there."""
        place = self._place(task)
        if os.path.lexists(place):
            remove_tree(place)

    def _place(self, task: str) -> str:
        name = task if _PLAIN.fullmatch(task) else sha256(task.encode("utf-8", "surrogateescape")).hexdigest()
        return os.path.join(self._root, name)


def remove_tree(place: str) -> None:
    """Remove a folder with all that is in it, also what scripts closed against writing."""
    import shutil  # noqa: PLC0415 - it loads the compressors, and only a task that had a folder needs it

    try:
        try:
            shutil.rmtree(place)
        except PermissionError:
            _open_all(place)
            shutil.rmtree(place)
    except OSError as error:
        raise file_fault(place, error) from error


def _open_all(place: str) -> None:
    os.chmod(place, 0o700)
    for folder, names, _ in os.walk(place):
        for path in (os.path.join(folder, name) for name in names):
            if not os.path.islink(path):
                os.chmod(path, 0o700)
