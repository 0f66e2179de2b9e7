"""A task's folders."""

import os
from pathlib import Path

from metier.app.folders import Folders


def test_folders_are_made_when_used(tmp_path: Path) -> None:
    """A task that needs no folder makes none."""
    place = tmp_path / "task"
    assert (Folders(lambda: str(place)).used, place.exists()) == (False, False)


def test_folders_are_private_and_apart(tmp_path: Path) -> None:
    """What was given is kept apart from where scripts run, and others cannot look into either."""
    folders = Folders(lambda: str(tmp_path))
    given, work = folders.given, folders.scratch
    assert not work.startswith(given)
    assert [os.stat(path).st_mode & 0o777 for path in (given, work)] == [0o700, 0o700]
    assert (folders.given, folders.scratch, folders.used) == (given, work, True)


def test_later_run_may_find_them(tmp_path: Path) -> None:
    """What an earlier run of the task left is still there, and counts as used."""
    Path(Folders(lambda: str(tmp_path)).scratch, "half.csv").write_text("a", encoding="utf-8")
    again = Folders(lambda: str(tmp_path), known=True)
    assert (again.used, os.listdir(again.scratch)) == (True, ["half.csv"])
