"""Opening files of a skill: nothing outside its folder is reached, by name or by link."""

import os
from pathlib import Path

import pytest

from metier.domain.action import Miss
from metier.skills.inside import read_inside


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A skill folder with a file, beside a secret."""
    (tmp_path / "secret.txt").write_bytes(b"secret")
    skill = tmp_path / "skill"
    (skill / "deep").mkdir(parents=True)
    (skill / "deep" / "ok.txt").write_bytes(b"ok")
    return str(skill)


def test_files_are_read(folder: str, tmp_path: Path) -> None:
    """A file is read by its name, also where the folder itself is reached by a link."""
    os.symlink(folder, tmp_path / "link")
    assert read_inside(folder, "deep/ok.txt") == b"ok"
    assert read_inside(str(tmp_path / "link"), "deep/ok.txt") == b"ok"


@pytest.mark.parametrize(
    "name", ["../secret.txt", "deep/../../secret.txt", "/etc/passwd", "", ".", "deep//ok.txt", "a\0b"]
)
def test_names_stay_inside(folder: str, name: str) -> None:
    """A name that leaves the folder is refused before anything is opened (cases 020 and 022)."""
    missed = read_inside(folder, name)
    assert isinstance(missed, Miss)
    assert missed.code == "resource.outside"


def test_links_are_not_followed(folder: str) -> None:
    """A link is refused wherever it stands in the name, also when it leads to the folder itself (case 021)."""
    os.symlink("../secret.txt", f"{folder}/keys.txt")
    os.symlink("..", f"{folder}/up")
    os.symlink("deep", f"{folder}/same")
    for name in ("keys.txt", "up/secret.txt", "same/ok.txt"):
        missed = read_inside(folder, name)
        assert isinstance(missed, Miss)
        assert missed.code == "resource.outside"


def test_misses_say_why(folder: str) -> None:
    """What is absent, no regular file or too large is a miss with a code of its own."""
    os.mkfifo(f"{folder}/pipe")
    found = [
        read_inside(folder, name, most=1) for name in ("none", "none/x", "pipe", "deep", "deep/ok.txt", "deep/ok.txt/x")
    ]
    codes = [miss.code for miss in found if isinstance(miss, Miss)]
    assert codes == [
        "resource.missing",
        "resource.missing",
        "resource.kind",
        "resource.kind",
        "resource.size",
        "resource.unreadable",
    ]
