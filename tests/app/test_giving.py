"""What a task is given: input and files."""

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from metier.app.giving import CHUNK, Given, copy_in, file_digest, lay_out, path_members, take_in
from metier.domain.skill import Job
from metier.domain.task import GivenFile
from metier.errors import InputInvalid, TaskError

PATH = {"type": "string", "format": "path"}
TAKES: dict[str, Any] = {
    "type": "object",
    "properties": {"month": {"type": "integer"}, "new": PATH, "old": PATH},
    "required": ["new"],
}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two files."""
    for name in ("b.csv", "a.csv"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    return [str(tmp_path / "b.csv"), str(tmp_path / "a.csv")]


def take(value: Any, *files: str, takes: Any = TAKES) -> Given:
    """What a job is given."""
    return take_in(Job(takes=takes), value, files)


def test_files_fill_members_in_order(files: list[str]) -> None:
    """Members that are paths take the files in the schema's order; the input holds names, not the person's paths."""
    given = take({"month": 5}, *files)
    assert given.input == {"month": 5, "new": "b.csv", "old": "a.csv"}
    assert given.files == {"b.csv": files[0], "a.csv": files[1]}


def test_input_is_not_changed(files: list[str]) -> None:
    """The caller's own input stays as it was."""
    value = {"month": 5}
    take(value, files[0])
    assert value == {"month": 5}


def test_named_file_must_be_given(files: list[str]) -> None:
    """An input may name its file itself, if that file is given; then the next member takes the rest."""
    assert take({"old": "b.csv", "new": "a.csv"}, *files).input == {"old": "b.csv", "new": "a.csv"}
    with pytest.raises(InputInvalid, match=r"names the file 'c\.csv', which was not given"):
        take({"new": "c.csv"}, *files)


def test_spare_files_come_along(files: list[str]) -> None:
    """A file that no member asks for is there for scripts."""
    assert take(None, *files, takes={"type": "object"}).files.keys() == {"b.csv", "a.csv"}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"month": "May"}, 'month: expected integer, got string "May"'),
        ([], "expected object, got array"),
        ("text", 'expected object, got string "text"'),
        (None, "new"),
    ],
)
def test_wrong_input_is_told(value: Any, said: str) -> None:
    """An input that does not fit is refused before anything is spent, with the reason and the cure."""
    with pytest.raises(InputInvalid) as caught:
        take(value)
    assert said in caught.value.message
    assert caught.value.hint == "Give new with --file PATH."


def test_missing_file_is_told(tmp_path: Path) -> None:
    """A file that is not there, or is a folder, is refused by its name."""
    for name in (str(tmp_path / "none.csv"), str(tmp_path)):
        with pytest.raises(InputInvalid, match=r"There is no file '.*'"):
            take(None, name)


def test_equal_names_are_refused(files: list[str], tmp_path: Path) -> None:
    """Two files of one name, and one file twice, cannot both be given."""
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a.csv").write_text("", encoding="utf-8")
    for other in (str(tmp_path / "more" / "a.csv"), files[1]):
        with pytest.raises(InputInvalid, match=r"Two files are called 'a\.csv'"):
            take(None, files[1], other)


def test_text_is_taken_as_it_is(files: list[str]) -> None:
    """A job without a schema takes text, with the names of its files; anything else is refused (O2)."""
    assert take("count it", takes=None).input == "count it"
    assert take(None, takes=None).input is None
    assert take("count it", *files, takes=None).input == "count it\n\nFiles in the scripts' folder: b.csv, a.csv"
    assert take(None, files[0], takes=None).input == "Files in the scripts' folder: b.csv"
    with pytest.raises(InputInvalid, match="takes text"):
        take({"a": 1}, takes=None)


def test_path_members_are_found() -> None:
    """Members whose schema says that they are a path are the ones; odd schemas have none."""
    assert path_members(TAKES) == ["new", "old"]
    assert path_members({}) == path_members({"properties": {"a": True}}) == []


def test_files_are_copied(files: list[str], tmp_path: Path) -> None:
    """Files are copied with their digests, the copies cannot be written, and the originals stay as they were."""
    before = os.stat(files[0])
    folder = tmp_path / "given"
    folder.mkdir()
    copied = copy_in(take(None, files[0]), str(folder))
    assert copied == [GivenFile("b.csv", sha256(b"b.csv").hexdigest(), 5)]
    assert (folder / "b.csv").stat().st_mode & 0o777 == 0o400
    after = os.stat(files[0])
    assert (after.st_mode, after.st_mtime_ns, after.st_ino) == (before.st_mode, before.st_mtime_ns, before.st_ino)


def test_laid_out_copies_are_fresh(files: list[str], tmp_path: Path) -> None:
    """Every folder gets copies of its own; what happens to one is not seen in another."""
    kept, one, two = (tmp_path / name for name in ("kept", "one", "two"))
    for folder in (kept, one, two):
        folder.mkdir()
    copied = copy_in(take(None, files[0]), str(kept))
    lay_out(copied, str(kept), str(one))
    (one / "b.csv").write_text("changed", encoding="utf-8")
    lay_out(copied, str(kept), str(two))
    assert (two / "b.csv").read_text(encoding="utf-8") == "b.csv"


def test_changed_kept_copy_is_found(files: list[str], tmp_path: Path) -> None:
    """A kept copy that was changed is never handed on as what was given."""
    copied = copy_in(take(None, files[0]), _folder(tmp_path, "kept"))
    kept = tmp_path / "kept" / "b.csv"
    kept.chmod(0o600)
    kept.write_text("B.csv", encoding="utf-8")
    with pytest.raises(TaskError, match=r"'b\.csv' was changed"):
        lay_out(copied, str(tmp_path / "kept"), _folder(tmp_path, "one"))


def _folder(tmp_path: Path, name: str) -> str:
    (tmp_path / name).mkdir()
    return str(tmp_path / name)


@pytest.mark.parametrize("length", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1])
def test_digest_is_of_all_bytes(tmp_path: Path, length: int) -> None:
    """The digest is over every byte, however the file divides into parts."""
    data = b"x" * length
    (tmp_path / "f").write_bytes(data)
    assert file_digest(str(tmp_path / "f")) == sha256(data).hexdigest()
