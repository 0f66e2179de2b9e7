"""The line reader: what it reads, libyaml reads alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.skills.yaml_lines import read_lines
from metier.skills.yaml_loader import Loaded, load_yaml

PIECES = st.one_of(
    st.sampled_from([*"-:'\"#[],>|\\é\t{}?`%@=\u2028\xa0\n "]),
    st.sampled_from(
        ["  ", "\n  ", "''", " #", ": ", ":\n", "- ", "|-", ">-", "...", "---", "\n- ", "\n  - ", "<<", "~"]
    ),
    st.sampled_from(["name", "a", "b-c", "x.y", "word", "Two words", "1.0", "&a", "*a", "!t", "yes"]),
    st.sampled_from(["a: b\n", "k: v\n", "m:\n  a: b\n  c: 'd'\n", "d: >\n  x\n  y\n", "e: |-\n  x\n\n  y\n"]),
    st.sampled_from(["f:\n- a\n- b\n", "g: [a, b]\n", "h: one\n  two\n", "i:\n  j: \n", 'k: "l"\n']),
)
HEADS = st.lists(PIECES, min_size=1, max_size=14).map("".join).map(lambda text: text + "\n")


@given(HEADS)
def test_accepts_what_libyaml_reads(head: str) -> None:
    """Whatever the line reader accepts, libyaml reads alike: fields, lines and all."""
    plain = read_lines(head)
    if plain is not None:
        assert load_yaml(head) == Loaded(*plain)


@pytest.mark.parametrize(
    ("head", "fields"),
    [
        ("name: a\ndescription: x:y#z\n", {"name": "a", "description": "x:y#z"}),
        ("version: 1.10\nflag: no\n", {"version": "1.10", "flag": "no"}),
        ("a: 'it''s'\nb: \"c: d\"\n", {"a": "it's", "b": "c: d"}),
        ("m:\n  a: 'b'\n  c: 1.0\nz: end\n", {"m": {"a": "b", "c": "1.0"}, "z": "end"}),
        ("a: [x, y/z]\nb:\n  - one\n  - two\nc:\n", {"a": ["x", "y/z"], "b": ["one", "two"], "c": ""}),
        ("a: >\n  one\n  two\n\n  three\nb: |-\n  x\n  y\n", {"a": "one two\nthree\n", "b": "x\ny"}),
        ("a: one\n  two\n# note\n\nb: c\n", {"a": "one two", "b": "c"}),
        ("", {}),
    ],
)
def test_reads_plain_heads(head: str, fields: dict[str, object]) -> None:
    """Plain lines, quotes, lists, one level of map and block scalars need no YAML parser, and stay as written."""
    plain = read_lines(head)
    assert plain is not None
    assert plain[0] == fields


def test_tells_the_lines() -> None:
    """Each field comes with its line, the first being 1."""
    plain = read_lines("# note\na: b\n\nm:\n  c: d\ne: f\n")
    assert plain is not None
    assert plain[1] == {"a": 2, "m": 4, "e": 6}


@pytest.mark.parametrize(
    "head",
    [
        "a: b: c\n",
        "a: b #c\n",
        "a: *x\n",
        "a: b\na: c\n",
        "text\n",
        "a: {b: c}\n",
        'a: "b\\n"\n',
        "a:\tb\n",
        "a: x\0\n",
    ],
)
def test_leaves_the_rest_alone(head: str) -> None:
    """What could mean something else is left to libyaml."""
    assert read_lines(head) is None
