"""What the tests of scripts share: scripts in a folder, a run of one, and a look at whether a process lives."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pytest

from metier.actions.scripts.interpreter import command_for
from metier.actions.scripts.run import ScriptEnded, run_script

Write = Callable[[str, str], str]


class Run(Protocol):
    def __call__(self, script: str, *args: str, **options: Any) -> ScriptEnded: ...


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a script into a skill's folder and answers its path."""

    def written(name: str, text: str) -> str:
        path = tmp_path / "skill" / "scripts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return str(path)

    return written


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """An empty folder to run in."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


@pytest.fixture
def run(tmp_path: Path, scratch: Path) -> Run:
    """Runs a script to its end in an event loop of its own."""

    def ran(script: str, *args: str, **options: Any) -> ScriptEnded:
        command = command_for(script)
        assert isinstance(command, list)
        outputs = str(tmp_path / "outputs")
        return asyncio.run(run_script([*command, *args], scratch=str(scratch), outputs=outputs, **options))

    return ran


@pytest.fixture
def gone() -> Callable[[Path], bool]:
    """Whether the process whose number is in a file is no more, or is only waiting to be reaped by others."""

    def is_gone(file: Path) -> bool:
        number = file.read_text(encoding="utf-8").strip()
        assert number.isdecimal()
        for _ in range(50):
            try:
                state = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                return True
            if state in "ZX":
                return True
            time.sleep(0.01)
        return False

    return is_gone
