"""How does a command open the app?"""

from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import click

from ..app.metier import Metier
from ..config import Settings, load_settings
from ..domain.ports import Person


@contextmanager
def opened(
    ctx: click.Context, *, flags: Mapping[str, Any] | None = None, person: Person | None = None, yes: bool = False
) -> Generator[Metier]:
    """The app with the settings in force, open until the block ends; where it has agents, whoever runs it is signed in.

    Args:
        ctx: the command's context.
        flags: values by setting name that win over all others.
        person: who sits at the terminal.
        yes: whether code that the project names may be loaded unasked.
    """
    settings = settings_of(ctx, flags=flags)
    with app_made(settings, person, yes=yes) as app, _signed_in(app):
        yield app


def _signed_in(app: Metier) -> AbstractContextManager[object]:
    """Whoever runs the command, where the app asks who that is."""
    return app.as_(app.house.somebody(app.house.user)) if app.house.agents else nullcontext()


def settings_of(ctx: click.Context, *, flags: Mapping[str, Any] | None = None) -> Settings:
    """The settings in force for a command."""
    said = ctx.obj or {}
    return load_settings(said.get("project"), flags={"app": said.get("app"), **(flags or {})})


def app_made(settings: Settings, person: Person | None = None, *, yes: bool = False) -> Metier:
    """The app that the settings make, not open yet. Code that a project names is asked for, where somebody is there.

    Raises:
        GateError: the code may not be loaded.
        SetupError: it fails, or makes no app.
    """
    if not settings.app:
        return Metier(settings=settings, person=person)
    from ..app.app_code import app_of
    from .terminal import Terminal

    return app_of(settings, person=person, ask=(lambda _: True) if yes else _ask if Terminal.there() else None)


def _ask(words: str) -> bool:
    return click.confirm(f"Is it all right that {words}?", err=True)
