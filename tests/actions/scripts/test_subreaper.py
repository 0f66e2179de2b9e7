"""Orphans of scripts that come to the command line's process."""

import subprocess
import sys
from pathlib import Path

import metier

from .conftest import Write

PROGRAM = """
import asyncio, os, sys
from metier.actions.scripts.run import run_script
from metier.actions.scripts.subreaper import become_subreaper
assert become_subreaper()
for script in sys.argv[1:]:
    ended = asyncio.run(run_script([sys.executable, script], scratch=".", outputs="outputs"))
    print(ended.exit, ended.left)
try:
    os.waitpid(-1, os.WNOHANG)
    print("a child is left")
except ChildProcessError:
    print("no child is left")
"""
STAYS = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
    os._exit(0)
os.wait()
"""
ENDS = """
import os
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os._exit(0)
    os._exit(0)
os.wait()
"""
LEAVES = """
import os
if os.fork() == 0:
    os._exit(0)
"""


def test_orphans_are_reaped(write: Write, scratch: Path) -> None:
    """Escaped children are ended and reaped, whether they lived on, ended by themselves or were just left."""
    scripts = [write(name, text) for name, text in (("a.py", STAYS), ("b.py", ENDS), ("c.py", LEAVES))]
    command = [sys.executable, "-c", PROGRAM, *scripts]
    source = str(Path(metier.__file__).parents[1])
    told = subprocess.run(command, cwd=scratch, env={"PYTHONPATH": source}, capture_output=True, text=True, check=True)
    assert told.stdout == "0 1\n0 0\n0 0\nno child is left\n"
