"""What is in order here, what is missing, and what is wrong?"""

import os
import sys
from collections.abc import Iterator
from dataclasses import fields

from ...config import FILE_NAME, Settings, find_file, load_settings
from ...domain.money import LlmPrice
from ...domain.ports import Person
from ...errors import MetierError, SetupError
from ..finding import catalogue_of
from ..version import __version__
from .finding import Finding, without_secrets
from .folders import about_folders
from .model import about_model, in_words
from .programs import about_programs
from .record import about_record

UNCONFINED = "none yet: a script runs with the rights of your account"


def examine(start: str | None, person: Person | None, *, online: bool = False) -> list[Finding]:
    """Look at everything that a task would need. Nothing is created, changed or loaded, and nobody is asked.

    Args:
        start: the folder to look from for `metier.toml`; the working folder if none.
        person: who sits at the terminal, if anybody does.
        online: whether the model's address may be tried; nothing is sent otherwise.
    """
    return [without_secrets(finding, os.environ) for finding in _findings(start, person, online=online)]


def _findings(start: str | None, person: Person | None, *, online: bool) -> Iterator[Finding]:
    yield from _about_itself()
    try:
        settings = load_settings(start)
    except SetupError as error:
        # What does not depend on the settings is still worth knowing; the rest would be guesses.
        yield Finding("wrong", "settings", error.message, error.hint)
        yield from about_programs()
    else:
        yield from _about_settings(settings, os.path.abspath(start or os.getcwd()))
        yield from about_model(settings, person, os.environ, online=online)
        yield from about_programs()
        yield from about_folders(settings)
        yield from _about_skills(settings)
        yield about_record(settings)
    yield Finding("missing", "confinement", UNCONFINED, "say yes only to scripts that you would run yourself")


def _about_itself() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding("ok", "metier", f"{__version__}, in {os.path.dirname(os.path.dirname(os.path.dirname(__file__)))}")
    yield Finding("ok", "python", f"{version}, {sys.executable}")
    if sys.platform == "linux":
        yield Finding("ok", "platform", "Linux")
    else:
        cure = "see docs/platforms.md for what works elsewhere"
        yield Finding("missing", "platform", f"scripts run on Linux only, and this is {sys.platform}", cure)


def _about_settings(settings: Settings, start: str) -> Iterator[Finding]:
    file = find_file(start)
    told = file or f"no {FILE_NAME} in {start} or above it; defaults and variables count"
    yield Finding("ok", "settings", told)
    for field in fields(settings):
        origin = settings.origins.get(field.name)
        if origin:
            yield Finding("ok", f"  {field.name}", f"{_shown(getattr(settings, field.name))}, from {origin}")


def _shown(value: object) -> str:
    if isinstance(value, LlmPrice):
        return in_words(value)
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def _about_skills(settings: Settings) -> Iterator[Finding]:
    try:
        catalogue = catalogue_of(settings)
    except MetierError as error:
        yield Finding("wrong", "skills", error.message, error.hint)
        return
    errors = sum(problem.level == "error" for problem in catalogue.problems)
    others = len(catalogue.problems) - errors
    told = f"{len(catalogue.skills)} found, {errors} errors and {others} lesser problems"
    if errors:
        yield Finding("wrong", "skills", told, "run `metier list` to see what is wrong, and where")
    elif not catalogue.skills:
        cure = 'put folders into .agents/skills, or name roots = ["FOLDER"] under [skills] in metier.toml'
        yield Finding("missing", "skills", told, cure)
    else:
        yield Finding("ok", "skills", told)
