"""Stopping: Ctrl-C at any point ends the task Stopped, leaves no process, and stands on the record."""

import os
import signal

import pytest

from .conftest import QUESTION, Project, runs_go
from .screen import CTRL_C, Screen

SLOW = """
import os, subprocess, sys, time
subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])
open({0!r}, 'w', encoding='utf-8').close()
time.sleep(600)
"""
NAME = "the-folder-of-this-test"


@pytest.fixture
def slow(project: Project) -> Project:
    """A project whose skill `wait` runs ten minutes, with a child, and is given a file of a name of its own."""
    project.skill("wait", script=SLOW.format(str(project.folder / "begun")))
    (project.folder / NAME).write_text("", encoding="utf-8")
    project.model(runs_go("wait"), "Says.text('done')")
    return project


def until_begun(slow: Project, screen: Screen) -> None:
    """Wait until the script has written its file; the screen tells that the call runs."""
    screen.until("... run_skill_script wait/scripts/go.py")
    while not (slow.folder / "begun").exists():
        screen.until(" s")


def alive() -> list[str]:
    """The processes that run where the task's file lies."""
    return [pid for pid in os.listdir("/proc") if pid.isdecimal() and os.path.exists(f"/proc/{pid}/cwd/{NAME}")]


def stopped(slow: Project) -> None:
    """Hold that the newest task was stopped and says so."""
    receipt = slow.receipt()
    assert (receipt["state"], receipt["reason"]) == ("Stopped", "cancelled")
    assert "Stopped: the task was stopped" in slow.run("show", slow.task()).out
    assert slow.run("verify", slow.task()).code == 0


def test_stop_in_a_script(slow: Project) -> None:
    """Ctrl-C while a script runs: exit 130, a receipt, and neither the script nor its child is left."""
    screen = slow.screen("run", "wait", "--yes", "--file", NAME)
    until_begun(slow, screen)
    # The command itself, the script and its child.
    assert len(alive()) >= 3
    screen.type(CTRL_C)
    assert screen.end() == 130
    assert alive() == []
    assert "Stopped: the task was stopped" in screen.text
    assert "Traceback" not in screen.text
    stopped(slow)


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
    stopped(project)


def test_interrupt_without_a_terminal(slow: Project) -> None:
    """An interrupt from outside is the same as Ctrl-C."""
    screen = slow.screen("run", "wait", "--yes", "--file", NAME)
    until_begun(slow, screen)
    os.kill(screen.process.pid, signal.SIGINT)
    assert screen.end() == 130
    assert alive() == []
    stopped(slow)


def test_json_of_a_stopped_task(slow: Project) -> None:
    """A stopped task has its JSON too."""
    screen = slow.screen("run", "wait", "--json", "--file", NAME)
    screen.answer(QUESTION, "y")
    screen.until(QUESTION)
    screen.type(CTRL_C)
    assert screen.end() == 130
    assert '"state": "Stopped"' in screen.text


def test_killed_task_is_unknown(slow: Project) -> None:
    """A command that was killed leaves a task that has not ended, and its call as unknown, never as done."""
    screen = slow.screen("run", "wait", "--yes", "--file", NAME)
    until_begun(slow, screen)
    screen.process.kill()
    screen.process.wait()
    left = alive()
    receipt = slow.receipt()
    for pid in left:
        os.kill(int(pid), signal.SIGKILL)
    assert (receipt["state"], receipt["ended"], receipt["calls"]["unknown"]) == ("Running", None, 1)
    assert "UNKNOWN" in slow.run("show", slow.task()).out
