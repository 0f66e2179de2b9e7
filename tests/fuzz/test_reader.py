"""The promises of the reader, over every seed of the fuzzer and what it found, over bytes of all kinds, and over texts that grow."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.skills.check import check_skill
from metier.skills.frontmatter import parse, split
from metier.skills.reader import read_skill

from .families import BODIES, HEADS, Family
from .judging import judge
from .seeds import seeds

HEAD, BODY = 12_000, 40_000
"""Characters of the shorter text; a frontmatter of four times as many is still read."""
GROWTH = 4
SLOWER = 9
"""How much longer the longer text may take: linear is 4, and quadratic would be 16."""
TOO_SHORT = 0.02
"""Seconds below which nothing is said: they are more noise than work."""
BEST_OF = 5
PIECES = st.one_of(
    st.sampled_from(
        [b"---\n", b"\n---\n", b"name: ", b"description: ", b"metadata:\n  ", b": ", b" #", b"- ", b"|\n  ", b">-\n"]
    ),
    st.sampled_from(
        [b"[", b"]", b"{", b"}", b"'", b'"', b"\\", b"&a", b"*a", b"!", b"?", b"%", b"@", b"\t", b"\r\n", b"\x00"]
    ),
    st.sampled_from(["\ufeff", "\u2028", "\x85", "\u00e4", "\U000e0041", "\u202e"]).map(str.encode),
    st.text(max_size=8).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.binary(max_size=4),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the skill that is written anew for each input."""
    made = tmp_path_factory.mktemp("fuzz") / "fuzzed"
    made.mkdir()
    return made


@pytest.mark.parametrize("data", [pytest.param(data, id=name) for name, data in seeds().items()])
def test_seeds_keep_the_promises(data: bytes, folder: Path) -> None:
    """A seed gives a skill, or problems with their lines; what was found once stays mended (M10, M29-M31)."""
    judge(data, folder)


@pytest.mark.parametrize(
    "data", [b"", b"\x00", b"---", b"---\n", b"\xef\xbb\xbf", b"\xff\xfe", b"---\n---", b"---\n---\n", b"\n" * 9]
)
def test_nearly_nothing_is_told(data: bytes, folder: Path) -> None:
    """A file with nearly nothing in it is told, never an exception."""
    judge(data, folder)
    assert read_skill(str(folder)).skill is None


@settings(max_examples=150)
@given(pieces=st.lists(PIECES, max_size=30), begins=st.booleans())
def test_any_bytes_keep_the_promises(pieces: list[bytes], begins: bool, folder: Path) -> None:
    """Whatever bytes a SKILL.md is, it gives a skill, or problems with their lines, and never an exception."""
    judge(b"".join([b"---\nname: fuzzed\n" * begins, *pieces]), folder)


def seconds(work: str, text: str, folder: Path) -> float:
    """The least processor time that a text takes in some tries; one that is short is not measured again."""
    best = float("inf")
    if work == "check":
        (folder / "SKILL.md").write_bytes(text.encode())
    for _ in range(BEST_OF):
        started = time.process_time()
        if work == "check":
            check_skill(str(folder))
        else:
            parse(split(text).head or "")
        best = min(best, time.process_time() - started)
        if best < TOO_SHORT:
            break
    return best


def growth(work: str, family: Family, size: int, folder: Path) -> float:
    """How many times longer a text of four times the size takes; 0 where both are too short to tell."""
    longer = seconds(work, family(size * GROWTH), folder)
    return 0.0 if longer < TOO_SHORT else longer / max(seconds(work, family(size), folder), 1e-6)


@pytest.mark.parametrize("family", HEADS.values(), ids=HEADS)
def test_heads_are_read_in_linear_time(family: Family, folder: Path) -> None:
    """A frontmatter of four times the length is read in about four times the time, whatever it holds."""
    assert growth("parse", family, HEAD, folder) < SLOWER


@pytest.mark.parametrize("family", [*HEADS.values(), *BODIES.values()], ids=[*HEADS, *BODIES])
def test_files_are_checked_in_linear_time(family: Family, folder: Path) -> None:
    """A file of four times the length is checked in about four times the time, whatever it holds."""
    size = HEAD if family in HEADS.values() else BODY
    assert growth("check", family, size, folder) < SLOWER
