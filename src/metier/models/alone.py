"""How does one request to Google stay one request?

Its client goes on by itself where an answer was broken off and can be continued: it sends a further request, up to three
times even without getting any further. Each is paid for, and each may have as many tokens as the first. When there is
another request is the loop's to say, which knows what is left of the budget.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from google.genai import Client

Ask = Callable[..., Awaitable[Any]]


def alone(client: Client) -> Client:
    """The client, which from now on sends one request where it is asked for one."""
    models = client.aio.models
    # On this one object of this one client of ours; the class stays as it is.
    vars(models)["generate_content"] = _once(models.generate_content)
    vars(models)["generate_content_stream"] = _once(models.generate_content_stream)
    return client


def _once(ask: Ask) -> Ask:
    async def once(**asked: Any) -> Any:
        return await ask(**{**asked, "config": {**asked["config"], "automatic_continuation": False}})

    return once
