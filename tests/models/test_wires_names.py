"""What a model's name means: provider, address, key, price, and what is missing."""

import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from metier.app.choosing import CodeModel, choose
from metier.config import Settings, load_settings
from metier.domain.money import FREE, LlmPrice
from metier.errors import SetupError
from metier.models.llm_model import LlmModel
from metier.models.wire import Wire, model_named, wire_of

KEYS = {"OPENAI_API_KEY": "o", "ANTHROPIC_API_KEY": "a", "GEMINI_API_KEY": "g"}
OWN = "http://127.0.0.1:8000/v1"


@pytest.mark.parametrize(
    ("text", "wire"),
    [
        ("openai:gpt-5.4", Wire("openai", "gpt-5.4", "o")),
        ("openai-responses:gpt-5.4", Wire("openai-responses", "gpt-5.4", "o")),
        ("anthropic:claude-haiku-4-5", Wire("anthropic", "claude-haiku-4-5", "a")),
        ("google:gemini-3.8-flash", Wire("google", "gemini-3.8-flash", "g")),
        ("ollama:qwen3:8b", Wire("ollama", "qwen3:8b", "", "http://localhost:11434/v1")),
        (f"ollama:qwen3@{OWN}", Wire("ollama", "qwen3", "", OWN)),
        (f"openai:org/m@v2@{OWN}", Wire("openai", "org/m@v2", "o", OWN, other_service=True)),
        ("openai:m@v2", Wire("openai", "m@v2", "o")),
        ("anthropic:m@http://[::1]:1", Wire("anthropic", "m", "a", "http://[::1]:1")),
    ],
)
def test_names_are_read(text: str, wire: Wire) -> None:
    """A name is the provider, its own name of the model, and perhaps an address after the last @."""
    assert wire_of(text, KEYS) == wire


@pytest.mark.parametrize("text", ["gpt", "me", "python:a.py:b", "bedrock:x", "", "OpenAI:x"])
def test_other_names_are_not_ours(text: str) -> None:
    """A name that begins with no provider is left to others."""
    assert wire_of(text, KEYS) is None


@pytest.mark.parametrize(
    ("variable", "text", "address"),
    [
        ("OPENAI_BASE_URL", "openai:m", OWN),
        ("OPENAI_BASE_URL", "openai-responses:m", OWN),
        ("ANTHROPIC_BASE_URL", "anthropic:m", OWN),
        ("GOOGLE_GEMINI_BASE_URL", "google:m", OWN),
        ("OLLAMA_BASE_URL", "ollama:m", OWN),
        ("OLLAMA_BASE_URL", "ollama:m", "http://127.0.0.1:8000"),
    ],
)
def test_addresses_of_the_environment_count(variable: str, text: str, address: str) -> None:
    """The provider's own variable says where it is; an address in the name wins; Ollama's may lack its path."""
    there = wire_of(text, {**KEYS, variable: address})
    assert there is not None
    assert (there.address, there.other_service) == (OWN, False)
    named = wire_of(f"{text}@http://localhost:9/v2", {**KEYS, variable: address})
    assert named is not None
    assert named.address == "http://localhost:9/v2"


@pytest.mark.parametrize(
    ("text", "said", "cure"),
    [
        ("openai:", "names no model", "openai:NAME"),
        ("openai:m@http://", "is no address", "https://"),
        ("openai:m@https://u:secret@host/v1", "holds a password", "environment"),
        ("openai:gpt-5.4", "needs a key", "OPENAI_API_KEY"),
        ("openai-responses:gpt-5.4", "needs a key", "OPENAI_API_KEY"),
        ("anthropic:claude-haiku-4-5", "needs a key", "ANTHROPIC_API_KEY"),
        ("google:gemini-3.8-flash", "needs a key", "GOOGLE_API_KEY or GEMINI_API_KEY"),
    ],
)
def test_what_is_missing_is_named(text: str, said: str, cure: str) -> None:
    """A name that cannot serve is told before the task begins, with what mends it and without what must not be shown."""
    with pytest.raises(SetupError, match=said) as caught:
        wire_of(text, {})
    assert cure in caught.value.hint
    assert "secret" not in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("kind", "sdk", "key"),
    [("anthropic", "anthropic", "ANTHROPIC_API_KEY"), ("google", "google.genai", "GEMINI_API_KEY")],
)
def test_missing_client_names_the_extra(kind: str, sdk: str, key: str) -> None:
    """Without a provider's client the error is the line that installs it."""
    code = (
        f"import sys\nsys.modules['{sdk}'] = None\n"
        "from metier.models.wire import wire_of\nfrom metier.errors import SetupError\n"
        f"try: wire_of('{kind}:m', {{'{key}': 'a'}})\n"
        "except SetupError as error: print(error.hint)\n"
    )
    assert fresh(code) == f"pip install 'metier[{kind}]'"


def test_first_key_is_the_clients_too() -> None:
    """Where both of Google's variables are set, the one counts that its own client says it takes."""
    both = wire_of("google:m", {"GEMINI_API_KEY": "g", "GOOGLE_API_KEY": "o"})
    assert both is not None
    assert both.key == "o"


def test_own_server_needs_no_key() -> None:
    """A server of one's own that speaks OpenAI's language is asked without a key."""
    assert wire_of(f"openai:m@{OWN}", {}) == Wire("openai", "m", "", OWN, other_service=True)
    assert wire_of("openai:m", {"OPENAI_BASE_URL": OWN}) == Wire("openai", "m", "", OWN)


def test_projects_cannot_send_keys_away(tmp_path: Path) -> None:
    """An address that a project's file names gets no key, and none but this machine's own is used at all."""
    assert wire_of(f"openai:m@{OWN}", KEYS, from_project=True) == Wire("openai", "m", "", OWN, other_service=True)
    (tmp_path / "metier.toml").write_text('[model]\nname = "openai:m@https://other.example/v1"\n', encoding="utf-8")
    with pytest.raises(SetupError, match="all that a task holds would go there") as caught:
        choose(load_settings(str(tmp_path), environment={}), None)
    assert "METIER_MODEL" in caught.value.hint


def test_keys_are_never_shown() -> None:
    """A key is in no representation of a model or its wire."""
    key = "sk-never-shown"
    wire, model = wire_of("openai:m", {"OPENAI_API_KEY": key}), named("openai:m", OPENAI_API_KEY=key)
    assert key not in repr(wire) + repr(model) + repr(model.client)


def test_models_know_their_limits() -> None:
    """A model has its price where it is asked at its own host, and says if it can be made to call a tool (O59, O60)."""
    own, other, local = named("openai:gpt-4o", **KEYS), named(f"openai:gpt-4o@{OWN}"), named("ollama:gpt-4o")
    assert own.price == LlmPrice(Decimal("2.5"), Decimal(10), Decimal("1.25"))
    assert (other.price, local.price) == (None, FREE)
    assert [one.can_force for one in (own, other, local)] == [True, False, False]
    assert (own.name, own.max_output_tokens, own.scripted) == ("openai:gpt-4o", 77, False)


def test_settings_choose_a_real_model(tmp_path: Path) -> None:
    """The settings' name makes the model, with their limit of tokens."""
    model = choose(Settings(str(tmp_path), f"openai:m@{OWN}", max_output_tokens=9), None)
    assert not isinstance(model, CodeModel)
    assert (model.name, model.max_output_tokens) == (f"openai:m@{OWN}", 9)


def test_nothing_heavy_loads_unasked() -> None:
    """Choosing is ready without pydantic-ai, the providers' clients and the prices."""
    code = (
        "import sys, metier.app.metier, metier.models.wire\n"
        "print([one for one in ('pydantic_ai', 'openai', 'anthropic', 'google.genai', 'genai_prices', 'httpx2') if one in sys.modules])"
    )
    assert fresh(code) == "[]"


def fresh(code: str) -> str:
    """What a fresh interpreter prints."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
    ).stdout.strip()


def named(text: str, **environment: str) -> LlmModel:
    """A model by its name."""
    model = model_named(text, environment=environment, max_output_tokens=77)
    assert model is not None
    return model
