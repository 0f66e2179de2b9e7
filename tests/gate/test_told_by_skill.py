"""What a task's own skill tells of a call that is proposed."""

import asyncio
import threading
from typing import Any

import pytest

from metier.gate.told_by_skill import NOTHING, ToldBySkill
from metier.record import MemoryLog


def fails(*_: Any) -> str:
    """Code of the app that fails."""
    raise RuntimeError("no such row")


def test_silent_skill_tells_nothing() -> None:
    """No version and no names, and nothing on the record (O18, O19)."""
    log = MemoryLog("t")
    assert asyncio.run(NOTHING.version(log)) == ""
    assert asyncio.run(NOTHING.words(log, "act", {})) == ""
    assert list(log.entries()) == []


def test_app_code_runs_in_a_thread() -> None:
    """What looks rows up does not hold up the other tasks."""
    told = ToldBySkill(lambda: threading.current_thread().name, lambda *_: threading.current_thread().name)
    log, here = MemoryLog("t"), threading.current_thread().name
    assert here not in (asyncio.run(told.version(log)), asyncio.run(told.words(log, "act", {})))


@pytest.mark.parametrize("broken", [fails, lambda *_: None, lambda *_: 7])
def test_what_is_not_told_is_a_fault(broken: Any) -> None:
    """An exception, or what is no text, is on the record; a version is then unknown, and names are left out."""
    log = MemoryLog("t")
    told = ToldBySkill(broken, broken)
    assert asyncio.run(told.version(log)) is None
    assert asyncio.run(told.words(log, "act", {})) == ""
    assert [entry.facts["where"] for entry in log.entries()] == ["version_of", "names"]
