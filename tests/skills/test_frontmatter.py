"""Splitting a SKILL.md at its fences, and reading the head whatever its state."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.skills.frontmatter import LONGEST_HEAD, Parts, parse, split
from metier.skills.yaml_loader import Fault, Loaded


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("---\na: b\n---\nbody\n", Parts("a: b\n", "body\n", 2)),
        ("\ufeff---\na: b\n---\nbody", Parts("a: b\n", "body", 2)),
        ("---  \r\na: b\r\n---\t\r\nbody\r\n", Parts("a: b\n", "body\n", 2)),
        ("---\ra: b\r---\rbody", Parts("a: b\n", "body", 2)),
        ("\n \n---\na: b\n---", Parts("a: b\n", "", 4)),
        ("---\n---\nbody", Parts("", "body", 2)),
        ("---\na: x --- y\n----\n --- \n---\n\n---\n", Parts("a: x --- y\n----\n --- \n", "\n---\n", 2)),
        ("# Title\n---\n", Parts(None, "# Title\n---\n")),
        ("---\na: b\n", Parts(None, "---\na: b\n", 2, closed=False)),
    ],
)
def test_fence_is_a_whole_line(text: str, parts: Parts) -> None:
    """Only a line of exactly three dashes is a fence, whatever the line ends (cases 003 and 007)."""
    assert split(text) == parts


def test_second_mark_of_order_stays() -> None:
    """Only one mark of byte order is dropped, so a second one is text before the fence."""
    assert split("\ufeff\ufeff---\na: b\n---\n").head is None


def test_cut_fence_does_not_count() -> None:
    """In the beginning of a file a fence at its very end may go on."""
    assert not split("---\na: b\n---", whole=False).closed
    assert split("---\na: b\n---\n", whole=False).closed


def test_plain_and_rich_heads_alike() -> None:
    """A head that only libyaml can read gives the same kind of fields as a plain one."""
    assert parse("a: b\nm: {c: d}\n") == Loaded({"a": "b", "m": {"c": "d"}}, {"a": 1, "m": 2})
    assert parse("a: b\nm:\n  c: d\n") == Loaded({"a": "b", "m": {"c": "d"}}, {"a": 1, "m": 2})


def test_size_is_capped() -> None:
    """A head beyond the cap is a fault, not work."""
    assert isinstance(parse("a: " + "x" * LONGEST_HEAD), Fault)


@given(st.text(max_size=300))
def test_no_text_raises(text: str) -> None:
    """Any text is split, and any head gives fields or a fault."""
    parts = split(text)
    assert isinstance(parse(parts.body if parts.head is None else parts.head), Loaded | Fault)
