"""A task's folders."""

import os
from pathlib import Path

from metier.app.assignment import Folders


def test_folders_are_made_when_used(scratch: Path) -> None:
    """A task that needs no folder makes none; removing what is not there is nothing."""
    Folders().remove()
    assert list(scratch.iterdir()) == []


def test_folders_are_private_and_apart(scratch: Path) -> None:
    """What was given is kept apart from where scripts run, and others cannot look into either."""
    folders = Folders()
    given, work = folders.given, folders.scratch
    assert given != work
    assert not work.startswith(given)
    assert [os.stat(path).st_mode & 0o777 for path in (given, work)] == [0o700, 0o700]
    assert (folders.given, folders.scratch, len(list(scratch.iterdir()))) == (given, work, 1)
    folders.remove()


def test_everything_is_removed() -> None:
    """Both folders go with all that is in them, read-only files too."""
    folders = Folders()
    kept = Path(folders.given, "a.csv")
    kept.write_text("a", encoding="utf-8")
    kept.chmod(0o400)
    Path(folders.scratch, "deep", "er").mkdir(parents=True)
    folders.remove()
    assert not kept.parent.parent.exists()
