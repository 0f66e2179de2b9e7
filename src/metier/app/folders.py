"""Where do a task's files lie while it is worked on?"""

import os
from collections.abc import Callable


class Folders:
    """A task's folders: what it was given, kept apart, and the scratch folder that scripts work in.

    Args:
        place: makes the task's folder, at the first use: most tasks without files and scripts need none.
        known: whether an earlier run of the task may have made it.
    """

    def __init__(self, place: Callable[[], str], *, known: bool = False) -> None:
        self._place = place
        self._root = ""
        self.used = known
        """Whether there may be anything to remove."""

    @property
    def root(self) -> str:
        """The task's own folder."""
        if not self._root:
            self._root, self.used = self._place(), True
        return self._root

    @property
    def given(self) -> str:
        """Where the copies of the given files are kept."""
        return self._folder("given")

    @property
    def scratch(self) -> str:
        """Where scripts run."""
        return self._folder("scratch")

    def _folder(self, name: str) -> str:
        path = os.path.join(self.root, name)
        os.makedirs(path, mode=0o700, exist_ok=True)
        return path
