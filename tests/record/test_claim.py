"""Taking tasks up by several processes, and finding those that are ready."""

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from metier.domain.proposal import Proposal, Reply
from metier.domain.task import Waits
from metier.errors import TaskOver
from metier.record import Record, open_record
from metier.record.claim import ready_tasks
from metier.record.connections import Connections
from metier.record.statements import READY, WAKE_FOR

SRC = str(Path(__file__).parents[2] / "src")
CLAIM = """
import sys
from metier.errors import TaskOver
from metier.record import open_record
with open_record(sys.argv[1]) as record:
    print("open", flush=True)
    sys.stdin.readline()
    mine = []
    while ready := record.ready(limit=4):
        for task in ready:
            try:
                log = record.take_up(task)
            except TaskOver:
                continue  # another one was quicker
            if log is not None:
                log.note("Done", {"by": sys.argv[2], "ended": "Done"})
                record.end_task(task, state="Done", reason="answered")
                mine.append(task)
    print(*mine)
"""
DIE = """
import asyncio, os, sys
from metier.record import open_record
async def main():
    log = open_record(sys.argv[1], lease=float(sys.argv[2])).begin_task("t", skill="s", source="", giver="Ada")
    log.note("Given", {})
    await log.commit()
    os._exit(7)
asyncio.run(main())
"""


def _begin(record: Record, task: str = "t") -> Any:
    return record.begin_task(task, skill="s", source="", giver="Ada")


def _paused(record: Record, task: str, waits: Waits) -> None:
    _begin(record, task)
    record.pause_task(task, waits)


def _plan(path: str, statement: str, values: tuple[object, ...]) -> list[str]:
    connections = Connections(path, patience=1)
    with connections.use() as connection:
        connection.execute("ANALYZE")
        rows = connection.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
    connections.close()
    return [str(row[3]) for row in rows]


def _worker(path: str, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CLAIM, path, name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": SRC},
    )


def test_each_task_is_taken_once(path: str) -> None:
    """Four processes that claim the same tasks at the same moment get each of them once (engine, claim)."""
    with open_record(path) as record:
        for number in range(120):
            _paused(record, f"task-{number:03}", Waits("worker"))
    workers = [_worker(path, name) for name in "abcd"]
    for worker in workers:
        assert worker.stdout
        assert worker.stdout.readline() == "open\n"
    for worker in workers:
        assert worker.stdin
        print(file=worker.stdin, flush=True)
    taken = [task for worker in workers for task in worker.communicate(timeout=60)[0].split()]
    assert sorted(taken) == [f"task-{number:03}" for number in range(120)]
    with open_record(path) as record:
        assert all(record.verify(task).entries == 1 and record.verify(task).ok for task in taken)


def test_a_dead_process_is_followed(path: str) -> None:
    """What a process left that died without a word is taken up when its lease has run out, with its entries."""
    died = subprocess.run([sys.executable, "-c", DIE, path, "0.5"], check=False, env={"PYTHONPATH": SRC})
    assert died.returncode == 7
    with open_record(path) as record:
        while not record.ready():
            time.sleep(0.02)
        log = record.take_up("t")
        assert log is not None
        assert (log.entries_noted, log.lease.token, record.verify("t").ok) == (1, 2, True)


def test_a_closed_record_frees_its_tasks(path: str) -> None:
    """Closing gives up what is held: another process need not wait for the lease to run out."""
    with open_record(path) as record, open_record(path) as other:
        _begin(record).note("Given", {})
        assert other.take_up("t") is None
        record.close()
        assert other.ready() == ["t"]
        assert other.take_up("t") is not None


def test_polls_do_not_walk_what_waits(path: str) -> None:
    """With 10,000 waiting tasks and as many ended ones a poll goes through the index of open tasks only."""
    connections = Connections(path, patience=1)
    with open_record(path) as record:
        _paused(record, "ready", Waits("worker"))
    with connections.changing() as connection:
        connection.executemany(
            "INSERT INTO task (id, skill, source, giver, started, ended, state, reason, waits_for, wake_at) "
            "VALUES (?, 's', '', 'Ada', 1, ?, ?, '', 'person', ?)",
            [(f"w{n}", None, "Waiting", 1 << 62 if n % 2 else None) for n in range(10_000)]
            + [(f"d{n}", 1, "Done", None) for n in range(10_000)],
        )
    assert ready_tasks(connections, limit=10) == ["ready"]
    connections.close()
    plan = _plan(path, READY, (1, 1, 5, 1, 10))
    searches = [line for line in plan if "task" in line and ("SEARCH" in line or "SCAN" in line)]
    indexes = [line.split("INDEX ")[1] for line in searches]
    # Of the first three the states are looked up; the last index holds only tasks that somebody asked to stop.
    assert [index.split(" ")[0] for index in indexes] == ["task_open"] * 3 + ["task_stopping"]
    assert [("state=?" in index) for index in indexes] == [True, True, True, False]
    assert "wake_at<?" in indexes[1]


def test_an_end_does_not_walk_what_waits(record: Record, path: str) -> None:
    """Who waits for a child is found by an index."""
    assert "task_waits (waits_for=?)" in _plan(path, WAKE_FOR, ("child:x",))[0]


def _answer(record: Record, name: str, by: str, start: threading.Barrier) -> str:
    start.wait()
    try:
        record.answer(name, Reply("yes", by))
    except TaskOver as over:
        return over.message
    return ""


def test_one_of_two_answers_wins(record: Record, path: str) -> None:
    """Of two processes that answer at the same moment one wins, and the other is told who (O81)."""
    log = _begin(record)
    with open_record(path) as a, open_record(path) as b, ThreadPoolExecutor(2) as pool:
        for number in range(30):
            name, start = f"t.p{number}", threading.Barrier(2)
            log.propose(Proposal(name, "t", "c1", "pay", {}, (), ""))
            said = pool.map(_answer, (a, b), (name, name), ("Ada", "Bob"), (start, start))
            (told,) = [message for message in said if message]
            winner = record.proposal(name).reply
            assert winner is not None
            assert f"answered by {winner.by}" in told


def test_a_wake_up_is_never_lost(path: str) -> None:
    """A pause and an answer at the same moment, from two processes, always leave the task Ready."""
    with open_record(path) as owner, open_record(path) as person:
        for number in range(40):
            task, start = f"t{number}", threading.Barrier(2)
            log = _begin(owner, task)
            log.propose(Proposal(f"{task}.p1", task, "c1", "pay", {}, (), ""))

            def answer(task: str = task, start: threading.Barrier = start) -> None:
                start.wait()
                person.answer(f"{task}.p1", Reply("yes", "Ada"))

            thread = threading.Thread(target=answer)
            thread.start()
            start.wait()
            owner.pause_task(task, Waits("person"))
            thread.join()
        assert {row.state for row in owner.tasks()} == {"Ready"}
