"""An app whose process dies while its call changes a row: half way through, or after it took effect and before anybody heard."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import event

from metier import Actions, Metier, Permits, Skill, action
from metier.rows import AppRows, session, single
from metier.testing import AgentScript, Says, ScriptedModel

from .shop import Repair, open_shop

DIED = 9
DYING = "dying"
"""The note of a call that is to be cut half way."""


@action("Write a note on the repair", changes=True)
def note_repair(repair: Repair, note: str) -> str:
    """Note it."""
    repair.note += note
    if repair.fault == DYING:
        session().flush()
        os._exit(DIED)
    return f"Noted on {repair.ticket}."


class NoteRepair(Skill[Repair, str]):
    """Write a note on one repair."""

    tools = (Actions.of(note_repair),)


def app_on(folder: Path, rows: AppRows) -> Metier:
    """The app, with its record in a folder."""
    steps = AgentScript.of(Says.tool("note_repair", {"repair": "1", "note": "pads"}), Says.text("It is noted."))
    return Metier(
        model=ScriptedModel("test", steps.answer),
        skills=[NoteRepair()],
        rows=rows,
        record=folder / "record.db",
        project=folder,
        permits=Permits.changes_alone(),
    )


def note_of(folder: Path) -> str:
    """What stands on the repair."""
    with closing(sqlite3.connect(folder / "shop.db")) as connection:
        return str(connection.execute("SELECT note FROM repair").fetchone()[0])


def die(folder: Path, when: str) -> None:
    """Do the task, and die `half` way through its call, or `after` it took effect."""
    engine = open_shop(folder)
    if when == "half":
        with AppRows(engine).writing():
            single(Repair, ticket="T-7").fault = DYING
    else:
        event.listen(engine, "checkin", lambda *_: os._exit(DIED) if note_of(folder) else None)
    with app_on(folder, AppRows(engine)) as app:
        app.do(NoteRepair(), single(Repair, ticket="T-7"))
