"""The digest of a skill folder: over every file, kept while nothing changes."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from metier.errors import SkillInvalid
from metier.skills.digest import Digests, Stamp, Tree, digest_again, digest_of

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


def tick(folder: Path) -> None:
    """Wait until the file system's clock, which moves in steps of some milliseconds, is past all times in a folder."""
    newest = max(os.lstat(file).st_ctime_ns for file in (folder, *folder.rglob("*")))
    probe = folder.parent / "probe"
    probe.touch()
    while os.stat(probe).st_ctime_ns <= newest:
        time.sleep(0.001)
        probe.touch()


def edit_unseen(file: Path) -> None:
    """Another text of the same length, with the time of writing as it was."""
    facts = os.stat(file)
    with open(file, "r+", encoding="utf-8") as opened:
        opened.write("TEXT")
    os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert (os.stat(file).st_size, os.stat(file).st_mtime_ns) == (facts.st_size, facts.st_mtime_ns)


def become_link(folder: Path) -> None:
    """The scripts lie elsewhere, and a link leads to them."""
    os.rename(folder / "scripts", folder / "elsewhere")
    os.symlink("elsewhere", folder / "scripts")


CHANGES: dict[str, Callable[[Path], object]] = {
    "same size and time": lambda folder: edit_unseen(folder / "SKILL.md"),
    "another file in its place": lambda folder: os.replace(folder / "spare", folder / "SKILL.md"),
    "file added": lambda folder: (folder / "new.txt").touch(),
    "file added below": lambda folder: (folder / "scripts" / "b.py").touch(),
    "file removed": lambda folder: (folder / "scripts" / "a.py").unlink(),
    "file renamed": lambda folder: os.rename(folder / "scripts" / "a.py", folder / "scripts" / "b.py"),
    "folder added": lambda folder: shutil.copytree(folder / "scripts", folder / "more"),
    "folder removed": lambda folder: shutil.rmtree(folder / "scripts"),
    "folder became a link": become_link,
}


@pytest.mark.parametrize("change", CHANGES)
def test_kept_digest_sees_changes(folder: Path, change: str) -> None:
    """A digest that is kept is not answered after a change, whatever size and time of writing say."""
    (folder / "spare").write_text("TEXT", encoding="utf-8")
    os.utime(folder / "spare", ns=(0, os.stat(folder / "SKILL.md").st_mtime_ns))
    first = digest_of(str(folder), now=time.time_ns() + LATER)
    assert digest_of(str(folder)) == first
    tick(folder)
    CHANGES[change](folder)
    assert digest_of(str(folder)) == digest_again(str(folder)) != first


def test_linked_folder_that_moves_is_seen(folder: Path, tmp_path: Path) -> None:
    """A skill folder that is reached by a link has the digest of what the link leads to now."""
    shutil.copytree(folder, tmp_path / "other")
    (tmp_path / "other" / "SKILL.md").write_text("diff", encoding="utf-8")
    os.symlink("skill", tmp_path / "link")
    place, later = str(tmp_path / "link"), time.time_ns() + LATER
    assert digest_of(place, now=later) == digest_of(place) == digest_again(str(folder))
    os.unlink(tmp_path / "link")
    os.symlink("other", tmp_path / "link")
    assert digest_of(place) == digest_again(str(tmp_path / "other"))


def test_linked_skill_file_is_kept(folder: Path, tmp_path: Path) -> None:
    """A SKILL.md behind a link is read once, and again when the file behind the link changes (case 019)."""
    (folder / "SKILL.md").unlink()
    (tmp_path / "real.md").write_bytes(bytes(1 << 20))
    os.symlink("../real.md", folder / "SKILL.md")
    place = str(folder)
    first = digest_of(place, now=time.time_ns() + LATER)
    before = bytes_read()
    assert digest_of(place) == first
    assert bytes_read() - before < 1 << 16
    (tmp_path / "real.md").write_text("diff", encoding="utf-8")
    assert digest_of(place) == digest_again(place) != first


def test_uncounted_files_cost_no_reading(folder: Path) -> None:
    """Compiled files that come beside a script change their folder's times; nothing is read again for that."""
    (folder / "large").write_bytes(bytes(1 << 20))
    first = digest_of(str(folder), now=time.time_ns() + LATER)
    before = bytes_read()
    (folder / "scripts" / "__pycache__").mkdir()
    assert digest_of(str(folder)) == first
    assert bytes_read() - before < 1 << 16


@pytest.mark.parametrize(("after", "again"), [(1_900_000_000, True), (2_100_000_000, False)])
def test_folders_settle_as_files_do(folder: Path, after: int, again: bool) -> None:
    """Within two seconds of a change of a folder alone, its digest is not kept: a file could come unseen."""
    (folder / "large").write_bytes(bytes(1 << 20))
    tick(folder)
    (folder / "scripts" / "gone").touch()
    (folder / "scripts" / "gone").unlink()
    digest_of(str(folder), now=os.stat(folder / "scripts").st_ctime_ns + after)
    before = bytes_read()
    digest_of(str(folder))
    assert (bytes_read() - before > 1 << 20) is again


def test_what_is_kept_has_a_bound() -> None:
    """The oldest digests go when there are too many stamps, and a folder with more than that is never kept."""

    def tree(files: int) -> Tree:
        return Tree((), tuple(Stamp(str(number), 0, 0, 0, 0, 0, 0) for number in range(files)))

    digests = Digests(most=5)
    for place, files in (("/a", 2), ("/b", 2), ("/b", 3), ("/c", 1)):
        digests.put(place, tree(files), place)
    assert [digests.get(place) is not None for place in ("/a", "/b", "/c")] == [False, True, True]
    digests.put("/d", tree(6), "")
    assert [digests.get(place) for place in ("/b", "/c", "/d")] == [None] * 3


def test_fresh_files_are_read_again(folder: Path) -> None:
    """What was written just now is not kept, for a second write could leave the same stamp."""
    first = digest_of(str(folder))
    edit_unseen(folder / "SKILL.md")
    assert digest_of(str(folder)) != first


def test_missing_folder_raises(tmp_path: Path) -> None:
    """A folder that cannot be read whole has no digest."""
    with pytest.raises(SkillInvalid) as raised:
        digest_of(str(tmp_path / "none"))
    assert raised.value.hint
