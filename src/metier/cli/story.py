"""What is there to tell of one task: its account, how it stands, and what it went through?"""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ..app.metier import Metier
from ..domain.money import Dollars
from ..domain.proposal import StoredProposal
from ..domain.receipt import Receipt
from ..errors import RecordError
from ..record import TaskRow
from .as_json import plain
from .exits import FAILED, OF_STATE
from .families import STEP, listed_below
from .history import History, history_of
from .listing import word_of
from .standing import Standing, standing_of


@dataclass(frozen=True, slots=True)
class Child:
    """A task below the one that is told of."""

    id: str
    label: str
    """What its id has more than its parent's, set in by its generation."""
    word: str
    """Its state; `cut` where its process died."""
    reason: str
    skill: str
    agent: str
    cost: Dollars
    """With its own children."""
    priced: bool
    """Whether the price of its model is known, or none was called."""


@dataclass(frozen=True, slots=True)
class Story:
    """All that the command line tells of a task."""

    receipt: Receipt
    state: str
    """As the list of tasks has it: a task whose answer has come is Ready, before anybody has gone on with it."""
    standing: Standing
    history: History
    waiting: tuple[StoredProposal, ...]
    """The proposals that wait, its children's among them."""
    late: int
    """How many entries came from processes that had lost the task."""
    children: tuple[Child, ...]
    """The tasks that it handed work to, each followed by its own."""
    spent: Dollars
    """What it cost so far with all its children."""

    @property
    def exit_code(self) -> int:
        """The number that a command exits with when it leaves the task so."""
        return OF_STATE.get(self.state, FAILED)

    @property
    def in_the_middle(self) -> int:
        """How many calls have begun and are still under way.

        Somebody works on them, they wait for an answer to a call inside, or they handed work on and go on at its end.
        """
        if self.standing.word == "Running":
            return sum(run == self.history.runs for run in self.history.begun.values())
        if self.state not in ("Waiting", "Ready"):
            return 0
        task = self.receipt.id
        inside = [one.proposal.call_id for one in self.waiting if one.proposal.task == task]
        handed = {child.id for child in self.children}
        return sum(
            f"{task}.{outer}" in handed or any(call.startswith(f"{outer}.") for call in inside)
            for outer in self.history.begun
        )

    def as_json(self) -> dict[str, object]:
        """The receipt as JSON data, with how the task stands beside it."""
        facts: dict[str, object] = plain(self.receipt)
        stands = {"word": self.standing.word, "told": self.standing.told, "goes_on": list(self.standing.goes_on)}
        waiting = [one.proposal.id for one in self.waiting]
        runs = {"runs": self.history.runs, "cut": self.history.cuts, "late": self.late}
        family = {"spent": str(self.spent), "below": [_as_json(child) for child in self.children]}
        return facts | {"state": self.state, "stands": stands, "proposals": waiting} | runs | family


def story_of(app: Metier, task: str) -> Story:
    """The story of a task, by its id, the beginning of it, or `last`.

    Raises:
        TaskMissing: there is no such task.
    """
    free_the_gone(app)
    receipt = app.receipt(task)
    found = receipt.id
    row = app.record.row(found)
    below = app.record.children(found)
    open_tasks = [found, *(child.id for child in below if child.ended is None)]
    waiting = tuple(one for name in open_tasks for one in app.record.proposals(task=name))
    history = history_of(app.record.entries(found))
    standing = standing_of(row, waiting, now=time.time_ns(), missing=history.missing)
    late, children = len(app.record.late(found)), tuple(_children(app, found, below))
    return Story(receipt, row.state, standing, history, waiting, late, children, app.record.spent(found))


def _children(app: Metier, task: str, rows: Sequence[TaskRow]) -> Iterator[Child]:
    now = time.time_ns()
    for one in listed_below(task, rows):
        row, cost, receipt = one.row, app.record.spent(one.row.id), app.record.receipt(one.row.id)
        priced = receipt.priced or not receipt.model_calls
        label = one.label.removeprefix(STEP)
        yield Child(row.id, label, word_of(row, now), row.reason, row.skill, row.agent, cost, priced)


def _as_json(child: Child) -> dict[str, object]:
    facts: dict[str, object] = plain(child)
    del facts["label"]
    return facts


def free_the_gone(app: Metier) -> None:
    """Let it be seen which tasks have no process any more. A record that may only be read tells it a little later."""
    with suppress(RecordError):
        app.record.ready(limit=1)
