"""Nothing that a script started stays alive."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from metier.actions.scripts.limits import ScriptLimits
from metier.actions.scripts.run import run_script

from .conftest import Run, Write

SPAWNS = """
import subprocess, sys
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])
open('pid', 'w').write(str(child.pid))
print('started')
"""
ESCAPES = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for fd in range(3):
            os.dup2(null, fd)
        os.closerange(3, 256)
        open('pid.new', 'w').write(str(os.getpid()))
        os.rename('pid.new', 'pid')
        time.sleep(60)
    os._exit(0)
while not os.path.exists('pid'):
    time.sleep(0.01)
print('started')
"""
SHEDS = """
env -i setsid sh -c 'echo $$ > pid.new; mv pid.new pid; exec sleep 60' > /dev/null 2>&1 &
while [ ! -e pid ]; do sleep 0.01; done
"""
JOB = "set -m\nsleep 60 &\necho $! > pid\n"
LATE = "exec > >(sleep 0.02; cat)\necho late\n"

Gone = Callable[[Path], bool]


def test_grandchild_is_ended(run: Run, write: Write, scratch: Path, gone: Gone) -> None:
    """A child in the background holds nothing up, and is ended and counted (case 041)."""
    ended = run(write("spawns.py", SPAWNS), limits=ScriptLimits(seconds=30))
    assert (ended.ended, ended.exit, ended.left) == ("exited", 0, 1)
    assert Path(ended.stdout.path).read_text(encoding="utf-8") == "started\n"
    assert ended.seconds < 30
    assert gone(scratch / "pid")


@pytest.mark.parametrize(("name", "text"), [("escapes.py", ESCAPES), ("sheds.sh", SHEDS), ("job.sh", JOB)])
def test_escaped_child_is_found(run: Run, write: Write, scratch: Path, gone: Gone, *, name: str, text: str) -> None:
    """A child is found that left the group and closed everything, shed its environment, or is a job of its own."""
    ended = run(write(name, text))
    assert (ended.ended, ended.exit, ended.left) == ("exited", 0, 1)
    assert gone(scratch / "pid")


@pytest.mark.needs("bash")
def test_late_output_is_kept(run: Run, write: Write) -> None:
    """What a helper process prints just after the script's end is kept, and nobody is ended for it."""
    ended = run(write("late.sh", LATE))
    assert Path(ended.stdout.path).read_text(encoding="utf-8") == "late\n"
    assert ended.left == 0


def test_time_limit_ends_all(run: Run, write: Write, scratch: Path, gone: Gone) -> None:
    """At the time limit the escaped child is ended with the script."""
    script = write("stays.py", ESCAPES + "time.sleep(60)\n")
    ended = run(script, limits=ScriptLimits(seconds=3))
    assert (ended.ended, ended.left) == ("timed_out", 1)
    assert gone(scratch / "pid")


async def cancelled_once_begun(script: str, scratch: Path, outputs: Path) -> None:
    """Start a script, wait until it wrote its child's number, and cancel the run."""
    running = run_script([sys.executable, script], scratch=str(scratch), outputs=str(outputs))
    task = asyncio.ensure_future(running)
    while not (scratch / "own").exists():  # noqa: ASYNC110  # another process makes the file
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_cancelled_run_leaves_nothing(write: Write, scratch: Path, tmp_path: Path, gone: Gone) -> None:
    """A cancelled run ends the script and its escaped child, and what it printed until then is kept."""
    script = write(
        "stays.py",
        f"{ESCAPES}sys.stdout.flush()\nopen('own.new', 'w').write(str(os.getpid()))\nos.rename('own.new', 'own')\ntime.sleep(60)\n",
    )
    asyncio.run(cancelled_once_begun(script, scratch, tmp_path / "outputs"))
    assert gone(scratch / "pid")
    assert gone(scratch / "own")
    kept = next((tmp_path / "outputs").glob("*.stdout"))
    assert kept.read_text(encoding="utf-8") == "started\n"


def test_no_zombie_and_no_descriptor_remains(run: Run, write: Write) -> None:
    """After runs that ended in different ways this process has no child and no descriptor more than before."""
    quick, spawns = write("quick.py", "print('x')\n"), write("spawns.py", SPAWNS)
    run(quick)
    before = len(os.listdir("/proc/self/fd"))
    run(spawns)
    run(quick, limits=ScriptLimits(seconds=0.001))
    assert len(os.listdir("/proc/self/fd")) == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_others_are_left_alone(run: Run, write: Write) -> None:
    """A process of ours that has nothing to do with the run lives on."""
    with subprocess.Popen(["sleep", "60"]) as other:
        run(write("spawns.py", SPAWNS))
        assert other.poll() is None
        other.kill()
