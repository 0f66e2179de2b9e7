"""What is set, and where was it set?

Settings come from defaults, then a project's `metier.toml`, then the environment, then flags; the later wins. Each value
keeps where it came from, so that an error or `metier config` can name it.
"""

import os
import tomllib
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from .domain.money import Dollars, LlmPrice
from .errors import SetupError

FILE_NAME = "metier.toml"
FOLDER_NAME = ".metier"

Durability = Literal["ends", "power"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, as one frozen value."""

    project: str
    """The folder that relative paths start from: where `metier.toml` lies, else the working folder."""
    model: str = ""
    """`me`, `python:FILE:NAME` for a model made by your own code, or a provider's model such as `openai:NAME`."""
    price: LlmPrice | None = None
    """The model's price in dollars per million tokens."""
    vision: bool | None = None
    """Whether the model sees pictures; if none, what is known of it."""
    max_output_tokens: int = 4096
    """The most tokens that one answer may have; a model made by code brings its own."""
    roots: tuple[str, ...] = ()
    """Folders in which skills are looked for, beside the project's `.agents/skills`."""
    record: str = ""
    """The record's file; `.metier/record.sqlite` in the project if empty."""
    durability: Durability = "ends"
    """`ends`: what is committed survives this process. `power`: it survives a power cut."""
    task_budget: Dollars | None = None
    """The most dollars that one task may cost; a skill's own budget replaces it."""
    giver: str = ""
    """For whom tasks are done; the name of the account that runs metier if empty."""
    app: str = ""
    """`FILE:NAME`: a function of your own code that makes the app, with its rows, agents and models."""
    origins: Mapping[str, str] = field(default_factory=dict)
    """Where each value that is no default came from: a file, a variable or a flag."""

    def path(self, name: str) -> str:
        """A path as it was set, made absolute from the project's folder."""
        return os.path.normpath(os.path.join(self.project, os.path.expanduser(name)))

    @property
    def record_path(self) -> str:
        """Where the record lies."""
        return self.path(self.record or f"{FOLDER_NAME}/record.sqlite")


ENVIRONMENT = {
    "METIER_MODEL": "model",
    "METIER_RECORD": "record",
    "METIER_DURABILITY": "durability",
    "METIER_TASK_BUDGET": "task_budget",
    "METIER_GIVER": "giver",
    "METIER_APP": "app",
}
"""The variables that are read, and the setting that each of them sets."""

TABLES: Mapping[str, Mapping[str, str]] = {
    "model": {"name": "model", "price": "price", "vision": "vision", "max_output_tokens": "max_output_tokens"},
    "skills": {"roots": "roots"},
    "record": {"path": "record", "durability": "durability"},
    "limits": {"task_budget": "task_budget"},
    "task": {"giver": "giver"},
    "app": {"code": "app"},
}
"""The tables of `metier.toml`, their keys, and the setting that each key sets."""


_IN_FORCE: "ContextVar[Settings | None]" = ContextVar("metier_settings", default=None)


@contextmanager
def settings_in_force(settings: Settings) -> Generator[None]:
    """Let whoever names neither a folder nor anything else get these settings, until the block ends."""
    token = _IN_FORCE.set(settings)
    try:
        yield
    finally:
        _IN_FORCE.reset(token)


def load_settings(
    start: str | None = None, *, environment: Mapping[str, str] | None = None, flags: Mapping[str, Any] | None = None
) -> Settings:
    """The settings in force for a folder.

    Args:
        start: the folder to look from for `metier.toml`, upwards; the working folder if none.
        environment: the variables to read; this process's if none.
        flags: values by setting name that win over all others; those that are None do not count.

    Raises:
        SetupError: the file is no TOML, holds an unknown key, or a value is of the wrong kind.
    """
    in_force = _IN_FORCE.get()
    if in_force is not None and start is None and environment is None and flags is None:
        return in_force
    return _load(start, os.environ if environment is None else environment, flags or {})


def _load(start: str | None, environment: Mapping[str, str], flags: Mapping[str, Any]) -> Settings:
    start = os.path.abspath(start or os.getcwd())
    file = find_file(start)
    given = _from_file(file) if file else {}
    given |= _from_environment(environment)
    given |= {name: (value, f"--{name.replace('_', '-')}") for name, value in flags.items() if value is not None}
    settings = Settings(project=os.path.dirname(file) if file else start)
    values = {name: _convert(name, value, origin) for name, (value, origin) in given.items()}
    return replace(settings, **values, origins={name: origin for name, (_, origin) in given.items()})


def _from_environment(environment: Mapping[str, str]) -> dict[str, tuple[Any, str]]:
    return {name: (environment[one], one) for one, name in ENVIRONMENT.items() if environment.get(one)}


def find_file(start: str) -> str | None:
    """The nearest `metier.toml` in a folder or above it."""
    folder = start
    while True:
        path = os.path.join(folder, FILE_NAME)
        if os.path.isfile(path):
            return path
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _from_file(path: str) -> dict[str, tuple[Any, str]]:
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SetupError(f"{path} is no TOML: {error}.", hint="Mend the line that it names.") from error
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}.", hint="Mend its permissions.") from error
    found: dict[str, tuple[Any, str]] = {}
    for table, content in data.items():
        keys = TABLES.get(table)
        if keys is None or not isinstance(content, dict):
            raise SetupError(f"{path} has an unknown table [{table}].", hint=f"Known tables: {', '.join(TABLES)}.")
        for key, value in content.items():
            if key not in keys:
                raise SetupError(f"{path} has an unknown key {table}.{key}.", hint=f"Known keys: {', '.join(keys)}.")
            found[keys[key]] = (value, path)
    return found


def _convert(name: str, value: Any, origin: str) -> Any:
    try:
        return _CONVERT.get(name, _text)(value)
    except (ValueError, TypeError, InvalidOperation, KeyError) as error:
        raise SetupError(f"{origin} sets {name} to {value!r}: {error}.", hint="See docs/settings.md.") from error


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("it must be a text")
    return value


def _dollars(value: Any) -> Dollars:
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        raise TypeError("it must be an amount such as 0.05")
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        raise ValueError("it must be an amount such as 0.05") from None
    if not amount.is_finite() or amount < 0:
        raise ValueError("an amount is 0 or more")
    return amount


def _price(value: Any) -> LlmPrice:
    if isinstance(value, LlmPrice):
        return value
    known = [item.name for item in fields(LlmPrice)]
    if not isinstance(value, dict) or not {"input", "output"} <= set(value) <= set(known):
        raise ValueError(f"a price is a table of input and output, and may have {' and '.join(known[2:])}")
    return LlmPrice(**{key: _dollars(amount) for key, amount in value.items()})


def _tokens(value: Any) -> int:
    if type(value) is not int or value < 1:
        raise ValueError("it must be a whole number of at least 1")
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("it must be true or false")
    return value


def _roots(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise TypeError("it must be a list of folders")
    return tuple(value)


def _durability(value: Any) -> Durability:
    if value not in ("ends", "power"):
        raise ValueError("it must be ends or power")
    return "power" if value == "power" else "ends"


_CONVERT = {
    "task_budget": _dollars,
    "price": _price,
    "vision": _truth,
    "max_output_tokens": _tokens,
    "roots": _roots,
    "durability": _durability,
}
