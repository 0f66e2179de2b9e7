"""Repair of heads that are no YAML: values are taken as the text that stands there, or nothing is."""

import pytest

from metier.skills.frontmatter import parse
from metier.skills.yaml_loader import Fault, Loaded


@pytest.mark.parametrize(
    ("head", "fields", "lines"),
    [
        ("name: n\ndescription: what: who\n", {"name": "n", "description": "what: who"}, (2,)),
        ("name: n\nhint: [path] - where\n", {"name": "n", "hint": "[path] - where"}, (2,)),
        ('a: "C:\\path"\nb: c\n', {"a": "C:\\path", "b": "c"}, (1,)),
        ("a: *.py files\n", {"a": "*.py files"}, (1,)),
        ("a: | text here\n", {"a": "text here"}, (1,)),
        ("a: Use: when\n  it: rains\nb: c\n", {"a": "Use: when it: rains", "b": "c"}, (1,)),
        ("m:\n  k: a: b\n  l: 'c'\nz: d\n", {"m": {"k": "a: b", "l": "c"}, "z": "d"}, (2,)),
        ("m:\n  - a: b: c\n  - d\n", {"m": ["a: b: c", "d"]}, (2,)),
        ('a: "open\nb: c\n', {"a": '"open', "b": "c"}, (1,)),
    ],
)
def test_values_become_text(head: str, fields: dict[str, object], lines: tuple[int, ...]) -> None:
    """A broken value is read as it stands and its line is told; the others are read as YAML (cases 001 and 009)."""
    loaded = parse(head)
    assert isinstance(loaded, Loaded)
    assert (loaded.fields, loaded.repaired) == (fields, lines)


@pytest.mark.parametrize(
    ("head", "line"),
    [("name: n\ndescription: one\ntwo lines\nlicense: MIT\n", 3), ("text\na: b: c\n", 1), ("- a: b: c\n", 1)],
)
def test_unclear_lines_are_not_repaired(head: str, line: int) -> None:
    """A line at column 0 that is neither a key nor a list item is the fault (case 005)."""
    loaded = parse(head)
    assert isinstance(loaded, Fault)
    assert loaded.line == line


def test_duplicates_are_seen_in_repair() -> None:
    """A key that is given twice is told, also where another line had to be repaired."""
    loaded = parse("name: a\nb: c: d\nname: e\n")
    assert isinstance(loaded, Loaded)
    assert [(one.key, one.first, one.again) for one in loaded.twice] == [("name", 1, 3)]
