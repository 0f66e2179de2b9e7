"""The digest of a skill folder: over every file, kept while nothing changes."""

import os
import time
from pathlib import Path

import pytest

from metier.errors import SkillInvalid
from metier.skills.digest import digest_again, digest_of

LATER = 10_000_000_000
"""Nanoseconds after which files have settled."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A skill folder with a few files."""
    folder = tmp_path / "skill"
    (folder / "scripts").mkdir(parents=True)
    (folder / "SKILL.md").write_text("text", encoding="utf-8")
    (folder / "scripts" / "a.py").write_text("code", encoding="utf-8")
    return folder


def test_same_files_same_digest(folder: Path, tmp_path: Path) -> None:
    """Equal folders have equal digests wherever they lie, whatever their times."""
    copy = tmp_path / "copy"
    (copy / "scripts").mkdir(parents=True)
    (copy / "scripts" / "a.py").write_text("code", encoding="utf-8")
    (copy / "SKILL.md").write_text("text", encoding="utf-8")
    assert digest_of(str(folder)) == digest_of(str(copy)) == digest_again(str(folder))
    assert len(digest_of(str(folder))) == 64


@pytest.mark.parametrize("name", ["SKILL.md", "scripts/a.py", "scripts/a.pyc", "new.txt", ".env", ".hidden/x.sh"])
def test_every_file_counts(folder: Path, name: str) -> None:
    """A change in any file that a script could run or read is another digest."""
    before = digest_of(str(folder))
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("diff", encoding="utf-8")
    assert digest_of(str(folder)) != before


@pytest.mark.parametrize("name", [".git/HEAD", "scripts/__pycache__/a.cpython-311.pyc", ".metier/record"])
def test_tools_files_do_not_count(folder: Path, name: str) -> None:
    """What version control, Python and metier itself write beside the files changes nothing."""
    before = digest_of(str(folder))
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("x", encoding="utf-8")
    assert digest_of(str(folder)) == before


def test_names_and_contents_do_not_mix(tmp_path: Path) -> None:
    """Moving a byte between a name and a content, or between two files, is another digest."""
    digests: set[str] = set()
    for number, files in enumerate(({"a": "bc"}, {"ab": "c"}, {"a": "b", "c": ""}, {"a": "", "b": "c"})):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        digests.add(digest_of(str(folder)))
    assert len(digests) == 4


def test_links_count_by_target(folder: Path, tmp_path: Path) -> None:
    """A link counts by where it leads, not by what lies there."""
    (tmp_path / "other").write_text("1", encoding="utf-8")
    os.symlink("../other", folder / "link")
    before = digest_of(str(folder))
    (tmp_path / "other").write_text("2", encoding="utf-8")
    assert digest_of(str(folder)) == before
    os.unlink(folder / "link")
    os.symlink("../another", folder / "link")
    assert digest_of(str(folder)) != before


def test_linked_skill_file_counts_whole(folder: Path, tmp_path: Path) -> None:
    """A SKILL.md that is read through a link counts by its bytes too (case 019)."""
    os.rename(folder / "SKILL.md", tmp_path / "real.md")
    os.symlink("../real.md", folder / "SKILL.md")
    before = digest_of(str(folder))
    (tmp_path / "real.md").write_text("diff", encoding="utf-8")
    assert digest_of(str(folder)) != before


def bytes_read() -> int:
    """How many bytes this process has read so far, by the kernel's count."""
    with open("/proc/self/io", encoding="utf-8") as facts:
        return int(facts.readline().split()[1])


def test_settled_files_are_not_read_again(folder: Path) -> None:
    """Without a change nothing is read; with one, everything is."""
    (folder / "large").write_bytes(bytes(1 << 20))
    place = str(folder)
    first = digest_of(place, now=time.time_ns() + LATER)
    before = bytes_read()
    assert digest_of(place) == first
    assert bytes_read() - before < 1 << 16
    assert digest_again(place) == first
    assert bytes_read() - before > 1 << 20
    (folder / "SKILL.md").write_text("TEXT", encoding="utf-8")
    assert digest_of(place) == digest_again(place) != first


def test_fresh_files_are_read_again(folder: Path) -> None:
    """What was written just now is not kept, for a second write could leave the same stamp."""
    facts = os.stat(folder / "SKILL.md")
    first = digest_of(str(folder))
    with open(folder / "SKILL.md", "r+", encoding="utf-8") as file:
        file.write("TEXT")
    os.utime(folder / "SKILL.md", ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert digest_of(str(folder)) != first


def test_missing_folder_raises(tmp_path: Path) -> None:
    """A folder that cannot be read whole has no digest."""
    with pytest.raises(SkillInvalid) as raised:
        digest_of(str(tmp_path / "none"))
    assert raised.value.hint
