"""Reading skill.toml: tables, schema names and lines."""

from decimal import Decimal
from pathlib import Path

import pytest

from metier.domain.problem import Problem
from metier.skills.skill_toml import LARGEST, Toml, read_toml

TEXT = """\
version = "2"

[job]
takes = "in.json"
hands_back = "text"
"budget" = 0.10
stop = {max_turns = 3}

[ job.stop ] # limits
same_call = 2
"""


def toml(root: Path, text: str) -> Toml | Problem:
    """A folder's skill.toml as read."""
    (root / "skill.toml").write_text(text, encoding="utf-8")
    return read_toml(str(root))


def test_tables_are_exact(tmp_path: Path) -> None:
    """Numbers with a point are exact decimals, and only files count as schemas."""
    read = toml(tmp_path, TEXT.replace("stop = {max_turns = 3}\n", ""))
    assert isinstance(read, Toml)
    assert read.job["budget"] == Decimal("0.10")
    assert read.schema_names == {"in.json"}


@pytest.mark.parametrize(
    ("key", "table", "line"),
    [("version", "", 1), ("takes", "job", 4), ("budget", "job", 6), ("same_call", "job.stop", 10), ("job", "", 3)],
)
def test_lines_are_found(key: str, table: str, line: int) -> None:
    """The line of a key is found in its own table."""
    assert Toml({}, TEXT, "skill.toml").line(key, table=table) == line
    assert Toml({}, TEXT, "skill.toml").line("takes") is None


@pytest.mark.parametrize(
    ("text", "line"), [("a = 1\nb = \n", 2), ("a" * LARGEST + "a", None), ("a = 1\na = 2\n", None)]
)
def test_broken_files_are_problems(tmp_path: Path, text: str, line: int | None) -> None:
    """What is no TOML, or too large, is a problem with the line where it can be had."""
    read = toml(tmp_path, text)
    assert isinstance(read, Problem)
    assert read.code == "declared.toml"
    assert line is None or read.line == line


def test_other_bytes_are_a_problem(tmp_path: Path) -> None:
    """A skill.toml is UTF-8 or an error."""
    (tmp_path / "skill.toml").write_bytes(b"version = '\xff'\n")
    read = read_toml(str(tmp_path))
    assert isinstance(read, Problem)
    assert read.code == "encoding.not_utf8"
