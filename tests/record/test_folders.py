"""The folders of tasks beside the record."""

from pathlib import Path

import pytest

from metier.errors import RecordError
from metier.record import Record, open_record
from metier.record.folders import TaskFolders


@pytest.mark.parametrize("task", ["../out", "..", ".", "a/b", "a b", "é", "x" * 300])
def test_no_id_leaves_the_folder(record: Record, path: str, task: str) -> None:
    """Whatever a task is called, its folder lies in the record's own."""
    folder = Path(record.folder(task))
    assert folder.parent == Path(f"{path}.tasks")
    assert folder.resolve().parent == Path(f"{path}.tasks").resolve()
    assert folder.parent.stat().st_mode & 0o777 == 0o700


def test_every_process_has_the_same_folder(record: Record, path: str) -> None:
    """Who takes a task up finds the files of who had it before."""
    Path(record.folder("a"), "file").write_text("x", encoding="utf-8")
    with open_record(path) as other:
        assert Path(other.folder("a"), "file").read_text(encoding="utf-8") == "x"
    assert Path(record.folder("a")) == Path(f"{path}.tasks", "a")


def test_links_are_not_followed(record: Record, tmp_path: Path) -> None:
    """What a link in the folder leads to stays as it is."""
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o755)
    (outside / "file").touch()
    Path(record.folder("a"), "link").symlink_to(outside)
    record.remove_folder("a")
    assert (outside / "file").exists()


def test_a_folder_that_cannot_be_made() -> None:
    """A place that takes no folder is told in clear words."""
    with pytest.raises(RecordError) as caught:
        TaskFolders("/proc/tasks").make("a")
    assert caught.value.hint
