"""How does a command open the app?"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from ..app.metier import Metier
from ..config import load_settings
from ..domain.ports import Person


@contextmanager
def opened(
    ctx: click.Context, *, flags: Mapping[str, Any] | None = None, person: Person | None = None
) -> Generator[Metier]:
    """The app with the settings in force, open until the block ends."""
    settings = load_settings((ctx.obj or {}).get("project"), flags=flags)
    with Metier(settings=settings, person=person) as app:
        yield app
