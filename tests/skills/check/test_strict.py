"""What the tolerant reader forgives and the specification does not."""

from pathlib import Path

import pytest

from metier.skills.check import check_skill
from metier.skills.check.strict import quoted

from .conftest import cures, folder_of, found, written


def test_repaired_line_is_an_error(tmp_path: Path) -> None:
    """A value that is no YAML is an error, and its cure is the line in quotes (case 001, M10)."""
    text = "---\nname: demo\ndescription: Write the notes: what changed\n---\n\nDo.\n"
    (problem,) = check_skill(folder_of(tmp_path, text))
    assert (problem.code, problem.level, problem.file, problem.line) == (
        "frontmatter.yaml",
        "error",
        "demo/SKILL.md",
        3,
    )
    assert problem.cure.endswith(' description: "Write the notes: what changed"')


def test_foreign_field_is_told_twice(tmp_path: Path) -> None:
    """A broken field that the format does not know is an error, with a note that it is not the format's (case 009)."""
    folder = written(tmp_path, "argument-hint: [path] - where to look")
    assert found(folder) == [("frontmatter.yaml", "error", 4), ("frontmatter.unknown", "note", 4)]
    assert 'argument-hint: "[path] - where to look"' in cures(folder)[0]


def test_stray_line_is_named(tmp_path: Path) -> None:
    """A line that belongs to no key is an error at that line; nothing is made up (case 005)."""
    text = "---\nname: demo\ndescription: Use it\nwhere a shell is open\n---\n\nDo.\n"
    assert found(folder_of(tmp_path, text)) == [("frontmatter.yaml", "error", 4)]


def test_nested_line_is_quoted_alone(tmp_path: Path) -> None:
    """Of a broken list only the line itself is shown in quotes."""
    folder = written(tmp_path, "metadata:", "  note: a: b", "  other: c")
    assert found(folder) == [("frontmatter.yaml", "error", 5)]
    assert cures(folder)[0].endswith('note: "a: b"')


@pytest.mark.parametrize(
    ("name", "cure"), [("Demo Skill", "demo-skill"), ("demo_skill", "demo-skill"), ("-demo--skill-", "demo-skill")]
)
def test_bad_name_is_renamed(tmp_path: Path, name: str, cure: str) -> None:
    """A name with other characters is an error, and the cure is the nearest good one (M3)."""
    folder = folder_of(tmp_path, f'---\nname: "{name}"\ndescription: Sorts.\n---\nDo.\n', name=name)
    assert found(folder) == [("name.form", "error", 2)]
    assert repr(cure) in cures(folder)[0]


def test_long_name_is_an_error(tmp_path: Path) -> None:
    """A name of 65 characters is an error, one of 64 is not (M3)."""
    assert found(written(tmp_path, name="a" * 64)) == []
    assert found(written(tmp_path, name="a" * 65)) == [("name.length", "error", 2)]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("---\nname: other\ndescription: d\n---\nDo.\n", "name.directory", 2),
        ("---\ndescription: d\n---\nDo.\n", "name.missing", None),
        ("---\nname: demo\n---\nDo.\n", "description.missing", None),
        ("---\nname: demo\ndescription: '" + "d" * 1025 + "'\n---\nDo.\n", "description.length", 3),
        ("---\nname: demo\ndescription: d\ncompatibility: " + "c" * 501 + "\n---\nDo.\n", "compatibility.length", 4),
        ("---\nname: demo\ndescription: d\nname: demo\n---\nDo.\n", "frontmatter.duplicate", 4),
        ("---\nname: demo\ndescription: d\nlicense:\n  - MIT\n---\nDo.\n", "frontmatter.type", 4),
        ("---\nname: demo\ndescription: d\nmetadata: none\n---\nDo.\n", "metadata.form", 4),
        ("Only words.\n", "frontmatter.missing", 1),
        ("---\nname: demo\n\nDo.\n", "frontmatter.open", 1),
    ],
)
def test_musts_are_errors(tmp_path: Path, text: str, code: str, line: int | None) -> None:
    """Each broken must of the format is one error (M2-M7, M9, M10, case 014)."""
    assert found(folder_of(tmp_path, text)) == [(code, "error", line)]


def test_other_case_is_an_error(tmp_path: Path) -> None:
    """A file called skill.md is an error (case 017)."""
    text = "---\nname: demo\ndescription: d\n---\nDo.\n"
    folder = folder_of(tmp_path, text, stored="skill.md")
    assert found(folder) == [("name.case", "error", None)]
    assert cures(folder) == ["call it SKILL.md"]


def test_dashes_in_values_are_fine(tmp_path: Path) -> None:
    """Dashes in a value and rules in the body are no finding (case 007)."""
    text = "---\nname: demo\ndescription: Cut a text at --- marks\n---\n\nOne.\n\n---\n\nTwo.\n"
    assert found(folder_of(tmp_path, text)) == []


def test_forms_of_one_name_are_equal(tmp_path: Path) -> None:
    """A folder in decomposed form has the name that is written composed (case 016)."""
    text = "---\nname: gr\u00f6\u00dfe\ndescription: d\n---\nDo.\n"
    assert found(folder_of(tmp_path, text, name="gro\u0308\u00dfe")) == [("name.unicode", "note", 2)]


@pytest.mark.parametrize(
    ("text", "scalar"), [("a: b", '"a: b"'), ('say "a"', "'say \"a\"'"), ('"it\'s"', "'\"it''s\"'")]
)
def test_quotes_fit_the_text(text: str, scalar: str) -> None:
    """A text stands in double quotes, or in single ones where it holds what those would change."""
    assert quoted(text) == scalar
