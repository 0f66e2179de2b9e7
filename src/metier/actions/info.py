"""What is told of an action to people, catalogues and skills that list it?"""

from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol

from ..domain.action import Action, Effect
from ..domain.compact import compact
from ..errors import ActionError
from .declared import Declared
from .function import action_of, declared_of
from .rows import Rows

READS: frozenset[Effect] = frozenset({"reads"})


class Tool(Protocol):
    """What a job can list: an action of the app, or whatever else can be made one (O6)."""

    @property
    def action(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def parameters_schema(self) -> str: ...
    @property
    def reads_only(self) -> bool: ...
    @property
    def changes(self) -> bool: ...
    @property
    def sends(self) -> bool: ...
    @property
    def place(self) -> str:
        """Where it stands, for errors."""
        ...

    def made(self, rows: Rows) -> Action:
        """The action that the gate judges, for an app's rows."""
        ...


class ActionInfo:
    """What is known of one action (O50). Its schema is made when it is first asked for."""

    __slots__ = ("declared",)

    def __init__(self, declared: Declared) -> None:
        self.declared = declared

    @property
    def action(self) -> str:
        """Its name, which is the function's."""
        return self.declared.name

    @property
    def label(self) -> str:
        """Its name as people read it."""
        return self.declared.label

    @property
    def description(self) -> str:
        """What the model is told that it does."""
        return self.declared.description

    @property
    def parameters_schema(self) -> str:
        """The JSON Schema of its arguments, as compact text.

        Raises:
            ActionError: a parameter or the answer is of a type that JSON has no schema for.
        """
        return compact(action_of(self).parameters)

    @property
    def reads_only(self) -> bool:
        """Whether it does nothing but read."""
        return self.declared.effects == READS

    @property
    def changes(self) -> bool:
        """Whether it may change something."""
        return "changes" in self.declared.effects

    @property
    def sends(self) -> bool:
        """Whether it may send something out."""
        return "sends" in self.declared.effects

    @property
    def place(self) -> str:
        """Where its function stands."""
        return self.declared.place

    def made(self, rows: Rows) -> Action:
        """The action that the gate judges, for an app's rows.

        Raises:
            ActionError: a parameter or the answer is of a type that JSON has no schema for.
        """
        return action_of(self, rows=rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ActionInfo) and other.declared is self.declared

    def __hash__(self) -> int:
        return hash(self.declared)

    def __repr__(self) -> str:
        kind: Literal["query", "action"] = "query" if self.reads_only else "action"
        return f"<{kind} {self.action}: {self.description}>"


class Actions:
    """The app's actions, by the functions that they are."""

    @staticmethod
    def of(function: Callable[..., Any]) -> ActionInfo:
        """What is known of the action that a decorated function is (O39).

        Raises:
            ActionError: the function is not decorated.
        """
        return ActionInfo(declared_of(function))

    @staticmethod
    def by_name(listed: Iterable[Tool]) -> dict[str, Tool]:
        """The actions of a list by their names; one that is listed twice counts once.

        Raises:
            ActionError: two functions of one name are listed.
        """
        named: dict[str, Tool] = {}
        for one in listed:
            first = named.setdefault(one.action, one)
            if first != one:
                raise ActionError(
                    f"Two actions are called {one.action!r}: {first.place} and {one.place}.",
                    hint="Rename one of the functions.",
                )
        return named
