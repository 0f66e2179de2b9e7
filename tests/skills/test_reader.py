"""Reading one skill folder: what is loaded, what is told, and that nothing raises."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.domain.problem import Problem
from metier.errors import SkillInvalid
from metier.skills.reader import Reading, load_body, read_if_skill, read_skill

PLAIN = b"---\nname: notes\ndescription: Writes notes.\n---\n# Notes\n"


def folder_with(root: Path, data: bytes, *, name: str = "notes", file: str = "SKILL.md") -> str:
    """A skill folder with one file."""
    folder = root / name
    folder.mkdir(exist_ok=True)
    (folder / file).write_bytes(data)
    return str(folder)


def codes(problems: tuple[Problem, ...]) -> list[tuple[str, int | None]]:
    """The codes and lines of problems."""
    return [(problem.code, problem.line) for problem in problems]


def test_plain_skill_is_read(tmp_path: Path) -> None:
    """A skill by the rules is loaded without a word (M1-M4)."""
    reading = read_skill(folder_with(tmp_path, PLAIN), source="own")
    assert reading.problems == ()
    assert reading.skill is not None
    assert reading.skill.guide is not None
    assert (reading.skill.id, reading.skill.version, reading.skill.job) == ("own:notes", "1", None)
    assert reading.skill.guide.folder == str(tmp_path / "notes")


@pytest.mark.parametrize(
    ("data", "found", "loaded"),
    [
        (b"---\nname: notes\ndescription: a: b\n---\n", [("frontmatter.repaired", 3)], True),
        (b"---\nname: notes\ndescription: a\nb\n---\n# Title\n", [("frontmatter.yaml", 4)], False),
        (b"---\nname: notes\nname: x\ndescription: d\n---\n", [("frontmatter.duplicate", 3)], False),
        (b"---\nname: notes\ndescription: d\nx: 1\nx: 2\n---\n", [("frontmatter.duplicate", 5)], True),
        (b"---\nname: notes\ndescription: d\n", [("frontmatter.open", 1)], False),
        (b"# Notes\n\nThe first paragraph.\n", [("frontmatter.missing", 1)], True),
        (b"# Notes\n", [("description.missing", None)], False),
        (b"", [("description.missing", None)], False),
        (b"---\nname: other\ndescription: d\n---\n", [("name.directory", 2)], True),
        (b"\xef\xbb\xbf" + PLAIN, [], True),
    ],
)
def test_faults_have_their_line(tmp_path: Path, data: bytes, found: list[tuple[str, int | None]], loaded: bool) -> None:
    """Every fault is told with its line, and costs the skill only where it must (M9, M10, cases 001 to 014)."""
    reading = read_skill(folder_with(tmp_path, data))
    assert (codes(reading.problems), reading.skill is not None) == (found, loaded)
    assert all(problem.file == "notes/SKILL.md" for problem in reading.problems)


def test_degraded_skill_is_described(tmp_path: Path) -> None:
    """Without a frontmatter the folder and the first paragraph stand for name and description."""
    skill = read_skill(folder_with(tmp_path, b"# Notes\n\nThe first\nparagraph.\n")).skill
    assert skill is not None
    assert (skill.name, skill.description) == ("notes", "The first paragraph.")


@pytest.mark.parametrize(
    ("data", "offset", "hint"),
    [
        (PLAIN.replace(b"Writes", b"Wr\xeetes"), 31, False),
        ("---\nname: notes\n".encode("utf-16"), 0, True),
        ("---\nname: notes\n".encode("utf-16-le"), 1, True),
    ],
)
def test_other_encodings_are_refused(tmp_path: Path, data: bytes, offset: int, hint: bool) -> None:
    """The first bad byte is named, and UTF-16 is guessed at in the cure only (case 011)."""
    reading = read_skill(folder_with(tmp_path, data))
    assert reading.skill is None
    (problem,) = reading.problems
    assert problem.code == "encoding.not_utf8"
    assert problem.cause.endswith(f"offset {offset}")
    assert ("UTF-16" in problem.cure) is hint


def test_long_heads_are_read_on(tmp_path: Path) -> None:
    """A frontmatter that goes beyond the first bytes is read to its end, and characters are not torn."""
    data = f"---\nname: notes\ndescription: d\nother: {'ä' * 3000}\n---\nbody\n".encode()
    reading = read_skill(folder_with(tmp_path, data))
    assert reading.problems == ()
    assert reading.skill is not None


def test_other_case_is_told(tmp_path: Path) -> None:
    """A skill.md is read and told (case 017)."""
    folder = folder_with(tmp_path, PLAIN, file="skill.md")
    reading = read_skill(folder)
    assert codes(reading.problems) == [("name.case", None)]
    assert reading.skill is not None
    assert load_body(reading.skill) == PLAIN.decode()


def test_linked_file_is_read(tmp_path: Path) -> None:
    """A SKILL.md that is a link is read with a note; one that leads nowhere is an error, not silence (case 019)."""
    folder = folder_with(tmp_path, PLAIN)
    os.rename(f"{folder}/SKILL.md", tmp_path / "real.md")
    os.symlink("../real.md", f"{folder}/SKILL.md")
    reading = read_skill(folder)
    assert reading.skill is not None
    assert [(problem.code, problem.level) for problem in reading.problems] == [("source.link", "note")]
    os.unlink(tmp_path / "real.md")
    assert codes(read_skill(folder).problems) == [("file.unreadable", None)]


def test_folders_without_a_skill(tmp_path: Path) -> None:
    """A folder without SKILL.md is told by the one function and passed over by the other."""
    assert read_if_skill(str(tmp_path)) is None
    assert codes(read_skill(str(tmp_path)).problems) == [("skill.missing", None)]
    assert codes(read_skill(str(tmp_path / "none")).problems) == [("folder.unreadable", None)]


def test_pipe_does_not_stop(tmp_path: Path) -> None:
    """A named pipe or a folder called SKILL.md is an error at once."""
    for number, make in enumerate((os.mkfifo, os.mkdir)):
        folder = tmp_path / f"s{number}"
        folder.mkdir()
        make(f"{folder}/SKILL.md")
        reading = read_skill(str(folder))
        assert reading.skill is None
        assert len(reading.problems) == 1


def test_body_is_read_late(tmp_path: Path) -> None:
    """The text is the file's as it is now, without a mark of byte order and with plain line ends."""
    folder = folder_with(tmp_path, PLAIN)
    skill = read_skill(folder).skill
    assert skill is not None
    folder_with(tmp_path, b"\xef\xbb\xbf---\r\nname: notes\r\n---\r\nnew\r\n")
    assert load_body(skill) == "---\nname: notes\n---\nnew\n"


@pytest.mark.parametrize("data", [PLAIN + b"\xff", None])
def test_unreadable_body_raises(tmp_path: Path, data: bytes | None) -> None:
    """A file that is gone or no UTF-8 any more is an error with a hint."""
    folder = folder_with(tmp_path, PLAIN)
    skill = read_skill(folder).skill
    assert skill is not None
    os.unlink(f"{folder}/SKILL.md") if data is None else folder_with(tmp_path, data)
    with pytest.raises(SkillInvalid) as raised:
        load_body(skill)
    assert raised.value.hint


def test_broken_declaration_costs_the_skill(tmp_path: Path) -> None:
    """A skill.toml that cannot be read means no run, also when it is a link that leads nowhere."""
    folder = folder_with(tmp_path, PLAIN)
    os.symlink("nowhere", f"{folder}/skill.toml")
    reading = read_skill(folder)
    assert reading.skill is None
    assert [(problem.code, problem.file) for problem in reading.problems] == [("declared.toml", "notes/skill.toml")]


BYTES = st.binary(max_size=200) | st.lists(
    st.sampled_from(
        [
            b"---\n",
            b"name: a\n",
            b"description: ",
            b"x: y\n",
            b"\n",
            b"\r",
            b": ",
            b"\xff",
            b"\0",
            b"- ",
            b"[",
            b'"',
            b"text",
        ]
    )
).map(b"".join)


@given(BYTES)
def test_no_bytes_raise(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """Any bytes give a skill, or an error that says why not."""
    reading = read_skill(folder_with(tmp_path_factory.getbasetemp(), data, name="any"))
    assert isinstance(reading, Reading)
    assert reading.skill is not None or any(problem.level == "error" for problem in reading.problems)
