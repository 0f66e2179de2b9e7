"""Which wires are there, and how does a person's choice of model reach each of them?"""

import pytest

from metier.domain.ports import Client
from metier.models.wire import model_named

from .anthropic_messages import Messages
from .chat import Chat
from .google_generate import Generate
from .responses import Responses
from .speech import KEY, Language

KEYS = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, "GEMINI_API_KEY": KEY}
LANGUAGES: list[Language] = [Chat(), Responses(), Messages(), Generate()]
on_each_wire = pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.path)


def named(language: Language, url: str) -> str:
    """The name of a model that the server at this address serves."""
    return f"{language.name}@{language.address(url)}"


def client(language: Language, url: str) -> Client:
    """Its client."""
    model = model_named(named(language, url), environment=KEYS, max_output_tokens=321)
    assert model is not None
    return model.client
