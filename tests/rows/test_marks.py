"""The mark of a call: it settles exactly what became of a call whose process died, and fences a process that wakes."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, func, select, text
from sqlalchemy.orm import Session

from metier.domain.action import Returned, Settled
from metier.errors import ActionError, SetupError
from metier.rows import marks
from metier.rows.unit import unit_of_work

from .acts import call, says
from .shop import Repair, Shelf

KEY = "task-1:call-1"

DIES = """
import os, signal, sys
from sqlalchemy import create_engine, text
from metier.rows.unit import unit_of_work
def die(*_): os.kill(os.getpid(), signal.SIGKILL)
with unit_of_work(create_engine(sys.argv[1]), writes=True, key="task-1:call-1") as unit:
    unit.session.execute(text("UPDATE repair SET note = 'x'"))
    unit.answer = {"noted": 1}
    if sys.argv[2] == "before": die()
die()
"""


def note(engine: Engine) -> str:
    with Session(engine) as session:
        return session.scalars(select(Repair.note)).one()


def settle(engine: Engine, *, sends: bool = False) -> Settled:
    """What the hook answers that an action is given."""

    async def asked() -> Settled:
        return await marks.settle_by_mark(engine, sends=sends)({}, KEY)

    return asyncio.run(asked())


def change(engine: Engine, answer: object = None) -> None:
    """One whole call that changes the note."""
    with unit_of_work(engine, writes=True, key=KEY) as unit:
        unit.session.execute(text("UPDATE repair SET note = 'x'"))
        unit.answer = answer


@pytest.mark.parametrize(("dies", "settled"), [("before", "never_ran"), ("after", Returned({"noted": 1}))])
def test_a_killed_call_is_settled(engine: Engine, dies: str, settled: object) -> None:
    """A call whose process is killed is settled by its mark: it ran, with its answer, or it never did (O84)."""
    url = engine.url.render_as_string(hide_password=False)
    died = subprocess.run([sys.executable, "-c", DIES, url, dies], check=False, capture_output=True)
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    assert settle(engine) == settled
    assert (note(engine) == "x") is isinstance(settled, Returned)


def test_a_sender_without_mark_is_unknown(engine: Engine) -> None:
    """A call that also sends may have sent, though its rows are as before."""
    assert settle(engine, sends=True) == "unknown"
    change(engine, 1)
    assert settle(engine, sends=True) == Returned(1)


def test_a_settled_call_can_run_again(engine: Engine) -> None:
    """A call that never ran is made again under the same key, once (O84)."""
    for _ in range(2):
        assert marks.settled_by_mark(engine, KEY) == "never_ran"
    change(engine, 1)
    assert marks.settled_by_mark(engine, KEY) == Returned(1)
    with pytest.raises(ActionError, match="took effect already"):
        change(engine)


@pytest.mark.parametrize("engine", ["postgres"], indirect=True)
@pytest.mark.parametrize("earlier", [0, 1])
def test_a_process_that_wakes_is_fenced(engine: Engine, earlier: int) -> None:
    """A call that was settled as never run while its process stood still cannot commit any more."""
    for _ in range(earlier):
        marks.settled_by_mark(engine, KEY)
    other = create_engine(engine.url)
    settled: list[object] = []
    acts = says("UPDATE repair SET note = 'late'"), lambda _: settled.append(marks.settled_by_mark(other, KEY))
    with pytest.raises(ActionError, match="given up by another"):
        call(engine, *acts, writes=True, key=KEY)
    other.dispose()
    assert settled == ["never_ran"]
    assert note(engine) == ""


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_a_held_lock_is_unknown(engine: Engine) -> None:
    """While the process that began the call still holds its transaction open, nobody can tell."""
    other = create_engine(engine.url, connect_args={"timeout": 0})
    with unit_of_work(engine, writes=True, key=KEY):
        assert marks.settled_by_mark(other, KEY) == "unknown"
    assert marks.settled_by_mark(other, KEY) == Returned(None)
    other.dispose()


@pytest.mark.parametrize("answer", ["x" * marks.MOST_ANSWER, {1, 2}, float("nan")], ids=["long", "a set", "no number"])
def test_an_unfit_answer_is_not_kept(engine: Engine, answer: object) -> None:
    """An answer that is long or no JSON is left out; that the call ran is told all the same."""
    change(engine, answer)
    settled = marks.settled_by_mark(engine, KEY)
    assert settled == Returned(text=marks.NO_ANSWER)


def test_marks_of_an_ended_task_go(engine: Engine) -> None:
    """The marks of one task are taken away, and those of a task with a longer name stay."""
    for key in ("task-1:a", "task-1:b", "task-10:a", "task-1"):
        with unit_of_work(engine, writes=True, key=key):
            pass
    assert marks.forget(engine, "task-1") == 2
    with engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(marks.DONE)) == 2


def test_a_query_leaves_no_mark(engine: Engine) -> None:
    """A call that only reads leaves no mark, and neither does one without a key."""
    for writes, key in ((False, KEY), (True, "")):
        with unit_of_work(engine, writes=writes, key=key):
            pass
    assert not marks.ran(engine, KEY)


def test_a_missing_table_is_told(tmp_path: Path) -> None:
    """Without the table of marks a call that changes is refused before it begins, with what to do."""
    engine = create_engine(f"sqlite:///{tmp_path / 'app.db'}")
    Shelf.metadata.create_all(engine)
    with pytest.raises(SetupError, match="no table metier_done"), unit_of_work(engine, writes=True, key=KEY):
        pass
    marks.make_table(engine)
    marks.make_table(engine)
    with unit_of_work(engine, writes=True, key=KEY):
        pass
    engine.dispose()
