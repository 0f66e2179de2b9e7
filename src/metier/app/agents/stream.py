"""How does somebody follow a task of an agent as it goes?"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterator
from contextlib import suppress
from typing import Any, Generic, TypeVar

from ...domain.entry import Entry
from ...domain.outcome import Outcome
from ...domain.ports import Watcher

Out = TypeVar("Out")
Work = Callable[[Watcher, Callable[[str], None]], Coroutine[Any, Any, Outcome[Out]]]


class Stream(Generic[Out]):
    """A task as it goes: the entries of its record, the model's text as it comes, and its outcome last (O75).

    The work begins when it is first asked for more, and is stopped when it is left early. Iterate it with `async for`, or,
    where no loop runs, with `for`.
    """

    def __init__(self, work: "Work[Out]", here: Callable[[Callable[[], Coroutine[Any, Any, Any]], str], Any]) -> None:
        self._work = work
        self._here = here

    def __aiter__(self) -> "AsyncIterator[Entry | str | Outcome[Out]]":
        return self._steps()

    def __iter__(self) -> "Iterator[Entry | str | Outcome[Out]]":
        steps = self._steps()
        try:
            while True:
                more, item = self._here(lambda: _next(steps), "stream")
                if not more:
                    return
                yield item
        finally:
            self._here(steps.aclose, "stream")

    async def _steps(self) -> "AsyncGenerator[Entry | str | Outcome[Out]]":
        queue: asyncio.Queue[Entry | str | None] = asyncio.Queue()
        work = asyncio.ensure_future(self._work(queue.put_nowait, queue.put_nowait))
        work.add_done_callback(lambda _: queue.put_nowait(None))
        try:
            while (item := await queue.get()) is not None:
                yield item
            yield work.result()
        finally:
            if not work.done():
                work.cancel()
                with suppress(asyncio.CancelledError):
                    await work


async def _next(steps: "AsyncGenerator[Any]") -> tuple[bool, Any]:
    try:
        return True, await anext(steps)
    except StopAsyncIteration:
        return False, None
