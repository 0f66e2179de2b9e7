"""The YAML loader: libyaml's reading with every scalar as text, and faults as values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.skills.yaml_loader import DEEPEST, Fault, Loaded, Twice, load_yaml


def test_scalars_stay_as_written() -> None:
    """Numbers, dates and truth values are text, at every depth."""
    loaded = load_yaml("a: 012\nb: {c: 2020-01-01, d: [yes, ~, 12:30:45]}\n")
    assert loaded == Loaded({"a": "012", "b": {"c": "2020-01-01", "d": ["yes", "~", "12:30:45"]}}, {"a": 1, "b": 2})


def test_duplicates_name_both_lines() -> None:
    """A key that is given twice keeps its first value and is told with both lines."""
    loaded = load_yaml("a: 1\nb:\n  c: x\n  c: y\na: 2\n")
    assert isinstance(loaded, Loaded)
    assert loaded.fields == {"a": "1", "b": {"c": "x"}}
    assert loaded.twice == (Twice("c", 3, 4, top=False), Twice("a", 1, 5, top=True))


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("a: &x b\n", 1),
        ("a: b\nc: *x\n", 2),
        ("a: b\nc: !!python/object:os.system x\n", 2),
        ("a: 1\nb: c: d\n", 2),
        ("- a\n", 1),
        ("a: b\n? [c]\n: d\n", 2),
        ("a: b\n---\nc: d\n", 2),
        ("a: b\nc: \0\n", 2),
        ("a: " + "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1) + "\n", 1),
        ("a: " + "[" * 60_000 + "\n", 1),
    ],
)
def test_refusals_name_their_line(head: str, line: int) -> None:
    """Anchors, aliases, tags, depth, broken YAML and what is no map are a fault with its line."""
    loaded = load_yaml(head)
    assert isinstance(loaded, Fault)
    assert loaded.line == line
    assert loaded.cause


def test_nothing_is_an_empty_map() -> None:
    """A head of comments only has no fields."""
    assert load_yaml("# nothing\n") == Loaded({}, {})


@given(st.text(max_size=200))
def test_no_text_raises(text: str) -> None:
    """Any text gives fields or a fault."""
    assert isinstance(load_yaml(text), Loaded | Fault)
