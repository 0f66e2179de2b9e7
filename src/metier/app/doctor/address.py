"""Does the model's address answer?"""

import asyncio

import httpx2

from ...models.opening import opening
from ...models.wire import Wire
from .finding import Finding

SECONDS = 5.0
"""How long an address has to answer."""


def about_address(wire: Wire) -> Finding:
    """Ask the address for its root, without a key. Any answer at all, even a refusal, shows that it is reached."""
    return asyncio.run(_ask(wire))


async def _ask(wire: Wire) -> Finding:
    # Made like the client that tasks use, so that it goes through the same proxy and trusts the same certificates.
    async with httpx2.AsyncClient(timeout=SECONDS) as http:
        address = opening(wire)(http).base_url
        if not address:
            return Finding("missing", "address", "the client does not say where it sends to", "try a small task")
        try:
            answer = await http.get(address)
        except httpx2.HTTPError as error:
            cure = "check the network, the proxy variables, and the address if you set one"
            told = f"{address} was not reached in {SECONDS:g} s ({type(error).__name__})"
            return Finding("wrong", "address", told, cure)
    return Finding("ok", "address", f"{address} answers (HTTP {answer.status_code})")
