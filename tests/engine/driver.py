"""How is one job killed, and how does another process go on with it?

python -m tests.engine.driver

It reads commands as lines of JSON, and forks a process of its own for each; what that comes to is answered as a line.
"""

import json
import os
import sqlite3
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from metier.app.metier import Metier
from metier.domain.proposal import Proposal, Reply
from metier.errors import TaskError

from .job import house
from .world import World, die

RUNS = 6
"""So many runs must be enough for a task that was killed once."""


def main() -> None:
    """Serve until there are no more commands."""
    _warm()
    for line in sys.stdin:
        command: dict[str, Any] = json.loads(line)
        child = os.fork()
        if not child:
            os.dup2(2, 1)
            os._exit(_worked(command))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _warm() -> None:
    """Import what a job imports as it goes, once for all processes; nothing else is handed on to them."""
    from metier.actions.schema import check_for

    check_for({"type": "object"})({})


def _worked(command: dict[str, Any]) -> int:
    world = World(Path(command["folder"]))
    try:
        world.enter()
        tempfile.tempdir = str(world.folder / "temporary")
        count_statements(world, command["statement"])
        if command["what"] == "run":
            _run(world, hear=command["hear"])
        else:
            world.spare()
            _resume(world, how=command["how"], hear=command["hear"])
    except BaseException:  # noqa: BLE001 - whatever it is, the test is told
        traceback.print_exc()
        return 1
    return 0


def count_statements(world: World, last: int) -> None:
    """Keep each statement that this process gives to the database; before the last one it is killed."""
    count, before = 0, ""
    kept = open(world.folder / "statements", "a", encoding="utf-8", buffering=1)  # noqa: SIM115 - to the process's end

    def seen(statement: str) -> None:
        nonlocal count, before
        if statement == before:
            return  # told again, for a trigger of the same statement
        before = statement
        count += 1
        if count == last:
            die()
        if not last:
            kept.write(f"{statement.split(maxsplit=1)[0]} {statement.rsplit(maxsplit=1)[-1][:40]}\n")

    connect = sqlite3.connect

    def traced(*given: Any, **how: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*given, **how)
        connection.set_trace_callback(seen)
        return connection

    # The connections stay what they are. An audit hook would do, were it not called before they are ready.
    sqlite3.connect = traced  # type: ignore[assignment]  # one of its many forms


def _run(world: World, *, hear: bool) -> None:
    app, skill = house(world)
    with app:
        receipt = app.run(skill, approver=_yes, hear=_heard(world, hear=hear))
    _keep(world, receipt)


def _resume(world: World, *, how: str, hear: bool) -> None:
    app, skill = house(world)
    with app:
        rows = app.tasks()
        try:
            receipt = (
                _to_the_end(app, rows[0].id, how, _heard(world, hear=hear)) if rows else app.run(skill, approver=_yes)
            )
        except TaskError as error:
            # It died before the task was given whole, and says so.
            if "never given whole" not in error.message:
                raise
            receipt = app.run(skill, approver=_yes)
    _keep(world, receipt)


def _to_the_end(app: Metier, task: str, how: str, hear: Callable[[str], None] | None) -> Any:
    if app.record.row(task).ended is not None:
        return app.receipt(task)
    if how == "record":
        for _ in range(RUNS):
            receipt = app.resume(task, hear=hear)
            if receipt.ended is not None:
                return receipt
            for stored in app.proposals(task):
                app.answer(stored.proposal.id, Reply("yes", "Ada"))
    return app.resume(task, approver=_yes if how == "yes" else _no_to_unknown, hear=hear)


def _heard(world: World, *, hear: bool) -> Callable[[str], None] | None:
    return (lambda _: world.event("model is heard")) if hear else None


def _yes(_: Proposal) -> bool:
    return True


def _no_to_unknown(proposal: Proposal) -> Reply:
    """No to what may have been done already; but a check must be made, or there is no verdict."""
    again = not proposal.unknown or proposal.action.endswith("check.sh")
    return Reply("yes" if again else "no", "Ada", covers="subject" if proposal.subject else "call")


def _keep(world: World, receipt: Any) -> None:
    (world.folder / "receipt").write_text(json.dumps(asdict(receipt), default=str), encoding="utf-8")


if __name__ == "__main__":
    main()
