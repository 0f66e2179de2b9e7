"""Through which connections do the requests of one event loop go, and who closes them?

Connections belong to the event loop that opened them. They are held by an async generator, since the loop closes those
itself: when the client is no longer used, or when the loop ends. So a client needs no closing by hand.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable

import httpx2
from pydantic_ai.models import Model, create_async_httpx2_client

TOTAL = 600.0
"""Seconds that one request may take in all."""

CONNECT = 10.0
"""Seconds that connecting may take."""

Opening = Callable[[httpx2.AsyncClient], Model]
"""Makes a model that sends its requests through this client."""


class Connections:
    """A model for each event loop that asks for one."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._held: dict[asyncio.AbstractEventLoop, tuple[AsyncGenerator[Model], Model]] = {}

    async def model(self) -> Model:
        """The model for the running loop, with connections that are kept from request to request."""
        loop = asyncio.get_running_loop()
        found = self._held.get(loop)
        if found is None:
            for ended in [one for one in self._held if one.is_closed()]:
                del self._held[ended]
            holding = _held_open(self._opening)
            # Nothing in it waits before the model is there, so two tasks cannot both come this far.
            found = self._held[loop] = (holding, await anext(holding))
        return found[1]


async def _held_open(opening: Opening) -> AsyncGenerator[Model]:
    http = create_async_httpx2_client(timeout=httpx2.Timeout(TOTAL, connect=CONNECT))
    try:
        yield opening(http)
    finally:
        await http.aclose()
