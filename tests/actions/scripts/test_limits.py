"""The limits that a script runs under."""

from pathlib import Path

import pytest

from metier.actions.scripts.limits import ScriptLimits

from .conftest import Run, Write

TELL = """
import resource
for name in ("CORE", "NOFILE", "FSIZE", "AS"):
    print(name, *resource.getrlimit(getattr(resource, f"RLIMIT_{name}")))
"""


def test_limits_are_set(run: Run, write: Write) -> None:
    """Core, open files, file size and address space are limited, softly and hard."""
    limits = ScriptLimits(open_files=100, file_size=1_000_000, memory=2**31)
    ended = run(write("tell.py", TELL), limits=limits)
    told = Path(ended.stdout.path).read_text(encoding="utf-8")
    assert told == f"CORE 0 0\nNOFILE 100 100\nFSIZE 1000448 1000448\nAS {2**31} {2**31}\n"


def test_memory_may_be_free(run: Run, write: Write) -> None:
    """Without a memory limit the address space has none."""
    ended = run(write("tell.py", TELL), limits=ScriptLimits(memory=None))
    assert "AS -1 -1" in Path(ended.stdout.path).read_text(encoding="utf-8")


def test_memory_limit_holds(run: Run, write: Write) -> None:
    """A script that wants more memory than it may have fails by itself."""
    ended = run(write("greedy.py", "x = bytearray(2**30)\n"), limits=ScriptLimits(memory=2**29))
    assert (ended.ended, ended.exit) == ("exited", 1)
    assert "MemoryError" in Path(ended.stderr.path).read_text(encoding="utf-8")


def test_file_size_limit_holds(run: Run, write: Write, scratch: Path) -> None:
    """A script cannot fill the disk with one file."""
    ended = run(write("big.py", "open('big', 'wb').write(bytes(2**21))\n"), limits=ScriptLimits(file_size=2**20))
    assert ended.exit == 1
    assert (scratch / "big").stat().st_size <= 2**20


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"seconds": float("nan")}, {"shown": 999}])
def test_senseless_limits_are_refused(wrong: dict[str, float]) -> None:
    """A limit that no run could keep is an error where it is written."""
    with pytest.raises(ValueError, match="must be"):
        ScriptLimits(**wrong)  # type: ignore[arg-type]  # the wrong values are the point
