"""Which code of yours makes the app, and who lets it be loaded?

`app.code` of the settings names a file and a name in it: `def app(settings): return Metier(settings=settings, …)`, the same
without a parameter, or `app = Metier(…)`; a Metier that is given neither settings nor a project takes those in force. A person who names it lets it be loaded; what a project's file names is asked for, once for the file as it stands.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature

from ..config import Settings, settings_in_force
from ..domain.ports import Person
from ..errors import GateError, MetierError, SetupError
from ..record import open_record
from .giving import file_digest
from .metier import Metier
from .own_module import named_in_own

HOW = (
    "Write FILE:NAME, such as shop.py:app, where NAME is a function that takes the settings, or nothing, and answers a "
    "Metier; or a Metier that is not open yet."
)


@dataclass(frozen=True, slots=True)
class AppCode:
    """The code that makes the app: its file, the name in it, and whether a project's settings named it."""

    path: str
    name: str
    shown: str
    from_project: bool

    @property
    def subject(self) -> str:
        """What a yes to loading it covers: this file as it stands."""
        return f"code {self.shown}@{file_digest(self.path)}"


def app_code(settings: Settings) -> AppCode | None:
    """The code that the settings name; none where they name none.

    Raises:
        SetupError: they name no file and name, or the file is not there.
    """
    if not settings.app:
        return None
    file, _, name = settings.app.rpartition(":")
    if not file or not name.isidentifier():
        raise SetupError(f"{settings.app!r} names no app.", hint=HOW)
    path = settings.path(file)
    if not os.path.isfile(path):
        raise SetupError(f"There is no file {path}.", hint="Mend app.code; FILE starts from the project's folder.")
    return AppCode(path, name, file, from_project=settings.origins.get("app", "").endswith(".toml"))


def app_of(settings: Settings, *, person: Person | None, ask: Callable[[str], bool] | None) -> Metier:
    """The app that the settings make: by code of yours, if they name any. It is not open yet.

    Args:
        settings: the settings in force.
        person: who sits at the terminal, for the model `me`.
        ask: asks whether code that a project's file names may be loaded; none: there is nobody to ask.

    Raises:
        GateError: the code may not be loaded.
        SetupError: it fails, or makes no Metier.
    """
    code = app_code(settings)
    if code is None:
        return Metier(settings=settings, person=person)
    _let_in(code, settings, ask)
    with settings_in_force(settings):
        made = _made(code, settings)
    made.house.person = person
    return made


def _made(code: AppCode, settings: Settings) -> Metier:
    found = named_in_own(code.path, code.name)
    if not isinstance(found, Metier):
        if not callable(found):
            raise SetupError(f"{code.path} holds no function {code.name!r}.", hint=HOW)
        try:
            found = found(settings) if signature(found).parameters else found()
        except Exception as error:
            hint = error.hint if isinstance(error, MetierError) else "Mend the function."
            raise SetupError(
                f"{code.name} of {code.path} failed: {type(error).__name__}: {error}.", hint=hint
            ) from error
    if not isinstance(found, Metier):
        raise SetupError(f"{code.name} of {code.path} made a {type(found).__name__}, and no Metier.", hint=HOW)
    if found.is_open:
        raise SetupError(f"{code.name} of {code.path} is open already.", hint="Leave its opening to metier.")
    return found


def _let_in(code: AppCode, settings: Settings, ask: Callable[[str], bool] | None) -> None:
    """Let the code be loaded: named by a person, or as it was when somebody said yes to it."""
    if not code.from_project:
        return
    subject = code.subject  # taken before anybody is asked: the yes is for what was there then
    if _said_yes(settings, subject):
        return
    words = f"the code {code.shown}, which the project's metier.toml names, may be loaded into metier"
    if ask is None:
        raise GateError(
            f"Nobody was asked whether {words}.", hint=f"Name it yourself: metier --app {code.shown}:{code.name} …"
        )
    if not ask(words):
        raise GateError(f"Somebody said no: {words}.", hint="Look at the file, and say yes if it is yours.")
    if code.subject != subject:
        raise GateError(f"The file {code.shown} changed while it was asked about.", hint="Look at it, and try again.")
    with open_record(settings.record_path, durability=settings.durability) as record:
        record.keep_yes(subject, task="", number=0, by=settings.giver or "the terminal")


def _said_yes(settings: Settings, subject: str) -> bool:
    """Whether somebody said yes before. Looking makes no record."""
    if not os.path.isfile(settings.record_path):
        return False
    with open_record(settings.record_path, durability=settings.durability) as record:
        return record.standing_yes(subject)
