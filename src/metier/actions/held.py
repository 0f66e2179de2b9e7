"""How does a function run while its call is held to what it declares?

A sync function runs in a worker thread with its context, and all of the call with it. An async one stays on the loop; only
what may wait for others, the beginning and the end of its unit of work, goes to a thread. Where a database takes one writer at
a time, calls that change rows wait for their turn first, on the loop and in no thread.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager
from contextvars import Context, copy_context
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

from ..domain.action import Effect, Returned
from ..errors import EffectUndeclared
from .rows import Answering, Rows

T = TypeVar("T")

Work = Callable[[], Any]

AT_ONCE = 8
"""The most calls that are ended at the same time."""


class _NotOk(Exception):
    """The call has not come out well, so nothing that it did to rows may stand."""

    def __init__(self, returned: Returned) -> None:
        self.returned = returned


async def in_thread(rows: Rows, effects: frozenset[Effect], key: str, work: Work) -> Any:
    """What sync work answers, held, in a thread of its own."""
    async with rows.turn(effects):
        return await _to_its_end(asyncio.to_thread(_all_of_it, rows, effects, key, work))


async def on_loop(rows: Rows, effects: frozenset[Effect], key: str, work: Callable[[], Awaitable[Any]]) -> Any:
    """What async work answers, held."""
    held = rows.held(effects, key=key)
    try:
        if rows.waits:
            async with rows.turn(effects):
                return await _apart(held, work)
        with held as call:
            return _taken(call, await work())
    except EffectUndeclared as error:
        return _undeclared(error)
    except _NotOk as end:
        return end.returned


def _all_of_it(rows: Rows, effects: frozenset[Effect], key: str, work: Work) -> Any:
    try:
        with rows.held(effects, key=key) as call:
            return _taken(call, work())
    except EffectUndeclared as error:
        return _undeclared(error)
    except _NotOk as end:
        return end.returned


async def _apart(held: AbstractContextManager[Answering], work: Callable[[], Awaitable[Any]]) -> Any:
    context = copy_context()
    call = await _begun(held, context)
    task = asyncio.get_running_loop().create_task(_awaited(work), context=context)
    try:
        answer = _taken(call, await task)
    except BaseException as error:
        await _to_its_end(_ended(context, held, error))
        raise
    await _to_its_end(_ended(context, held, None))
    return answer


async def _begun(held: AbstractContextManager[Answering], context: Context) -> Answering:
    """The held call, once the database lets it begin. Where it is cut while it waits, it is given up again."""
    beginning = asyncio.ensure_future(asyncio.to_thread(context.run, held.__enter__))
    cut = await _waited_for(beginning)
    if cut is not None:
        if beginning.exception() is None:
            await _to_its_end(_ended(context, held, cut))
        raise cut
    return beginning.result()


async def _ended(context: Context, held: AbstractContextManager[Answering], error: BaseException | None) -> None:
    how = (None, None, None) if error is None else (type(error), error, error.__traceback__)
    await asyncio.get_running_loop().run_in_executor(_enders(), lambda: context.run(held.__exit__, *how))


@cache
def _enders() -> Executor:
    """Threads that end calls, and begin none: those that wait to begin can never keep out the one that they wait for."""
    return ThreadPoolExecutor(AT_ONCE, thread_name_prefix="metier-end")


async def _awaited(work: Callable[[], Awaitable[T]]) -> T:
    return await work()


def _taken(call: Answering, answer: Any) -> Any:
    if isinstance(answer, Returned):
        if not answer.ok:
            raise _NotOk(answer)
        call.answer = answer.value
    else:
        call.answer = answer
    return answer


def _undeclared(error: EffectUndeclared) -> Returned:
    # The model is told no more than that it failed: what it did is for the app's people, on the record.
    text = "it did what it does not declare, and was stopped"
    return replace(Returned(text=text, ok=False, code="effect.undeclared"), facts={"undeclared": error.message})


async def _to_its_end(thread: Coroutine[Any, Any, T]) -> T:
    """What a thread answers. It cannot be cut, so a cancel waits for it: nothing it does may come after the task's end."""
    work = asyncio.ensure_future(thread)
    cut = await _waited_for(work)
    if cut is not None:
        if not work.cancelled():
            work.exception()  # looked at, so that nobody warns; the call's end says that it was stopped
        raise cut
    return work.result()


async def _waited_for(work: "asyncio.Future[Any]") -> asyncio.CancelledError | None:
    """Wait until something has ended, however often the wait is cancelled; answer the cancel, if there was one."""
    cut = None
    while not work.done():
        try:
            await asyncio.wait([work])
        except asyncio.CancelledError as error:
            cut = error
    return cut
