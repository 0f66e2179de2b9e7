"""Which model answers, and who may load the code that makes it?"""

import importlib.util
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..config import Settings
from ..domain.action import Action, Hands, Origin, Returned
from ..domain.money import FREE
from ..domain.ports import Model, Person
from ..errors import ModelMissing, SetupError
from ..models.llm_model import LlmModel
from ..models.person import PersonClient
from ..models.wire import model_named
from .giving import file_digest

SERVE = (
    "Set one of these: `openai:NAME`, `openai-responses:NAME`, `anthropic:NAME`, `google:NAME`, `ollama:NAME`, "
    "`openai:NAME@https://…` (any service that speaks OpenAI's language), `--model me` (you play the model), or "
    "`python:FILE:NAME` (a model made by your own code), "
    'with --model, METIER_MODEL, or name = "…" under [model] in metier.toml.'
)


@dataclass(frozen=True, slots=True)
class CodeModel:
    """A model that is made by code: the file, the name in it, and whether the file was named by a project's settings."""

    path: str
    name: str
    shown: str
    from_project: bool

    @property
    def action(self) -> str:
        """The name of the action that loads it."""
        return f"code {self.shown}"

    @property
    def subject(self) -> str:
        """What a yes to loading it covers: this file as it stands."""
        return f"code {self.shown}@{file_digest(self.path)}"


def choose(settings: Settings, person: Person | None) -> Model | CodeModel:
    """The model that the settings name, or the code that would make it.

    Raises:
        ModelMissing: none is set.
        SetupError: the name means nothing, or what it needs is not there.
    """
    name = settings.model
    if not name:
        raise ModelMissing(hint=SERVE)
    if name == "me":
        if person is None:
            raise SetupError("The model `me` needs a terminal.", hint="Run it in a terminal, or set another model.")
        return LlmModel("me", PersonClient(person), FREE)
    kind, _, rest = name.partition(":")
    if kind == "python":
        return _code(settings, rest)
    real = model_named(
        name,
        environment=os.environ,
        max_output_tokens=settings.max_output_tokens,
        from_project=named_by_project(settings),
    )
    if real is None:
        raise SetupError(f"There is no model {name!r} here.", hint=SERVE)
    return real


def _code(settings: Settings, rest: str) -> CodeModel:
    file, _, name = rest.rpartition(":")
    if not file or not name.isidentifier():
        raise SetupError(
            f"python:{rest} names no model.", hint="Write python:FILE:NAME, such as python:models.py:model."
        )
    path = settings.path(file)
    if not os.path.isfile(path):
        raise SetupError(
            f"There is no file {path}.", hint="Mend the model's setting; FILE starts from the project's folder."
        )
    return CodeModel(path, name, file, from_project=named_by_project(settings))


def named_by_project(settings: Settings) -> bool:
    """Whether a project's file names the model, and no person."""
    return settings.origins.get("model", "").endswith(".toml")


def priced(model: Model, settings: Settings) -> Model:
    """The model with what was set beside its name: its price, and whether it sees. What was set elsewhere is another model's."""
    beside = {name for name in ("price", "vision") if settings.origins.get(name) == settings.origins.get("model")}
    price = settings.price if "price" in beside and settings.price is not None else model.price
    vision = settings.vision if "vision" in beside and settings.vision is not None else model.vision
    if price is model.price and vision == model.vision:
        return model
    return LlmModel(
        model.name, model.client, price, model.max_output_tokens, model.scripted, model.can_force, vision=vision
    )


def load_action(code: CodeModel, loaded: list[Model]) -> Action:
    """The action that loads a model's code into this process and puts the model into `loaded`."""

    async def body(_: Mapping[str, Any], __: Hands) -> Returned:
        try:
            loaded.append(load(code))
        except SetupError as error:
            return Returned(text=str(error), ok=False, code="model.code")
        return Returned(text=f"loaded {code.name} from {code.shown}")

    return Action(
        code.action,
        "Loads the model.",
        {},
        body,
        frozenset({"runs"}),
        Origin("app", code.shown, digest=file_digest(code.path)),
        words=lambda _: f"the code {code.shown}, which the project's metier.toml names, may be loaded into metier",
        subject=code.subject,
        kept=True,
        confinement="it runs inside metier, with all your rights",
        digest_now=lambda: file_digest(code.path),
    )


def load(code: CodeModel) -> Model:
    """The model that the code makes.

    Raises:
        SetupError: the code fails, or holds no model of that name.
    """
    model = named_in(code.path, code.name)
    if not all(hasattr(model, member) for member in ("client", "price", "max_output_tokens", "scripted")):
        raise SetupError(f"{code.path} holds no model {code.name!r}.", hint="Make it a ScriptedModel or an LlmModel.")
    return model  # type: ignore[return-value]  # its members were looked at


def named_in(path: str, name: str) -> object:
    """What a name stands for in a file of Python, which is run for it; none where it holds no such name.

    Raises:
        SetupError: it is no Python file, or fails.
    """
    spec = importlib.util.spec_from_file_location(f"_metier_code_{os.path.basename(path).partition('.')[0]}", path)
    if spec is None or spec.loader is None:
        raise SetupError(f"{path} is no Python file.", hint="Name a .py file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise SetupError(f"{path} failed: {type(error).__name__}: {error}.", hint="Mend the file.") from error
    return getattr(module, name, None)
