"""What is there to tell of one task: its account, how it stands, and what it went through?"""

import time
from contextlib import suppress
from dataclasses import dataclass

from ..app.metier import Metier
from ..domain.proposal import StoredProposal
from ..domain.receipt import Receipt
from ..errors import RecordError
from .as_json import plain
from .exits import FAILED, OF_STATE
from .history import History, history_of
from .standing import Standing, standing_of


@dataclass(frozen=True, slots=True)
class Story:
    """All that the command line tells of a task."""

    receipt: Receipt
    state: str
    """As the list of tasks has it: a task whose answer has come is Ready, before anybody has gone on with it."""
    standing: Standing
    history: History
    waiting: tuple[StoredProposal, ...]
    """The proposals that wait."""
    late: int
    """How many entries came from processes that had lost the task."""

    @property
    def exit_code(self) -> int:
        """The number that a command exits with when it leaves the task so."""
        return OF_STATE.get(self.state, FAILED)

    @property
    def in_the_middle(self) -> int:
        """How many calls have begun and are still under way: somebody works on them, or they wait for an answer to a call inside."""
        if self.standing.word == "Running":
            return sum(run == self.history.runs for run in self.history.begun.values())
        if self.state not in ("Waiting", "Ready"):
            return 0
        inside = [one.proposal.call_id for one in self.waiting]
        return sum(any(call.startswith(f"{outer}.") for call in inside) for outer in self.history.begun)

    def as_json(self) -> dict[str, object]:
        """The receipt as JSON data, with how the task stands beside it."""
        facts: dict[str, object] = plain(self.receipt)
        stands = {"word": self.standing.word, "told": self.standing.told, "goes_on": list(self.standing.goes_on)}
        waiting = [one.proposal.id for one in self.waiting]
        runs = {"runs": self.history.runs, "cut": self.history.cuts, "late": self.late}
        return facts | {"state": self.state, "stands": stands, "proposals": waiting} | runs


def story_of(app: Metier, task: str) -> Story:
    """The story of a task, by its id, the beginning of it, or `last`.

    Raises:
        TaskMissing: there is no such task.
    """
    free_the_gone(app)
    receipt = app.receipt(task)
    found = receipt.id
    row = app.record.row(found)
    waiting = tuple(app.proposals(found))
    history = history_of(app.record.entries(found))
    standing = standing_of(row, waiting, now=time.time_ns(), missing=history.missing)
    return Story(receipt, row.state, standing, history, waiting, len(app.record.late(found)))


def free_the_gone(app: Metier) -> None:
    """Let it be seen which tasks have no process any more. A record that may only be read tells it a little later."""
    with suppress(RecordError):
        app.record.ready(limit=1)
