"""How is a provider's model class of pydantic-ai made?

Its client never tries again by itself: a second try costs money, and the loop says when there is some.
"""

from collections.abc import Callable

import httpx2
from openai import AsyncOpenAI
from pydantic_ai.models import Model
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel, OpenAIResponsesModelSettings
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import Provider
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from .adapter import AdapterClient
from .connection import TOTAL, Opening
from .unwalked import unwalked
from .wire import Wire

NO_KEY = "no-key-set"
"""What is sent where a server needs no key, but its client does."""

NATIVE = frozenset({"anthropic", "google"})
"""The providers that have a mark of their own for a call that failed."""


def client_of(wire: Wire) -> AdapterClient:
    """The client for a wire. It connects at its first request, in the event loop that asks."""
    return AdapterClient(
        opening(wire),
        keys=wire.keys,
        secret=wire.key,
        marks_failed=wire.kind in NATIVE,
        # The others keep what they have seen without being asked; this one charges for keeping, and far less after.
        caches=wire.kind == "anthropic",
    )


def opening(wire: Wire) -> Opening:
    """What makes the model over an http client of ours."""
    return lambda http: _MAKERS[wire.kind](wire, http)


def _chat(wire: Wire, http: httpx2.AsyncClient) -> Model:
    return OpenAIChatModel(wire.name, provider=_openai_provider(wire, http), profile=_profile(wire))


def _responses(wire: Wire, http: httpx2.AsyncClient) -> Model:
    # What a task says is not to be kept at the provider; the reasoning comes back to us sealed instead.
    settings = OpenAIResponsesModelSettings(openai_store=False)
    return OpenAIResponsesModel(wire.name, provider=_openai_provider(wire, http), settings=settings)


def _ollama(wire: Wire, http: httpx2.AsyncClient) -> Model:
    provider = OllamaProvider(openai_client=_openai_client(wire, http))
    return OpenAIChatModel(wire.name, provider=provider, profile=_profile(wire))


def _profile(wire: Wire) -> OpenAIModelProfile:
    return OpenAIModelProfile(
        # A stream that stops without saying so was cut off.
        openai_chat_streaming_requires_finish_reason=True,
        # Other services know the older word for the most tokens; OpenAI's newer models take only the newer one.
        openai_chat_supports_max_completion_tokens=wire.kind == "openai" and not wire.other_service,
    )


def _openai_provider(wire: Wire, http: httpx2.AsyncClient) -> Provider[AsyncOpenAI]:
    client = _openai_client(wire, http)
    if wire.other_service:
        return OpenAICompatibleProvider("openai-compatible", openai_client=client)
    return OpenAIProvider(openai_client=client)


def _openai_client(wire: Wire, http: httpx2.AsyncClient) -> AsyncOpenAI:
    client = AsyncOpenAI(
        api_key=wire.key or NO_KEY, base_url=wire.address or None, http_client=http, max_retries=0, timeout=TOTAL
    )
    return unwalked(client)


def _anthropic(wire: Wire, http: httpx2.AsyncClient) -> Model:
    from anthropic import AsyncAnthropic  # noqa: PLC0415 - an extra
    from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415 - an extra
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415 - an extra

    client = AsyncAnthropic(
        api_key=wire.key or NO_KEY, base_url=wire.address or None, http_client=http, max_retries=0, timeout=TOTAL
    )
    return AnthropicModel(wire.name, provider=AnthropicProvider(anthropic_client=client))


def _google(wire: Wire, http: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.google import GoogleModel  # noqa: PLC0415 - an extra
    from pydantic_ai.providers.google import GoogleProvider  # noqa: PLC0415 - an extra

    from .alone import alone  # noqa: PLC0415 - needs the extra

    # Its client tries only once unless it is given options for more.
    provider = GoogleProvider(api_key=wire.key or NO_KEY, base_url=wire.address or None, http_client=http)
    alone(provider.client)
    return GoogleModel(wire.name, provider=provider)


_MAKERS: dict[str, Callable[[Wire, httpx2.AsyncClient], Model]] = {
    "openai": _chat,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "google": _google,
    "ollama": _ollama,
}
