"""Who works on what is given without waiting for it?

Work that `run_skill` puts on the record is begun at once, on a thread of the app's own. When the app closes, what still runs is
left on the record at its next step, for whoever resumes it (O102).
"""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from ..engine.in_process import GRACE

if TYPE_CHECKING:
    from .agents.handle import AgentHandle
    from .metier import Metier


class Background:
    """A thread with a loop, on which an app works on tasks that nobody waits for."""

    def __init__(self, app: "Metier") -> None:
        self._app = app
        self._loop = asyncio.new_event_loop()
        self._running: set[Future[bool]] = set()
        self._thread = threading.Thread(
            target=copy_context().run, args=(self._loop.run_forever,), name="metier", daemon=True
        )
        self._thread.start()

    def submit(self, agent: "AgentHandle", skill: str, input_json: str) -> str:
        """Put the work on the record, begin with it, and answer its task's id."""
        task = self._here(agent.asubmit(skill, input=input_json))
        running = asyncio.run_coroutine_threadsafe(self._app.work.run(task), self._loop)
        self._running.add(running)
        running.add_done_callback(self._running.discard)
        return task

    def close(self) -> None:
        """Let what runs come to its next step, and end the thread."""
        self._app.work.leave()
        for running in list(self._running):
            try:
                running.result(GRACE)
            except TimeoutError:
                running.cancel()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(GRACE)
        self._loop.close()

    def _here(self, work: Coroutine[Any, Any, str]) -> str:
        """What a coroutine answers, run on the thread's loop in the caller's context: theirs is the work."""
        done: Future[str] = Future()

        def begin() -> None:
            task = self._loop.create_task(work)
            task.add_done_callback(lambda one: _hand_over(one, done))

        self._loop.call_soon_threadsafe(begin, context=copy_context())
        return done.result()


def _hand_over(task: "asyncio.Task[str]", done: "Future[str]") -> None:
    error = task.exception()
    if error is None:
        done.set_result(task.result())
    else:
        done.set_exception(error)
