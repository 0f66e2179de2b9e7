"""What must whatever hands out work be able to do?

The record is the only truth: a task's id is all that an engine carries.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from ..record import TaskRow

Run = Callable[[str], Awaitable[bool]]
"""Takes a task up and works on it until it ends or waits; answers whether it was to be had. It raises nothing."""


class Engine(Protocol):
    """Hands tasks of a record to whoever works on them."""

    def submit(self, task: str) -> None:
        """Let a task that is ready on the record begin, here at once if there is room, else with another worker."""
        ...

    async def stop(self, task: str, *, by: str) -> TaskRow:
        """Stop a task wherever it runs, and answer its row once it has ended.

        Raises:
            TaskOver: it has ended already.
        """
        ...

    async def wait(self, task: str) -> TaskRow:
        """Wait until a task has ended or waits for a person, and answer its row."""
        ...

    async def serve(self, leaving: asyncio.Event) -> None:
        """Work on the tasks of the record until told to leave; those that run then go on with another worker."""
        ...
