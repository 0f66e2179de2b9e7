"""Does a record that another program holds cost any job its end?

differs = "`store.busy` is the error RecordBusy"
"""

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from metier.domain.entry import Entry
from metier.errors import RecordBusy
from metier.record import open_record

from ..case import HERE, Case, Happened
from ..playing import RECORD

ROOT = HERE.parents[1]
HOLDER = """\
import sqlite3, sys, time
held = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
while True:
    held.execute("BEGIN IMMEDIATE")
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
    held.execute("ROLLBACK")
    time.sleep(0.3)
"""
ONCE = ["Given", "Briefed", "ModelCalled", "ModelAnswered", "ToolCalled", "ToolReturned", "Done"]
EXPECTED = {
    "exits": [0, 0, 0, 0],
    "said to standard error": b"",
    "states": {"Done": 20},
    "held": True,
    "verified": 20,
    "entries": {tuple(zip(ONCE, (1, 1, 3, 3, 2, 2, 1), strict=True)): 20},
    "calls twice": 0,
    "held too long": {"error": "RecordBusy", "states": [("Running",)], "after": (["Given", "Stopped"], True)},
}


def happens(case: Case, folder: Path) -> Happened:
    """Let four processes do the jobs while one holds the record again and again; then hold it for longer than is waited."""
    plan = case.read("plan.toml")
    record = folder / RECORD
    open_record(str(record)).close()
    jobs = plan["jobs"] // plan["processes"]
    with _holding(record, plan["hold_seconds"]) as holder:
        ended = _work(record, range(0, plan["jobs"], jobs), jobs)
        held = holder.poll() is None
    facts: dict[str, Any] = {
        "exits": [code for code, _ in ended],
        "said to standard error": b"".join(said for _, said in ended),
        "held": held,
        **_recorded(record),
        "held too long": asyncio.run(_too_long(str(folder / "held.sqlite"))),
    }
    return Happened("ok" if facts["states"] == {"Done": plan["jobs"]} else "error", facts=facts)


@contextmanager
def _holding(record: Path, seconds: float) -> Generator[subprocess.Popen[bytes]]:
    """Another process that holds the record's lock for so long, again and again."""
    command = [sys.executable, "-c", HOLDER, str(record), str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        try:
            assert holder.stdout is not None
            holder.stdout.readline()
            yield holder
        finally:
            holder.kill()


def _work(record: Path, firsts: range, jobs: int) -> list[tuple[int, bytes]]:
    """Processes that do the jobs, their exit codes and what they say to standard error."""
    paths = {"PYTHONPATH": str(ROOT / "src"), "PYTHONWARNINGS": "error"}
    command = [sys.executable, "-m", "tests.cases.locked", str(record)]
    workers = [
        subprocess.Popen(
            [*command, str(first), str(jobs)],
            cwd=ROOT,
            env={**os.environ, **paths},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for first in firsts
    ]
    ended: list[tuple[int, bytes]] = []
    for worker in workers:
        with worker:
            _, said = worker.communicate(timeout=120)
            ended.append((worker.returncode, said))
    return ended


def _recorded(path: Path) -> dict[str, Any]:
    with open_record(str(path)) as record:
        tasks = record.tasks()
        entries = {task.id: list(record.entries(task.id)) for task in tasks}
        return {
            "states": dict(Counter(task.state for task in tasks)),
            "verified": sum(record.verify(task.id).ok for task in tasks),
            "entries": dict(Counter(map(_kinds, entries.values()))),
            "calls twice": sum(map(_twice, entries.values())),
        }


def _kinds(entries: list[Entry]) -> tuple[tuple[str, int], ...]:
    counts = Counter(entry.kind for entry in entries)
    return tuple((kind, counts[kind]) for kind in counts)  # in the order in which they came first


def _twice(entries: list[Entry]) -> int:
    begun = Counter(entry.facts["call"] for entry in entries if entry.kind == "ToolCalled")
    return sum(times > 1 for times in begun.values())


async def _too_long(path: str) -> dict[str, Any]:
    """What a writer is told of a record that is held for longer than it waits, and whether anything is lost by it."""
    with open_record(path, patience=0.1) as record, closing(sqlite3.connect(path, isolation_level=None)) as other:
        log = record.begin_task("job", skill="job", source="", giver="Ada")
        log.note("Given", {})
        await log.commit(power=True)
        other.execute("BEGIN IMMEDIATE")
        log.note("Stopped", {"ended": "Stopped"})
        with pytest.raises(RecordBusy) as caught:
            await log.commit(power=True)
        states = other.execute("SELECT state FROM task").fetchall()
        other.execute("ROLLBACK")
        record.let_go("job")
        await log.commit()
        again = record.take_up("job")
        assert again is not None
        record.end_task("job", state="Stopped", reason="cancelled")
        await again.commit(power=True)
        after = [entry.kind for entry in record.entries("job")], record.verify("job").ok
        return {"error": type(caught.value).__name__, "states": states, "after": after}
