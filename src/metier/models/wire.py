"""Which provider does a model's name mean, and is there what it needs?

    openai:NAME              OpenAI's chat completions
    openai-responses:NAME    OpenAI's responses
    anthropic:NAME           Anthropic's messages
    google:NAME              Google's Gemini
    ollama:NAME              a model that Ollama serves, on this machine unless OLLAMA_BASE_URL says otherwise
    openai:NAME@ADDRESS      any service that speaks OpenAI's language, such as openai:qwen3@http://localhost:8000/v1

Keys come only from the variables that the providers themselves name. They go to the provider's own host, or to an address
that a person named; never to one that a project's file names.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from urllib.parse import urlsplit

from ..errors import SetupError
from .llm_model import LlmModel
from .prices import LOCAL, known_price


@dataclass(frozen=True, slots=True)
class Provider:
    """What is known of a provider before anything is loaded."""

    sdk: str
    """The module that its client needs."""
    extra: str
    """The extra of metier that brings it; empty for what every install has."""
    keys: tuple[str, ...]
    """The variables that may hold its key; the first that is set counts."""
    address: str
    """The variable that may hold its address."""
    prices: str
    """What `genai-prices` calls it."""


OPENAI = Provider("openai", "", ("OPENAI_API_KEY",), "OPENAI_BASE_URL", "openai")
PROVIDERS: Mapping[str, Provider] = {
    "openai": OPENAI,
    "openai-responses": OPENAI,
    "anthropic": Provider("anthropic", "anthropic", ("ANTHROPIC_API_KEY",), "ANTHROPIC_BASE_URL", "anthropic"),
    "google": Provider(
        "google.genai", "google", ("GOOGLE_API_KEY", "GEMINI_API_KEY"), "GOOGLE_GEMINI_BASE_URL", "google"
    ),
    "ollama": Provider("openai", "", ("OLLAMA_API_KEY",), "OLLAMA_BASE_URL", LOCAL),
}
"""The providers, by the word that a model's name begins with."""

LOCAL_ADDRESS = "http://localhost:11434/v1"
HERE = frozenset({"localhost", "127.0.0.1", "::1"})
NAME = re.compile(r"(?P<name>.+?)(?:@(?P<address>https?://.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Wire:
    """Where a model's requests go, and with which key."""

    kind: str
    name: str
    key: str = field(default="", repr=False)
    address: str = ""
    """Empty: the provider's own host."""
    other_service: bool = False
    """Whether the address was named as that of another service than the provider's own."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The variables that the key may be in."""
        return PROVIDERS[self.kind].keys

    @property
    def vision(self) -> bool:
        """Whether it sees pictures: the providers' own models of today do, of other services nobody knows."""
        return self.kind != LOCAL and not self.other_service

    @property
    def can_force(self) -> bool:
        """Whether a model can be made to call one named tool: not where nobody knows what the service makes of it."""
        return self.kind != LOCAL and not self.other_service


def model_named(
    text: str, *, environment: Mapping[str, str], max_output_tokens: int, from_project: bool = False
) -> LlmModel | None:
    """The real model of a name, ready to be asked; None where the name begins with no provider.

    Loads the provider's client, which takes a second or two the first time.

    Args:
        text: the name, as at the top of this file.
        environment: the variables that keys and addresses are read from.
        max_output_tokens: the most tokens that one answer may have.
        from_project: whether a project's file names it, and no person.

    Raises:
        SetupError: the name is incomplete, or the provider's client or key is not there.
    """
    wire = wire_of(text, environment, from_project=from_project)
    if wire is None:
        return None
    # Heavy, 0.6 s and more, and only a real model needs it.
    from .opening import client_of  # noqa: PLC0415 - heavy, see above

    price = known_price(PROVIDERS[wire.kind].prices, wire.name) if wire.kind == LOCAL or not wire.address else None
    return LlmModel(text, client_of(wire), price, max_output_tokens, can_force=wire.can_force, vision=wire.vision)


def wire_of(text: str, environment: Mapping[str, str], *, from_project: bool = False) -> Wire | None:
    """Where a model of that name is asked; None where the name begins with no provider.

    Raises:
        SetupError: as for `model_named`.
    """
    kind, _, rest = text.partition(":")
    provider = PROVIDERS.get(kind)
    if provider is None:
        return None
    name, named = _parts(kind, rest)
    _check_address(named, from_project=from_project)
    _check_client(kind, provider)
    address = _address(kind, named or environment.get(provider.address, ""))
    key = "" if named and from_project else _key(provider, environment)
    if not key and not _keyless(kind, named=named, address=address):
        raise SetupError(f"{text} needs a key.", hint=f"Set {' or '.join(provider.keys)} to the key of your account.")
    return Wire(kind, name, key, address, other_service=named != "" and provider is OPENAI)


def _parts(kind: str, rest: str) -> tuple[str, str]:
    """The provider's name of the model, and the address after it if there is one."""
    match = NAME.fullmatch(rest)
    if match is None:
        raise SetupError(
            f"{f'{kind}:{rest}'!r} names no model.", hint=f"Write the provider's name of it, such as {kind}:NAME."
        )
    return match["name"], match["address"] or ""


def _key(provider: Provider, environment: Mapping[str, str]) -> str:
    return next(filter(None, map(environment.get, provider.keys)), "")


def _address(kind: str, given: str) -> str:
    """The address to use. People set Ollama's with and without the path of its OpenAI-compatible side."""
    if kind != LOCAL:
        return given
    given = given or LOCAL_ADDRESS
    return given if urlsplit(given).path.strip("/") else given.rstrip("/") + "/v1"


def _keyless(kind: str, *, named: str, address: str) -> bool:
    """Whether it may do without a key: a server of one's own often does, and the many that speak OpenAI's language."""
    return kind == LOCAL or bool(named) or (bool(address) and PROVIDERS[kind] is OPENAI)


def _check_address(address: str, *, from_project: bool) -> None:
    if not address:
        return
    try:
        parts = urlsplit(address)
        host, user = parts.hostname, parts.username or parts.password
    except ValueError:
        host, user = None, None
    if not host:
        raise SetupError(f"{address} is no address.", hint="Write it like https://models.example.com/v1.")
    if user is not None:
        # It would stand in the record. Its words are not repeated here either.
        raise SetupError("The model's address holds a password.", hint="Take it out: keys belong into the environment.")
    if from_project and host not in HERE:
        raise SetupError(
            f"The project's metier.toml names the address {address}, and all that a task holds would go there.",
            hint="If that is right, say so yourself: name the model with --model or in METIER_MODEL.",
        )


def _check_client(kind: str, provider: Provider) -> None:
    top = provider.sdk.partition(".")[0]
    if find_spec(top) is None or find_spec(provider.sdk) is None:
        wanted = f"metier[{provider.extra}]" if provider.extra else "metier"
        raise SetupError(f"Models of {kind} need a client that is not installed.", hint=f"pip install '{wanted}'")
