"""The head of a SKILL.md in both readings: what the tolerant one forgives and the strict one does not (M3 to M12)."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.domain.problem import Problem
from metier.domain.skill import Frontmatter
from metier.skills.reader import Reading, read_skill
from metier.skills.seed_head import strictly
from metier.skills.seed_rules import SeedRules

SEED = SeedRules()
PLAIN = "name: notes\ndescription: d\n"
Told = list[tuple[str, str, int | None]]


def both(root: Path, data: str | bytes, *, name: str = "notes", file: str = "SKILL.md") -> tuple[Reading, Reading]:
    """One skill, read tolerantly and strictly."""
    folder = root / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file).write_bytes(data.encode() if isinstance(data, str) else data)
    return read_skill(str(folder)), read_skill(str(folder), rules=SEED)


def headed(root: Path, head: str, *, body: str = "Do it.\n") -> tuple[Reading, Reading]:
    """A skill with this head, read tolerantly and strictly."""
    return both(root, f"---\n{head}---\n{body}")


def told(reading: Reading) -> Told:
    """Code, level and line of what a reading met."""
    return [(one.code, one.level, one.line) for one in reading.problems]


def front(reading: Reading) -> Frontmatter:
    """The head of a skill that was loaded."""
    assert reading.skill is not None
    assert reading.skill.guide is not None
    return reading.skill.guide.frontmatter


def test_readings_agree_on_good_skills(tmp_path: Path) -> None:
    """A skill by the document is the same in both readings (M1 to M8)."""
    head = f"{PLAIN}license: MIT\ncompatibility: Linux\nallowed-tools: Read Grep\nmetadata:\n  version: '2.1'\n"
    tolerant, strict = headed(tmp_path, head)
    assert (strict.problems, front(strict)) == ((), front(tolerant))
    assert front(strict) == Frontmatter("notes", "d", "MIT", "Linux", "Read Grep", {"version": "2.1"})


@pytest.mark.parametrize("key", ["Name", "NAME", "Allowed-Tools"])
def test_known_keys_have_one_spelling(tmp_path: Path, key: str) -> None:
    """M9: a known key in other letters costs the skill strictly; tolerantly it is no more than another key."""
    tolerant, strict = headed(tmp_path, f"{PLAIN}{key}: x\n")
    assert front(tolerant).other == {key: "x"}
    assert (strict.skill, told(strict)) == (None, [("frontmatter.spelling", "error", 4)])


@pytest.mark.parametrize("again", ["name: notes\n", "'name': notes\n", "license: a\nlicense: a\n"])
def test_known_keys_come_once(tmp_path: Path, again: str) -> None:
    """M9, M10: a known key that stands twice costs the skill in both readings."""
    for reading in headed(tmp_path, PLAIN + again):
        assert (reading.skill, [code for code, *_ in told(reading)]) == (None, ["frontmatter.duplicate"])


@pytest.mark.parametrize(
    ("head", "line"), [("name: notes\ndescription: Use it: now\n", 3), (f"{PLAIN}license: 'a\n", 5)]
)
def test_bad_yaml_is_not_cured(tmp_path: Path, head: str, line: int) -> None:
    """M10: what is no YAML is read tolerantly as the text that stands there, and costs the skill strictly."""
    tolerant, strict = headed(tmp_path, head)
    assert (tolerant.skill is not None, told(tolerant)) == (True, [("frontmatter.repaired", "warning", line)])
    assert (strict.skill, [code for code, *_ in told(strict)]) == (None, ["frontmatter.yaml"])


@pytest.mark.parametrize("key", ["name", "description", "license", "compatibility", "allowed-tools"])
@pytest.mark.parametrize("value", ["[a, b]", "{a: b}", "\n  - a", "\n  a: b"])
def test_texts_are_no_lists(tmp_path: Path, key: str, value: str) -> None:
    """M10: a list or a map in the place of a text costs the skill strictly; tolerantly it is read as well as may be."""
    others = [line for line in PLAIN.splitlines(keepends=True) if not line.startswith(key)]
    tolerant, strict = headed(tmp_path, "".join(others) + f"{key}: {value}\n")
    assert (tolerant.skill is not None, strict.skill) == (True, None)
    codes = {"name": "name.missing", "description": "description.missing"}
    assert [(code, level) for code, level, _ in told(strict)] == [(codes.get(key, "frontmatter.type"), "error")]


@pytest.mark.parametrize("more", ["tags: [a]\n", "name_: x\n", "allowed_tools: Read\n", "allowedTools: Read\n"])
def test_unknown_keys_are_ignored(tmp_path: Path, more: str) -> None:
    """M11: a key that the document does not know changes nothing; strictly the tools have one spelling."""
    tolerant, strict = headed(tmp_path, PLAIN + more)
    assert (told(tolerant), told(strict)) == ([], [])
    assert (front(strict).allowed_tools, front(strict).other) == (None, front(tolerant).other)


def test_unknown_keys_may_come_twice(tmp_path: Path) -> None:
    """M11: an unknown key that stands twice is a warning in both readings."""
    for reading in headed(tmp_path, f"{PLAIN}x: a\nx: b\n"):
        assert (front(reading).other, told(reading)) == ({"x": "a"}, [("frontmatter.duplicate", "warning", 5)])


def test_metadata_keys_have_a_case(tmp_path: Path) -> None:
    """M12: `Author` and `author` are two keys in both readings."""
    for reading in headed(tmp_path, f"{PLAIN}metadata:\n  Author: a\n  author: b\n"):
        assert (front(reading).metadata, told(reading)) == ({"Author": "a", "author": "b"}, [])


def test_first_valid_metadata_counts(tmp_path: Path) -> None:
    """M12: of a key that stands twice the first that is text counts, with a warning, in both readings."""
    for reading in headed(tmp_path, f"{PLAIN}metadata:\n  a: [x]\n  a: first\n  a: second\n"):
        assert front(reading).metadata == {"a": "first"}
        assert told(reading) == [("frontmatter.duplicate", "warning", line) for line in (6, 7)]


def test_nested_metadata_is_skipped(tmp_path: Path) -> None:
    """M12: an entry that is no text is left out strictly, with a warning, and kept as JSON tolerantly."""
    tolerant, strict = headed(tmp_path, f"{PLAIN}metadata:\n  a: b\n  c:\n    d: e\n  f: [g]\n")
    assert front(tolerant).metadata == {"a": "b", "c": '{"d": "e"}', "f": '["g"]'}
    assert (front(strict).metadata, told(strict)) == ({"a": "b"}, [("metadata.form", "warning", 4)] * 2)


def test_odd_metadata_costs_no_skill(tmp_path: Path) -> None:
    """M12: metadata that is no map is left out with a warning in both readings."""
    for reading in headed(tmp_path, f"{PLAIN}metadata: text\n"):
        assert (front(reading).metadata, told(reading)) == ({}, [("metadata.form", "warning", 4)])


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ("name: other\ndescription: d\n", "name.directory"),
        ("description: d\n", "name.missing"),
        ("name: Notes\ndescription: d\n", "name.form"),
        (f"name: {'n' * 65}\ndescription: d\n", "name.length"),
        ("name: notes\n", "description.missing"),
        (f"name: notes\ndescription: {'d' * 1025}\n", "description.length"),
        (f"{PLAIN}compatibility: {'c' * 501}\n", "compatibility.length"),
    ],
)
def test_broken_rules_cost_the_skill(tmp_path: Path, head: str, code: str) -> None:
    """M3, M4, M6: what is a warning of the tolerant reading is an error of the strict one."""
    tolerant, strict = headed(tmp_path, head)
    assert (tolerant.skill is not None, strict.skill) == (True, None)
    assert [one.level for one in tolerant.problems if one.code == code] == ["warning"]
    assert [one.level for one in strict.problems if one.code == code] == ["error"]


@pytest.mark.parametrize(
    ("text", "code"), [("Do it.\n", "frontmatter.missing"), (f"\n---\n{PLAIN}---\n", "frontmatter.start")]
)
def test_file_begins_with_its_head(tmp_path: Path, text: str, code: str) -> None:
    """M2: without a frontmatter, or with lines before it, there is no skill strictly."""
    tolerant, strict = both(tmp_path, text)
    assert (tolerant.skill is not None, strict.skill, told(strict)) == (True, None, [(code, "error", 1)])


@pytest.mark.parametrize("data", [f"\ufeff---\n{PLAIN}---\n", "---\r\nname: notes\r\ndescription: d\r\n---\r\n"])
def test_marks_and_line_ends_are_no_fault(tmp_path: Path, data: str) -> None:
    """A mark of byte order and other line ends cost nothing in either reading (M2)."""
    for reading in both(tmp_path, data):
        assert (front(reading).name, told(reading)) == ("notes", [])


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    """A file that is not UTF-8 is no skill in either reading (M2, case 011)."""
    for reading in both(tmp_path, f"---\n{PLAIN}---\n".encode() + b"\xff"):
        assert (reading.skill, told(reading)) == (None, [("encoding.not_utf8", "error", None)])


def test_file_has_one_spelling(tmp_path: Path) -> None:
    """M1: a skill.md is read tolerantly, with a warning, and is no skill strictly (case 017)."""
    tolerant, strict = both(tmp_path, f"---\n{PLAIN}---\n", file="skill.md")
    assert (tolerant.skill is not None, told(tolerant)) == (True, [("name.case", "warning", None)])
    assert (strict.skill, told(strict)) == (None, [("name.case", "error", None)])


def test_what_is_forgiven_keeps_its_level() -> None:
    """The document forgives keys that it does not know, and all of metadata (M11, M12); nothing else of the musts."""
    levels = {
        code: strictly(Problem(code, "f", "c", level="warning")).level
        for code in ("name.form", "frontmatter.duplicate", "metadata.form", "resource.link")
    }
    assert levels == {
        "name.form": "error",
        "frontmatter.duplicate": "warning",
        "metadata.form": "warning",
        "resource.link": "warning",
    }


PARTS = "---\n|name: notes\n|name: Notes\n|Name: x\n|description: |d|\n|metadata:\n|  a: b\n|  a: [b]\n|: |- |[|'|\t|license"


@given(st.lists(st.sampled_from(PARTS.split("|"))).map("".join))
def test_strict_reading_is_the_narrower(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """Whatever loads strictly loads tolerantly and without an error; whatever does not has one (M3, M9, M10)."""
    tolerant, strict = both(tmp_path_factory.getbasetemp(), text)
    assert (strict.skill is None) == any(one.level == "error" for one in strict.problems)
    assert strict.skill is None or (strict.skill.name == "notes" and tolerant.skill is not None)
