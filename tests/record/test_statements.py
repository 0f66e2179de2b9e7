"""The texts that the driver is given, held to the tables."""

from typing import Any

import pytest
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    alias,
    bindparam,
    case,
    exists,
    func,
    literal_column,
    select,
    union,
    update,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql import ClauseElement

from metier.record import TaskRow, statements
from metier.record.read import EntryRow
from metier.record.tables import NOTHING, entry, late, proposal, seat, standing, task, version

WHICH: BindParameter[Any] = bindparam("which")
TOKEN: BindParameter[Any] = bindparam("which_token")
NOW: BindParameter[Any] = bindparam("now")
ONCE = " ON CONFLICT (subject) DO NOTHING"
NULL: ColumnElement[Any] = literal_column("NULL")


def _word(text: str) -> ColumnElement[Any]:
    return literal_column(f"'{text}'")


def _number(number: int) -> ColumnElement[Any]:
    return literal_column(str(number))


def _new(*names: str) -> dict[str, BindParameter[Any]]:
    return {name: bindparam(f"new_{name}") for name in names}


def _begins(table: Any) -> ColumnElement[bool]:
    return func.substr(table.c.id, bindparam("first"), bindparam("length")) == WHICH


ROW = [task.c[name] for name in TaskRow.__slots__]
OWNED = (task.c.id == WHICH, task.c.token == TOKEN)
RUNNING = task.c.state == _word("Running")
WAITING = task.c.state == _word("Waiting")
FREE = {"owner": NOTHING, "lease_until": _number(0)}
AWAKE = {"state": _word("Ready"), "waits_for": NOTHING, "wake_at": NULL}
CHILD = alias(task, "child")
LIVES = exists(select(CHILD.c.id).where(CHILD.c.id == bindparam("child"), CHILD.c.ended.is_(None)))
PARENT = alias(task, "parent")
FIRST_PART = func.substr(task.c.id, bindparam("first"), func.instr(task.c.id, _word(".")) - _number(1))
HAS_PARENT = exists(select(PARENT.c.id).where(PARENT.c.id == FIRST_PART))
WORKS = exists(select(seat.c.agent).where(seat.c.agent == bindparam("of"), seat.c.state == _word("works")))
UNSEEN = exists(
    select(proposal.c.id).where(
        proposal.c.task == bindparam("of"),
        proposal.c.state.in_([_word("Approved"), _word("Declined")]),
        proposal.c.seen == _number(0),
    )
)
TOLD = [column for column in proposal.columns if column.name != "seen"]
OPEN = task.c.ended.is_(None)
IDS = func.json_each(bindparam("ids")).table_valued("value").alias("ids")
PENDING = proposal.c.state == _word("Pending")


def _ready(*rows: ColumnElement[bool]) -> Any:
    return select(task.c.id, task.c.started).where(OPEN, *rows)


def _model_calls(of: ColumnElement[bool] | None, since: ColumnElement[bool] | None) -> Any:
    kinds = entry.c.kind.in_([_word("ModelCalled"), _word("ModelAnswered")])
    return (
        select(entry.c.task, task.c.skill, task.c.agent, entry.c.kind, entry.c.at, entry.c.facts)
        .join_from(entry, task, task.c.id == entry.c.task)
        .where(*(one for one in (of, kinds, since) if one is not None))
        .order_by(entry.c.task, entry.c.number)
    )


# Each with what SQLAlchemy writes in words of its own for each database, and both SQLite and Postgres understand.
COMPILED: dict[str, tuple[ClauseElement, str]] = {
    "FIND_VERSION": (select(version.c.version_num), ""),
    "MARK_VERSION": (version.insert(), ""),
    "ADD_TASK": (
        task.insert().values(
            _new(
                "id", "skill", "source", "giver", "started", "state", "reason", "token", "owner", "lease_until", "agent"
            )
        ),
        "",
    ),
    "END_TASK": (
        update(task).where(*OWNED).values({**_new("ended", "state", "reason"), **FREE, **AWAKE, **_new("state")}),
        "",
    ),
    "PAUSE_TASK": (
        update(task).where(*OWNED).values({**_new("state", "wake_at", "waits_for"), **FREE, "takeovers": _number(0)}),
        "",
    ),
    "HAS_TASK": (select(task.c.state).where(task.c.id == WHICH), ""),
    "FIND_TASK": (select(*ROW).where(task.c.id == WHICH), ""),
    "NEWEST_TASKS": (select(*ROW).order_by(task.c.started.desc(), task.c.id), " LIMIT ?"),
    "NEWEST_ROOTS": (
        select(*ROW).where(~HAS_PARENT).order_by(task.c.started.desc(), task.c.id),
        " LIMIT ?",
    ),
    "CHILDREN": (
        select(*ROW)
        .where(task.c.id > bindparam("low"), task.c.id < bindparam("high"))
        .order_by(task.c.started, task.c.id),
        "",
    ),
    "MATCH_TASKS": (select(task.c.id).where(_begins(task)).order_by(task.c.started.desc()), ""),
    "TAKE_UP": (
        update(task)
        .where(
            task.c.id == WHICH,
            task.c.state.in_([_word("Ready"), _word("Waiting")])
            | (RUNNING & (task.c.lease_until < NOW))
            | (bindparam("person") == _number(1))
            & (
                (task.c.state == _word("Stopped"))
                | (task.c.state == _word("Failed")) & (task.c.reason == _word("model"))
            ),
        )
        .values(
            {
                **AWAKE,
                **_new("owner", "lease_until"),
                "ended": NULL,
                "state": _word("Running"),
                "reason": NOTHING,
                "token": task.c.token + _number(1),
                "stop": case((bindparam("forget") == _number(1), NOTHING), else_=task.c.stop),
                "takeovers": case((RUNNING, task.c.takeovers + _number(1)), else_=_number(0)),
            }
        ),
        "",
    ),
    "TAKEN_AS": (select(task.c.token, task.c.stop).where(task.c.id == WHICH), ""),
    "HOLDS": (select(task.c.stop).where(*OWNED, RUNNING), ""),
    "RENEW": (update(task).where(*OWNED, RUNNING).values(_new("lease_until")), ""),
    "LET_GO": (update(task).where(*OWNED, RUNNING).values(lease_until=_number(0)), ""),
    "OWNERS": (select(task.c.owner).where(OPEN, RUNNING, task.c.lease_until >= NOW).distinct(), ""),
    "FREE_OWNER": (update(task).where(task.c.owner == WHICH, OPEN, RUNNING).values(lease_until=_number(0)), ""),
    "LOOK": (
        select(task.c.id, task.c.token, task.c.state, task.c.stop).where(task.c.id.in_(select(IDS.c.value))),
        "",
    ),
    "ASK_STOP": (
        update(task).where(task.c.id == WHICH, OPEN, task.c.stop == NOTHING).values(_new("stop")),
        "",
    ),
    "READY": (
        union(
            _ready(task.c.state == _word("Ready")),
            _ready(WAITING, task.c.wake_at <= NOW),
            _ready(RUNNING, task.c.lease_until < NOW, task.c.takeovers < bindparam("limit")),
            _ready(task.c.stop != NOTHING, task.c.lease_until < NOW),
        ).order_by("started", "id"),
        " LIMIT ?",
    ),
    "WAKE_FOR": (
        update(task).where(task.c.waits_for == WHICH, task.c.waits_for != NOTHING, WAITING).values(AWAKE),
        "",
    ),
    "WAKE_WITHOUT_CHILD": (update(task).where(*OWNED, WAITING, ~LIVES).values(AWAKE), ""),
    "WAKE_FOR_PERSON": (
        update(task).where(task.c.id == WHICH, WAITING, task.c.waits_for == _word("person")).values(AWAKE),
        "",
    ),
    "WAKE_ANSWERED": (update(task).where(*OWNED, WAITING, UNSEEN).values(AWAKE), ""),
    "WAKE_WORKING": (update(task).where(*OWNED, WAITING, WORKS).values(AWAKE), ""),
    "ADD_ENTRY": (entry.insert(), ""),
    "NEXT_ENTRIES": (
        select(entry).where(entry.c.task == WHICH, entry.c.number > bindparam("after")).order_by(entry.c.number),
        " LIMIT ?",
    ),
    "MODEL_CALLS": (_model_calls(None, entry.c.at >= NOW), ""),
    "MODEL_CALLS_OF": (
        _model_calls(
            (entry.c.task == WHICH) | (entry.c.task > bindparam("low")) & (entry.c.task < bindparam("high")), None
        ),
        "",
    ),
    "OTHERS_TEXTS": (select(entry.c.facts, entry.c.body).where(entry.c.task != WHICH), ""),
    "ERASE_BODIES": (update(entry).where(entry.c.task == WHICH, entry.c.body.is_not(None)).values(body=None), ""),
    "ADD_LATE": (late.insert(), ""),
    "LATE_NOTES": (
        select(*[column for column in late.columns if column.name != "token"], NOTHING.label("digest"))
        .where(late.c.task == WHICH)
        .order_by(late.c.token, late.c.number),
        "",
    ),
    "OTHERS_LATE": (select(late.c.facts, late.c.body).where(late.c.task != WHICH), ""),
    "ERASE_LATE": (update(late).where(late.c.task == WHICH).values(body=NULL), ""),
    "ADD_PROPOSAL": (
        proposal.insert().values(_new("id", "task", "call", "action", "made", "state", "told")),
        "",
    ),
    "FIND_PROPOSAL": (select(*TOLD).where(proposal.c.id == WHICH), ""),
    "PROPOSALS_OF_TASK": (select(*TOLD).where(proposal.c.task == WHICH).order_by(proposal.c.made.desc()), ""),
    "PROPOSALS_IN_STATE": (
        select(*TOLD).where(proposal.c.state == WHICH).order_by(proposal.c.made.desc()),
        " LIMIT ?",
    ),
    "NEWEST_PROPOSALS": (select(*TOLD).order_by(proposal.c.made.desc()), " LIMIT ?"),
    "MATCH_PROPOSALS": (
        select(proposal.c.id, proposal.c.state).where(_begins(proposal)).order_by(proposal.c.made.desc()),
        " LIMIT ?",
    ),
    "ANSWER": (
        update(proposal)
        .where(proposal.c.id == WHICH, PENDING)
        .values(_new("state", "answered", "by", "reason", "covers", "edited", "seen")),
        "",
    ),
    "SEE": (update(proposal).where(proposal.c.id == WHICH).values(seen=_number(1)), ""),
    "CARRY_OUT": (
        update(proposal)
        .where(proposal.c.id == WHICH, proposal.c.state == _word("Approved"))
        .values(state=_word("Done")),
        "",
    ),
    "MAKE_STALE": (
        update(proposal)
        .where(proposal.c.id == WHICH, proposal.c.state == _word("Approved"))
        .values(state=_word("Stale")),
        "",
    ),
    "WITHDRAW": (update(proposal).where(proposal.c.task == WHICH, PENDING).values(state=_word("Withdrawn")), ""),
    "ERASE_PROPOSALS": (
        update(proposal).where(proposal.c.task == WHICH).values(told=NOTHING, reason=NOTHING, edited=NULL),
        "",
    ),
    "ADD_YES": (standing.insert(), ONCE),
    "HAS_YES": (select(standing.c.subject).where(standing.c.subject == WHICH), ""),
    "FIND_SEAT": (select(seat).where(seat.c.agent == WHICH), ""),
    "SEATS": (select(seat).order_by(seat.c.agent), ""),
    "ADD_SEAT": (seat.insert(), ""),
    "CHANGE_SEAT": (
        update(seat).where(seat.c.agent == WHICH).values(_new("sponsor", "state", "by", "at")),
        "",
    ),
}


@pytest.mark.parametrize("name", COMPILED)
def test_texts_are_what_the_tables_say(name: str) -> None:
    """A text is what SQLAlchemy makes of the tables for SQLite."""
    element, more = COMPILED[name]
    compiled = element.compile(dialect=sqlite.dialect())
    assert getattr(statements, name) == " ".join(f"{compiled}{more}".split())


def test_every_text_is_held() -> None:
    """No text is left out of the comparison."""
    assert {name for name in vars(statements) if name.isupper()} == set(COMPILED)


def test_rows_have_the_columns_order() -> None:
    """A row becomes a value by the places of its columns."""
    late_columns = [column.name for column in late.columns if column.name != "token"]
    assert [*late_columns, "digest"] == list(EntryRow._fields)
    assert list(EntryRow._fields) == [column.name for column in entry.columns]
