"""How much of a SKILL.md is read, and what of its bytes is accepted."""

import os
from pathlib import Path

from metier.domain.problem import Problem
from metier.skills.head import HEAD, LARGEST, MORE, Beginning, decode, read_beginning, read_whole


def beginning(root: Path, data: bytes) -> Beginning:
    """The beginning of a file with these bytes."""
    (root / "f").write_bytes(data)
    found = read_beginning(str(root / "f"), "f")
    assert isinstance(found, Beginning)
    return found


def test_only_the_head_is_read(tmp_path: Path) -> None:
    """Behind a fence in the first bytes nothing is read, so a bad byte there waits for the load."""
    head = b"---\na: b\n---\n"
    found = beginning(tmp_path, head + b"x" * HEAD + b"\xff")
    assert found.parts.head == "a: b\n"
    assert len(found.parts.body) == HEAD - len(head)


def test_fence_on_the_edge_is_read_on(tmp_path: Path) -> None:
    """A closing line that is cut by the first bytes is read to its end before it counts."""
    head = b"---\na: " + b"x" * (HEAD - len("---\na: \n---")) + b"\n---"
    assert len(head) == HEAD
    assert beginning(tmp_path, head + b"-\nb: c\n---\nbody").parts.body == "body"
    assert beginning(tmp_path, head + b"\nbody").parts.body == "body"
    assert beginning(tmp_path, head).parts.body == ""


def test_no_end_is_bounded(tmp_path: Path) -> None:
    """A frontmatter that never ends is not read without end."""
    found = beginning(tmp_path, b"---\n" + b"a: b\n" * MORE)
    assert not found.parts.closed
    assert len(found.parts.body) <= MORE


def test_absent_is_no_problem(tmp_path: Path) -> None:
    """No file is none; a file that cannot be opened is a problem."""
    assert read_beginning(str(tmp_path / "none"), "f") is None
    os.symlink("loop", tmp_path / "loop")
    assert isinstance(read_beginning(str(tmp_path / "loop"), "f"), Problem)


def test_whole_files_are_bounded(tmp_path: Path) -> None:
    """A whole file is read up to a size, and only if it is one."""
    (tmp_path / "f").write_bytes(b"x" * (LARGEST + 1))
    os.mkfifo(tmp_path / "pipe")
    found = [read_whole(str(tmp_path / name), name) for name in ("f", "pipe", "none")]
    assert [one.code for one in found if isinstance(one, Problem)] == ["file.size", "file.kind", "file.unreadable"]


def test_cut_characters_wait() -> None:
    """A character that is cut at the end is an error of a whole file only."""
    assert decode("aä".encode()[:-1], "f", whole=False) == "a"
    assert isinstance(decode("aä".encode()[:-1], "f"), Problem)
    assert decode(b"some\0text that has one zero", "f") == "some\0text that has one zero"
