"""What did a task do, step by step?

with Metier(model=model) as app:
receipt = app.run("expense-report")
assert Trajectory.called(receipt, "run_skill_script")
"""

from collections.abc import Sequence
from typing import Any

from ..app.current import current_app
from ..app.requests import requests_of
from ..domain.call import Call
from ..domain.entry import Entry
from ..domain.message import Request
from ..domain.outcome import Outcome
from ..domain.receipt import Receipt
from .naming import name_of
from .tree import tree_of

Named = str | Receipt | Outcome[Any]
"""A task by its id, the beginning of it, `last`, its receipt, or its outcome."""


class Trajectory:
    """The record of a task of the current app, as a test asks for it (O114)."""

    @staticmethod
    def entries(task: Named) -> list[Entry]:
        """All entries, with whole bodies."""
        app = current_app()
        return list(app.record.entries(_id(task), whole=True))

    @classmethod
    def kinds(cls, task: Named) -> list[str]:
        """The kinds of the entries, in their order."""
        return [entry.kind for entry in cls.entries(task)]

    @classmethod
    def calls(cls, task: Named) -> list[Call]:
        """The calls that were carried out, in the order in which they began. A refused call is none (O46)."""
        return [
            Call(
                entry.facts["call"],
                entry.facts["action"],
                (entry.body or {}).get("arguments", {}),
                entry.facts["turn"],
                entry.facts["parent"],
            )
            for entry in cls.entries(task)
            if entry.kind == "ToolCalled"
        ]

    @classmethod
    def called(cls, task: Named, action: object) -> bool:
        """Whether an action was carried out: by its name, or whatever has it as `action` or `name`.

        Raises:
            TypeError: that names no action.
        """
        name = name_of(action)
        return any(entry.kind == "ToolCalled" and name in _names(entry) for entry in cls.entries(task))

    @classmethod
    def tree(cls, task: Named) -> str:
        """The task as lines of text, as a failed test shows it."""
        return tree_of(cls.entries(task))

    @staticmethod
    def requests(task: Named) -> Sequence[Request]:
        """What the model was sent, request by request."""
        return requests_of(current_app().record, _id(task))


def _id(task: Named) -> str:
    if isinstance(task, Outcome):
        return task.task
    return task.id if isinstance(task, Receipt) else current_app().record.find_task(_last(task))


def _last(task: str) -> str:
    newest = current_app().record.tasks(limit=1, roots=True) if task == "last" else []
    return newest[0].id if newest else task


def _names(entry: Entry) -> tuple[str, str]:
    return entry.facts["action"], entry.facts["target"]
