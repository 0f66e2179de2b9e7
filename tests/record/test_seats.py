"""Seats: who answers for an agent, and whether it works."""

import subprocess
import sys
from pathlib import Path

import pytest

from metier.domain.seat import Seat
from metier.domain.task import Waits
from metier.errors import RecordError
from metier.record import Record, open_record

SRC = str(Path(__file__).parents[2] / "src")
PAUSE = """
import sys
from metier.domain.seat import Seat
from metier.record import open_record
with open_record(sys.argv[1]) as record:
    record.put_seat(Seat("Estimator", "Ada", "paused", "Bob", 5))
"""


def test_a_seat_names_its_sponsor(kept: Record) -> None:
    """A seat is stored under its agent's name, and the later one stands (O68, O126)."""
    assert kept.seat("Estimator") is None
    kept.put_seat(Seat("Estimator", "Ada", at=1))
    assert kept.seat("Estimator") == Seat("Estimator", "Ada", "works", "", 1)
    kept.put_seat(Seat("Estimator", "Bob", "stopped", "Ada", 2))
    assert kept.seat("Estimator") == Seat("Estimator", "Bob", "stopped", "Ada", 2)


def test_seats_come_by_name(kept: Record) -> None:
    """All seats are listed by the names of their agents; the record tells when it stored one."""
    for name in ("Writer", "Estimator"):
        kept.put_seat(Seat(name, "Ada"))
    assert [seat.agent for seat in kept.seats()] == ["Estimator", "Writer"]
    assert all(seat.at > 0 for seat in kept.seats())


@pytest.mark.parametrize("seat", [Seat("", "Ada"), Seat("Estimator", "")])
def test_a_seat_names_somebody(kept: Record, seat: Seat) -> None:
    """A seat without an agent or without a sponsor is refused (O68)."""
    with pytest.raises(RecordError, match="names an agent and a sponsor"):
        kept.put_seat(seat)
    assert kept.seats() == []


def test_another_process_pauses_it(record: Record, path: str) -> None:
    """What another process stores is seen at the next look, by whoever has the record open (O72)."""
    record.put_seat(Seat("Estimator", "Ada", at=1))
    subprocess.run([sys.executable, "-c", PAUSE, path], check=True, env={"PYTHONPATH": SRC})
    assert record.seat("Estimator") == Seat("Estimator", "Ada", "paused", "Bob", 5)


def test_a_seat_outlives_its_record(record: Record, path: str) -> None:
    """A seat is there when put_seat returns, without a commit or a close."""
    record.put_seat(Seat("Estimator", "Ada", at=1))
    with open_record(path) as other:
        assert other.seat("Estimator") == Seat("Estimator", "Ada", "works", "", 1)


def test_work_again_wakes_tasks(kept: Record) -> None:
    """A task that waits for its agent is Ready when the agent works again, and not before (O72)."""
    kept.put_seat(Seat("Estimator", "Ada", "paused"))
    for task, agent in (("t", "Estimator"), ("u", "Writer")):
        kept.begin_task(task, skill="s", source="", giver="Ada", agent=agent)
        kept.pause_task(task, Waits("agent", agent=agent))
    assert [(row.state, row.waits_for) for row in kept.tasks()] == [
        ("Waiting", "agent:Writer"),
        ("Waiting", "agent:Estimator"),
    ]
    kept.put_seat(Seat("Estimator", "Ada", "paused", "Bob"))
    assert kept.ready() == []
    kept.put_seat(Seat("Estimator", "Ada", "works"))
    assert (kept.ready(), kept.row("t").waits_for) == (["t"], "")


def test_no_work_is_slept_over(kept: Record) -> None:
    """An agent that works again before the pause is written is not waited for."""
    kept.put_seat(Seat("Estimator", "Ada", "works"))
    kept.begin_task("t", skill="s", source="", giver="Ada", agent="Estimator")
    kept.pause_task("t", Waits("agent", agent="Estimator"))
    assert kept.ready() == ["t"]
