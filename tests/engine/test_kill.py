"""A job that is killed at any moment goes on from its record: nothing twice, nothing lost, and every sentence holds."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from metier.actions.scripts.leftover import end_left

from .sentences import Clean, Cut, clean_of, cut_of, receipt_of, untrue
from .world import World

ROOT = Path(__file__).parents[2]
AT_ONCE = 3
KILLED = -9
OF_ONE_KILL = {
    "every unknown was shown",
    "the money is right",
    "the model saw what it sees in a clean run",
}
NOT_REACHED = "this run had fewer statements"
"""Notes that come within two milliseconds share a transaction, so their number is not the same in every run."""
HOW = ("yes", "no", "record")
"""How a person answers for a call that was cut: it may be made again; it may not; or again, from another process."""


@dataclass(slots=True)
class Drivers:
    """Processes that work on jobs in worlds of their own, several at a time."""

    folder: Path
    free: "SimpleQueue[subprocess.Popen[str]]" = field(default_factory=SimpleQueue)

    def do(self, world: World, what: str, **how: Any) -> int:
        """Work in a process of its own, and answer its exit code."""
        driver = self.free.get()
        try:
            assert driver.stdin is not None
            assert driver.stdout is not None
            command = {"folder": str(world.folder), "what": what, "statement": 0, "hear": True, "how": "yes", **how}
            driver.stdin.write(f"{json.dumps(command)}\n")
            driver.stdin.flush()
            return int(driver.stdout.readline())
        finally:
            self.free.put(driver)

    def clean(self) -> Clean:
        """A run that nobody kills."""
        world = World(self.folder / "clean")
        world.make()
        assert self.do(world, "run") == 0
        assert receipt_of(world)["state"] == "Done"
        return clean_of(world)

    def killed(self, name: str, clean: Clean, *, nth: int, event: int = 0, statement: int = 0) -> list[str]:
        """Kill at one point, go on in another process, and answer what does not hold."""
        world = World(self.folder / name)
        world.make(kill_at_event=event)
        code = self.do(world, "run", statement=statement, hear=event > 0 or nth % 2 == 0)
        if code != KILLED:
            ended = code == 0 and receipt_of(world)["result"] == clean.result
            return [NOT_REACHED if ended else "it was killed, or ended as the clean run"]
        cut = cut_of(world)
        if self.do(world, "resume", how=HOW[nth % 3], hear=nth % 4 < 2) != 0:
            return ["another process can go on with it"]
        wrong = untrue(world, clean, cut)
        if not wrong:
            world.remove()
        return wrong

    def killed_again(self, name: str, clean: Clean, *, nth: int, event: int, statement: int) -> list[str]:
        """Kill at an event, and kill who goes on with it at a statement of theirs."""
        world = World(self.folder / name)
        world.make(kill_at_event=event)
        assert self.do(world, "run") == KILLED
        how = HOW[nth % 3]
        if self.do(world, "resume", how=how, statement=statement) == KILLED and self.do(world, "resume", how=how) != 0:
            return ["a third process can go on with it"]
        wrong = [sentence for sentence in untrue(world, clean, Cut()) if sentence not in OF_ONE_KILL]
        if not wrong:
            world.remove()
        return wrong


def _driver() -> "subprocess.Popen[str]":
    env = {name: os.environ[name] for name in ("PATH", "PYTHONDONTWRITEBYTECODE") if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.engine.driver"],
        cwd=ROOT,
        env={**env, "PYTHONPATH": "src"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def drivers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Drivers]:
    """Drivers for all tests of this file."""
    made = Drivers(tmp_path_factory.mktemp("worlds"))
    with ExitStack() as stack:
        for _ in range(AT_ONCE):
            driver = stack.enter_context(_driver())
            stack.callback(driver.communicate)
            made.free.put(driver)
        yield made


@pytest.fixture(scope="module")
def clean(drivers: Drivers) -> Clean:
    """What the job comes to when nobody kills it."""
    return drivers.clean()


def all_killed(
    kill_at: Callable[..., list[str]], clean: Clean, points: Mapping[str, Mapping[str, int]]
) -> Mapping[str, list[str]]:
    """What does not hold at each of the points, several at a time."""

    def kill(numbered: tuple[int, str]) -> list[str]:
        nth, name = numbered
        return kill_at(name, clean, nth=nth, **points[name])

    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = dict(zip(points, pool.map(kill, enumerate(points)), strict=True))
    return {name: wrong for name, wrong in found.items() if wrong}


def test_clean_run_does_all(clean: Clean) -> None:
    """The job that is killed has reads, changes, a yes, scripts, a hook and a result that is sent back once."""
    assert [name for _, name in clean.effects] == [
        "put 1", "put 2", "put 3", "send 1", "pay 1", "go", "check", "check",
    ]  # fmt: skip
    assert (clean.result, len(clean.requests), clean.statements > 100) == ({"total": 6}, 7, True)


def test_killed_at_every_event(drivers: Drivers, clean: Clean) -> None:
    """Killed before and after each effect, and while the model is asked or speaks: every sentence holds (O89, O58)."""
    points = {f"event-{nth}": {"event": nth} for nth in range(1, len(clean.told) + 1)}
    assert all_killed(drivers.killed, clean, points) == {}


def test_killed_at_every_write(drivers: Drivers, clean: Clean) -> None:
    """Killed before each statement that the record executes, and after the last: every sentence holds (O89)."""
    points = {f"statement-{nth}": {"statement": nth} for nth in range(1, clean.statements + 1)}
    found = all_killed(drivers.killed, clean, points)
    beyond = [name for name, wrong in found.items() if wrong == [NOT_REACHED]]
    assert {name: wrong for name, wrong in found.items() if name not in beyond} == {}
    assert len(beyond) < len(points) // 5


def test_killed_while_it_goes_on(drivers: Drivers, clean: Clean) -> None:
    """Who goes on with a task that was cut at an effect is killed too, before each of its statements."""
    effects = [nth for nth, name in enumerate(clean.told, 1) if name.endswith((" begins", " ends"))]
    points = {
        f"again-{nth}": {"event": effects[nth % len(effects)], "statement": nth}
        for nth in range(1, clean.statements // 2)
    }
    assert all_killed(drivers.killed_again, clean, points) == {}


def test_script_does_not_outlive_its_task(drivers: Drivers, clean: Clean) -> None:
    """A script whose metier was killed is ended before anybody is asked: it does nothing more behind the task's back."""
    world = World(drivers.folder / "linger")
    world.make(kill_at_event=clean.told.index("go begins") + 1)
    (world.folder / "linger").touch()
    assert drivers.do(world, "run") == KILLED
    cut = cut_of(world)
    (world.folder / "linger").unlink()
    assert drivers.do(world, "resume", how="no") == 0
    assert end_left(f"{receipt_of(world)['id']}:c5.1") == 0
    assert (untrue(world, clean, cut), "go" in [name for _, name in world.effects]) == ([], False)
