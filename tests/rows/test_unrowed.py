"""What holds an app's actions that has no stored rows."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from metier.domain.action import Effect
from metier.errors import ActionError, EffectUndeclared
from metier.rows.unrowed import Unrowed

from .shop import Repair

READS: frozenset[Effect] = frozenset({"reads"})
CHANGES: frozenset[Effect] = frozenset({"changes"})


def test_rows_are_known_and_not_found() -> None:
    """A mapped class is known when it is seen; whoever asks for a row is told what is missing."""
    rows, row = Unrowed(), Repair(id=1)
    assert (rows.knows(Repair), rows.knows(str)) == (True, False)
    asks: list[Callable[[], object]] = [
        lambda: rows.find(Repair, "1"),
        lambda: rows.id_of(row),
        lambda: rows.told(row),
    ]
    for ask in asks:
        with pytest.raises(ActionError, match="Repair is a stored row, and the app was given no rows"):
            ask()


def test_call_is_watched(tmp_path: Path) -> None:
    """A call that writes a file is held to what it declares, and keeps no mark (O42)."""
    rows = Unrowed()
    with rows.held(CHANGES, key="t:c1") as call:
        (tmp_path / "file").write_text("x", encoding="utf-8")
        call.answer = 1
    with pytest.raises(EffectUndeclared, match="open"), rows.held(READS, key="t:c1"):
        (tmp_path / "file").write_text("y", encoding="utf-8")
    assert (rows.settle(CHANGES), (tmp_path / "file").read_text(encoding="utf-8")) == (None, "x")


def test_there_is_nothing_to_wait_for() -> None:
    """Nobody waits for a turn, nothing is read, made ready or forgotten."""
    rows = Unrowed()

    async def go() -> bool:
        async with rows.turn(CHANGES):
            return True

    rows.entered()
    rows.forget("t")
    with rows.reading():
        assert asyncio.run(go()) is not rows.waits
