"""Which task is whose child?

A child's id is its parent's, a dot, and the call that made it, such as `20261201-abc.c2.1`. So the ids alone tell a family,
and all of a task's descendants lie side by side in the order of ids.
"""

from collections.abc import Collection, Container, Iterator

DOT = "."
"""Ends a parent's id within its child's."""

AFTER_DOT = "/"
"""The character after the dot: where the ids of descendants end."""


def descendants(task: str) -> tuple[str, str]:
    """The ids between which those of a task's descendants lie, themselves left out."""
    return f"{task}{DOT}", f"{task}{AFTER_DOT}"


def is_below(task: str, other: str) -> bool:
    """Whether a task's id is that of a descendant of the other."""
    return task.startswith(f"{other}{DOT}")


def ancestors_in(task: str, ids: Container[str]) -> Iterator[str]:
    """The ancestors of a task among ids, the nearest first."""
    return (one for one in _beginnings(task) if one in ids)


def parent_in(task: str, ids: Container[str]) -> str:
    """The nearest ancestor of a task among ids; empty where none of them is one."""
    return next(ancestors_in(task, ids), "")


def tops(ids: Collection[str]) -> list[str]:
    """Those of the ids, in their order, that have no ancestor among them."""
    known = frozenset(ids)
    return [task for task in ids if not parent_in(task, known)]


def _beginnings(task: str) -> Iterator[str]:
    """The ids that an ancestor may have, the longest first. A call's own name has dots too."""
    place = task.rfind(DOT)
    while place > 0:
        yield task[:place]
        place = task.rfind(DOT, 0, place)
