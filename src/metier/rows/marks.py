"""Did a call take effect, whose process died before it could say so?

A call that changes rows leaves its mark in the app's database, in the transaction of its changes: both are there, or neither.
Whoever settles a call without a mark voids it first. So the process that was given up, should it wake, can no longer commit,
and "never ran" stays true.
"""

import asyncio
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    Connection,
    Engine,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    bindparam,
    delete,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.exc import DBAPIError, IntegrityError

from ..domain.action import Returned, Settle, Settled
from ..domain.compact import compact
from ..errors import ActionError, SetupError

MOST_ANSWER = 4096
"""Characters of an answer that are kept beside a mark."""
NONE = -1
NO_ANSWER = "The call took effect. Its answer was not kept."
_LOCK = text("SET LOCAL lock_timeout = '5s'")

_metadata = MetaData()
DONE = Table(
    "metier_done",
    _metadata,
    Column("key", String(200), primary_key=True),
    Column("state", String(4), nullable=False),  # done, or void
    Column("number", Integer, nullable=False),  # how often it was voided
    Column("at", String(40), nullable=False),  # UTC, ISO 8601
    Column("answer", Text),  # JSON, where it is short
)
"""One row for each call that changed rows; the app's own migrations may make it as well."""

# Built once: making a statement anew costs as much as running it.
_WHOSE: BindParameter[str] = bindparam("whose")
_LOOK = select(DONE.c.state, DONE.c.number, DONE.c.answer).where(DONE.c.key == _WHOSE)
_INSERT = insert(DONE).values(
    {name: bindparam(name) for name in ("key", "state", "number", "at", "answer")},
)
_VOIDED = update(DONE).where(DONE.c.key == _WHOSE, DONE.c.state == "void")
_DO_AGAIN = _VOIDED.where(DONE.c.number == bindparam("begun")).values(
    state="done", at=bindparam("now"), answer=bindparam("short")
)
_VOID_AGAIN = _VOIDED.values(number=DONE.c.number + 1, at=bindparam("now"))


def make_table(engine: Engine) -> None:
    """Make the table of marks in an app's database unless it is there."""
    try:
        _metadata.create_all(engine)
    except DBAPIError:
        # Two processes may begin at once, and the other one was first.
        _metadata.create_all(engine)


def begun(connection: Connection, key: str) -> int:
    """What there is under a call's key as it begins, for `leave`.

    Raises:
        ActionError: the call took effect already.
        SetupError: the database has no table of marks.
    """
    try:
        row = connection.execute(_LOOK, {"whose": key}).first()
    except DBAPIError as error:
        if DONE.name not in str(error.orig):
            raise
        raise SetupError(
            f"The app's database has no table {DONE.name}.", hint="Call metier.rows.marks.make_table(engine) once."
        ) from error
    if row is None:
        return NONE
    if row.state == "done":
        raise ActionError(f"The call {key} took effect already.", hint="Look at what it did; it is not made again.")
    return int(row.number)


def leave(connection: Connection, key: str, answer: Any, *, begun: int) -> None:
    """Leave the mark of a call in the transaction of its changes.

    Raises:
        ActionError: another process settled the call meanwhile, so its changes must not stand.
    """
    if begun == NONE:
        try:
            connection.execute(_INSERT, _row(key, "done", _short(answer)))
        except IntegrityError as error:
            raise _settled_meanwhile(key) from error
        return
    values = {"whose": key, "begun": begun, "now": _now(), "short": _short(answer)}
    if connection.execute(_DO_AGAIN, values).rowcount != 1:
        raise _settled_meanwhile(key)


def ran(engine: Engine, key: str) -> bool:
    """Whether a call left its mark."""
    with engine.connect() as connection:
        return bool(connection.scalar(_LOOK, {"whose": key}) == "done")


def settle_by_mark(engine: Engine, *, sends: bool = False) -> Settle:
    """Make the hook that tells of a call with lost end whether it ran, by its mark.

    A call that also sends and left no mark is unknown: its rows are as before, but it may have sent.
    """

    async def settle(_: Mapping[str, Any], key: str) -> Settled:
        settled = await asyncio.to_thread(settled_by_mark, engine, key)
        return "unknown" if sends and settled == "never_ran" else settled

    return settle


def settled_by_mark(engine: Engine, key: str) -> Settled:
    """What a call's mark says: its answer, or that it never took effect, and then never will by the process that began it.

    Unknown while that process still holds its transaction open.
    """
    for _ in range(2):
        try:
            return _look_or_void(engine, key)
        except IntegrityError:
            continue  # somebody wrote the row between our look and our own writing
        except DBAPIError:
            return "unknown"
    return "unknown"


def forget(engine: Engine, task: str) -> int:
    """Take away the marks of a task that has ended for good, and answer how many there were."""
    with engine.begin() as connection:
        # Keys are `task:call`, and `;` is the character behind the colon.
        mine = (DONE.c.key >= f"{task}:") & (DONE.c.key < f"{task};")
        return connection.execute(delete(DONE).where(mine)).rowcount


def _look_or_void(engine: Engine, key: str) -> Settled:
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(_LOCK)
        row = connection.execute(_LOOK, {"whose": key}).first()
        if row is not None and row.state == "done":
            return Returned(text=NO_ANSWER) if row.answer is None else Returned(json.loads(row.answer))
        if row is None:
            connection.execute(_INSERT, _row(key, "void", None))
            return "never_ran"
        voided = connection.execute(_VOID_AGAIN, {"whose": key, "now": _now()})
        return "never_ran" if voided.rowcount == 1 else "unknown"


def _row(key: str, state: str, answer: str | None) -> dict[str, object]:
    return {"key": key, "state": state, "number": 0, "at": _now(), "answer": answer}


def _settled_meanwhile(key: str) -> ActionError:
    return ActionError(
        f"The call {key} was given up by another process, so nothing of it was kept.",
        hint="Look at the task: it goes on elsewhere.",
    )


def _short(answer: Any) -> str | None:
    try:
        written = compact(answer)
    except (TypeError, ValueError):
        return None
    return written if len(written) <= MOST_ANSWER else None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
