"""Stopping: Ctrl-C at any point ends the task Stopped, leaves no process, and stands on the record."""

import os
import signal
import uuid
from dataclasses import dataclass
from pathlib import Path

import pytest

from .conftest import QUESTION, Project, runs_go
from .screen import CTRL_C, Screen

SLOW = """
import os, subprocess, sys, time
subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])
open({0!r}, 'w', encoding='utf-8').close()
time.sleep(600)
"""


@dataclass(slots=True)
class Slow:
    """A project whose skill `wait` takes ten minutes, and a file of it with a name that no other test has."""

    project: Project
    file: str

    def begin(self) -> Screen:
        """Begin the task, and wait until its script and the script's child run."""
        screen = self.project.screen("run", "wait", "--yes", "--file", self.file)
        screen.until("... run_skill_script wait/scripts/go.py")
        while not (self.project.folder / "begun").exists():
            screen.until(" s")
        return screen

    def alive(self) -> list[int]:
        """The processes that run where the file lies: the command itself, the script and its child."""
        found = (int(pid) for pid in os.listdir("/proc") if pid.isdecimal())
        return [pid for pid in found if os.path.exists(f"/proc/{pid}/cwd/{self.file}")]


@pytest.fixture
def slow(project: Project, tmp_path: Path) -> Slow:
    """A task that is still at work when it is stopped."""
    project.skill("wait", script=SLOW.format(str(project.folder / "begun")))
    project.model(runs_go("wait"), "Says.text('done')")
    file = f"{tmp_path.name}-{uuid.uuid4().hex}.txt"
    (project.folder / file).write_text("", encoding="utf-8")
    return Slow(project, file)


def stopped(project: Project) -> None:
    """Hold that the newest task was stopped and says so."""
    receipt = project.receipt()
    assert (receipt["state"], receipt["reason"]) == ("Stopped", "cancelled")
    assert "Stopped: the task was stopped" in project.run("show", project.task()).out
    assert project.run("verify", project.task()).code == 0


def test_stop_in_a_script(slow: Slow) -> None:
    """Ctrl-C while a script runs: exit 130, a receipt, and neither the script nor its child is left."""
    screen = slow.begin()
    assert len(slow.alive()) >= 3
    screen.type(CTRL_C)
    assert screen.end() == 130
    assert slow.alive() == []
    assert "Stopped: the task was stopped" in screen.text
    assert "Traceback" not in screen.text
    stopped(slow.project)


def test_stop_while_asked(project: Project) -> None:
    """Ctrl-C at a question stops the task; it is nobody's answer."""
    screen = project.screen("run", "greet")
    screen.until(QUESTION)
    screen.type(CTRL_C)
    assert screen.end() == 130
    stopped(project)
    assert project.receipt()["calls"]["approved"] == 0


def test_stop_while_playing_the_model(project: Project) -> None:
    """Ctrl-C in the model's place stops the task."""
    screen = project.screen("run", "greet", "--model", "me")
    screen.until("Answer in words")
    screen.type(CTRL_C)
    assert screen.end() == 130
    # What the terminal shows of Ctrl-C is not followed by a line of ours.
    assert "^C" not in screen.text or screen.text.split("^C")[1].startswith("\n")
    stopped(project)


def test_interrupt_without_a_terminal(slow: Slow) -> None:
    """An interrupt from outside is the same as Ctrl-C."""
    screen = slow.begin()
    os.kill(screen.process.pid, signal.SIGINT)
    assert screen.end() == 130
    assert slow.alive() == []
    stopped(slow.project)


def test_json_of_a_stopped_task(slow: Slow) -> None:
    """A stopped task has its JSON too."""
    screen = slow.project.screen("run", "wait", "--json", "--file", slow.file)
    screen.answer(QUESTION, "y")
    screen.until(QUESTION)
    screen.type(CTRL_C)
    assert screen.end() == 130
    assert '"state": "Stopped"' in screen.text


def test_killed_task_is_unknown(slow: Slow) -> None:
    """A command that was killed leaves a task that has not ended, and its call as unknown, never as done."""
    screen = slow.begin()
    screen.process.kill()
    screen.process.wait()
    for pid in slow.alive():
        os.kill(pid, signal.SIGKILL)
    receipt = slow.project.receipt()
    assert (receipt["state"], receipt["ended"], receipt["calls"]["unknown"]) == ("Running", None, 1)
    assert "UNKNOWN" in slow.project.run("show", slow.project.task()).out
