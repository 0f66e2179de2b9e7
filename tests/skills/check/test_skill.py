"""One skill, held to the specification as a whole."""

from pathlib import Path

import hypothesis
import hypothesis.strategies as st
import pytest

from metier.domain.problem import Problem
from metier.skills.check import check_skill

from .conftest import folder_of, found, written


def test_good_skill_has_no_problems(tmp_path: Path) -> None:
    """A skill that follows the format has no finding (M1-M8)."""
    lines = [
        "license: MIT",
        "compatibility: Needs git",
        "allowed-tools: Bash(git:*) Read",
        "metadata:",
        "  author: mara",
    ]
    files = {"references/a.md": "More.", "scripts/run.py": "print(1)\n", "assets/logo.svg": "<svg/>"}
    body = "Read [more](references/a.md), run `scripts/run.py`, see `assets/logo.svg`."
    assert check_skill(written(tmp_path, *lines, body=body, files=files)) == ()


def test_missing_skill_is_an_error(tmp_path: Path) -> None:
    """A folder without a SKILL.md is told, and so is no folder at all (M1)."""
    assert [one.code for one in check_skill(str(tmp_path))] == ["skill.missing"]
    assert [one.code for one in check_skill(str(tmp_path / "none"))] == ["folder.unreadable"]


def test_not_utf8_is_one_error(tmp_path: Path) -> None:
    """A file in another encoding is an error with its offset, and nothing else is guessed (case 011)."""
    folder = tmp_path / "wide"
    folder.mkdir()
    (folder / "SKILL.md").write_text("---\nname: wide\n---\n", encoding="utf-16")
    (problem,) = check_skill(str(folder))
    assert (problem.code, problem.level, problem.file) == ("encoding.not_utf8", "error", "wide/SKILL.md")
    assert "offset 0" in problem.cause
    assert "UTF-16" in problem.cure


def test_skill_toml_is_checked_too(tmp_path: Path) -> None:
    """What skill.toml declares wrongly is an error at its line."""
    folder = written(tmp_path, files={"skill.toml": "[job]\nstop_when = 1\n"})
    (problem,) = check_skill(folder)
    assert (problem.code, problem.level, problem.file, problem.line) == ("declared.key", "error", "demo/skill.toml", 2)


def test_problems_stand_in_order(tmp_path: Path) -> None:
    """The skill's own file comes first, its lines in order; the others follow by name."""
    files = {"scripts/a.py": "input()\n", "references/b.md": "[x](gone.md)\n"}
    folder = written(tmp_path, "colour: red", body="[y](none.md) scripts/a.py references/b.md", files=files)
    assert [(one.file, one.line) for one in check_skill(folder)] == [
        ("demo/SKILL.md", 4),
        ("demo/SKILL.md", 7),
        ("demo/references/b.md", 1),
        ("demo/scripts/a.py", 1),
    ]


def test_reader_is_the_same(tmp_path: Path) -> None:
    """What the reader tells of the folder is told here: a link among its files."""
    folder = written(tmp_path)
    (Path(folder) / "outer.md").symlink_to("/etc/hostname")
    assert found(folder) == [("resource.link", "warning", None)]


def test_reference_in_other_encoding_is_told(tmp_path: Path) -> None:
    """A page beside SKILL.md that is no UTF-8 is a warning; pictures are not looked into (case 010)."""
    files = {"references/a.md": b"caf\xe9", "assets/p.png": b"\x89PNG\xff"}
    folder = written(tmp_path, body="See references/a.md and assets/p.png: Größe → ok ✓", files=files)
    assert found(folder) == [("encoding.not_utf8", "warning", None)]


def test_many_of_a_kind_are_counted(tmp_path: Path) -> None:
    """Of one kind in one file 50 are told, and the last one counts the others."""
    problems = check_skill(written(tmp_path, body="<!-- x -->\n" * 60))
    assert len(problems) == 50
    assert problems[-1].cause.endswith("; 10 more of this kind follow in the file")


def test_long_lines_take_no_longer(tmp_path: Path) -> None:
    """Texts that make a careless pattern try everything twice are judged all the same."""
    long = ['](a "' * 50_000, "a" * 300_000, "<!--" * 50_000, "`a``" * 50_000, "[" * 100_000, "(" * 100_000]
    files = {"scripts/a.js": "a" * 300_000, "scripts/a.py": "a" + ".b" * 2_000 + "()\n"}
    folder = written(tmp_path, "note: a" + " " * 30_000 + "b", body="\n".join(["scripts/", *long]), files=files)
    assert "body.tokens" in {one.code for one in check_skill(folder)}


@pytest.mark.parametrize("text", ["", "---", "---\n---\n", "---\n- a\n---\n", "# Only a heading"])
def test_broken_files_are_told(tmp_path: Path, text: str) -> None:
    """Whatever the file lacks, there is an error and nothing raises (M2)."""
    assert "error" in {one.level for one in check_skill(folder_of(tmp_path, text))}


@hypothesis.settings(max_examples=60)
@hypothesis.given(st.one_of(st.binary(max_size=300), st.text("-\n: [`]()<!>ab#|\u200d\U000e0061", max_size=200)))
def test_any_bytes_are_judged(tmp_path_factory: pytest.TempPathFactory, data: bytes | str) -> None:
    """Any bytes give problems and never an error of the program."""
    raw = data if isinstance(data, bytes) else b"---\nname: demo\n" + data.encode()
    folder = tmp_path_factory.mktemp("any") / "demo"
    folder.mkdir()
    (folder / "SKILL.md").write_bytes(raw)
    assert all(isinstance(one, Problem) for one in check_skill(str(folder)))
