"""Whose process a task is, and whether it still lives."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from metier.record import open_record
from metier.record.owner import is_gone, owner_name

NAMING = "from metier.record.owner import owner_name; print(owner_name(), flush=True); input()"
BEGINNING = """
import os, signal, sys
from metier.record import open_record
log = open_record(sys.argv[1]).begin_task("t", skill="s", source="", giver="Ada")
log.note("Given", {})
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_living_process_is_there() -> None:
    """The name of this process means this process, and every opened record has another name."""
    one, other = owner_name(), owner_name()
    assert (is_gone(one), one != other) == (False, True)


def test_a_dead_process_is_gone() -> None:
    """A process counts as gone as soon as it has ended, also before its parent looked."""
    with subprocess.Popen(
        [sys.executable, "-c", NAMING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        name = process.stdout.readline().strip()
        assert not is_gone(name)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert is_gone(name)
    assert is_gone(name)


@pytest.mark.parametrize("name", ["", "123-abcd", "other-1/1/1/aa", "/1/2/3", "a/b/c/d/e"])
def test_what_cannot_be_seen_lives(name: str) -> None:
    """A process of another machine or container, or a name of an older version, is waited for."""
    assert not is_gone(name)


def test_a_number_used_again_is_another() -> None:
    """A living process with the number of a dead one is told from it by when it began."""
    place, pid, started, which = owner_name().split("/")
    assert is_gone("/".join([place, pid, str(int(started) - 1), which]))


def test_a_dead_owner_is_not_waited_for(tmp_path: Path) -> None:
    """The task of a killed process can be taken up at once, by a person and by a worker, long before its lease ends."""
    path = str(tmp_path / "r.sqlite")
    subprocess.run([sys.executable, "-c", BEGINNING, path], check=False)
    with open_record(path) as record:
        assert record.ready() == ["t"]
        log = record.take_up("t")
        assert log is not None
        assert log.entries_noted == 1
