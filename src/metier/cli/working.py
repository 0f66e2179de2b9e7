"""How does a command go on with one task, shown as it happens, for whoever sits at the terminal?"""

from collections.abc import Callable

from ..app.metier import Metier
from ..domain.ports import Approver
from ..errors import TaskTaken
from ..gate.approvers import Yes
from .progress import Progress
from .story import Story, story_of
from .terminal import Terminal


class Working:
    """Goes on with tasks of the record.

    Args:
        app: the open app.
        progress: shows the work.
        terminal: who is asked, if somebody sits there.
        yes: whether every question is answered yes beforehand.
    """

    def __init__(self, app: Metier, progress: Progress, terminal: Terminal, *, yes: bool) -> None:
        self._app = app
        self._progress = progress
        self._approver = _approver(terminal, yes=yes)
        self.stopped = False
        """Whether the person broke off."""

    def go_on(self, task: str) -> Story:
        """Go on with a task until it ends or waits, and answer its story.

        Raises:
            MetierError: what `Metier.aresume` raises.
        """
        self._show(task)
        with self._progress:
            try:
                self._resume(task)
            except KeyboardInterrupt:
                self.stopped = True
        return story_of(self._app, task)

    def _show(self, task: str) -> None:
        row = self._app.record.row(task)
        self._progress.know(row.skill, row.id, self._app.record.entries(task))

    def _resume(self, task: str) -> None:
        """Resume it, and again where an answer came from elsewhere just as it began to wait."""
        hear: Callable[[str], None] | None = self._progress.hear if self._progress.draws else None
        self._app.resume(task, approver=self._approver, watch=self._progress.watch, hear=hear)
        while self._app.record.row(task).state == "Ready":
            try:
                self._app.resume(task, approver=self._approver, watch=self._progress.watch, hear=hear)
            except TaskTaken:
                return  # a worker was quicker


def _approver(terminal: Terminal, *, yes: bool) -> Approver | None:
    """Who answers; nobody is asked where nobody sits, and then proposals wait on the record."""
    if yes:
        return Yes("--yes")
    return terminal if Terminal.there() else None
