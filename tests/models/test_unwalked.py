"""A client of OpenAI's that does not walk over the conversation."""

import asyncio
from typing import Any

import httpx2
import pytest
from openai import AsyncOpenAI

from metier.models.unwalked import unwalked

from .wires.chat import Chat
from .wires.responses import Responses
from .wires.server import Reply, Server
from .wires.speech import Language, Said

TALK: list[Any] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [{"type": "text", "text": "é"}]},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f"}}]},
]


async def asked(client: AsyncOpenAI, language: Language, **extra: Any) -> None:
    """One request to an API of OpenAI's."""
    if isinstance(language, Chat):
        await client.chat.completions.create(model="m", messages=TALK, temperature=0, **extra)
    else:
        await client.responses.create(model="m", input=TALK, temperature=0, **extra)


@pytest.mark.parametrize("extra", [{}, {"extra_body": {"more": [1]}}], ids=["plain", "extra"])
@pytest.mark.parametrize("language", [Chat(), Responses()], ids=["chat", "responses"])
def test_same_bytes_are_sent(language: Language, extra: dict[str, Any]) -> None:
    """The body is the very one that is sent with the walk."""

    async def bodies() -> list[bytes]:
        async with Server(*[Reply.of_json(language.whole(Said("so")))] * 2) as server, httpx2.AsyncClient() as http:
            plain = AsyncOpenAI(api_key="k", base_url=language.address(server.url), http_client=http, max_retries=0)
            await asked(plain, language, **extra)
            await asked(unwalked(plain), language, **extra)
            return [one.raw for one in server.received]

    plain, quick = asyncio.run(bodies())
    assert plain == quick
