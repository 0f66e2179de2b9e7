"""The format of portable skills, by the numbers of its requirements: M1 to M13.

The tolerant reading is tried here. Where the requirement says that a skill does not load, the tolerant one loads what it
safely can and reports the same fault; `check` calls it an error.
"""

import pytest

from metier.skills.check import check_skill
from metier.skills.files import with_files
from metier.skills.reader import Reading

from .conftest import Kit, run

PLAIN = "name: notes\ndescription: Writes notes.\n"


def told(reading: Reading) -> list[tuple[str, str]]:
    """Code and level of each problem that a reading met."""
    return [(problem.code, problem.level) for problem in reading.problems]


def errors(folder: str) -> set[str]:
    """The codes that a strict check calls errors."""
    return {problem.code for problem in check_skill(folder) if problem.level == "error"}


def test_folder_is_a_skill(kit: Kit) -> None:
    """M1: a folder with SKILL.md is a skill; scripts, references and assets may stand beside it, or not."""
    files = {"scripts/go.py": "print(1)\n", "references/a.md": "A\n", "assets/b.txt": "B\n"}
    bare = kit.read(PLAIN).skill
    assert bare is not None
    full = kit.read(PLAIN).skill
    kit.put("notes", files)
    assert full is not None
    listed = with_files(full).guide
    assert listed is not None
    assert [file.name for file in listed.resources] == ["assets/b.txt", "references/a.md"]
    assert [file.name for file in listed.scripts] == ["scripts/go.py"]


def test_frontmatter_comes_before_markdown(kit: Kit) -> None:
    """M2: YAML between two lines of dashes, then Markdown, which is no part of the fields."""
    reading = kit.read(PLAIN, "# Notes\n\nname: other\n---\nlicense: none\n")
    assert (told(reading), kit.front(PLAIN).name) == ([], "notes")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("n" * 65, "name.length"),
        ("Notes", "name.form"),
        ("no_tes", "name.form"),
        ("-notes", "name.form"),
        ("notes-", "name.form"),
        ("no--tes", "name.form"),
        ("other", "name.directory"),
    ],
)
def test_name_is_ruled(kit: Kit, name: str, code: str) -> None:
    """M3: a name against the rules is an error of the format; the tolerant reading warns and keeps it."""
    reading = kit.read(f"name: {name}\ndescription: d\n")
    assert reading.skill is not None
    assert (reading.skill.name, (code, "warning") in told(reading)) == (name, True)
    assert code in errors(str(kit.root / "notes"))


@pytest.mark.parametrize("name", ["n", "n" * 64, "a-1-b", "3d"])
def test_good_names_are_silent(kit: Kit, name: str) -> None:
    """M3: a name of 64 characters, of digits, or with single hyphens is good."""
    assert errors(kit.put(name)) == set()


@pytest.mark.parametrize(("length", "found"), [(1, set[str]()), (1024, set[str]()), (1025, {"description.length"})])
def test_description_is_ruled(kit: Kit, length: int, found: set[str]) -> None:
    """M4: a description has 1,024 characters at most; the tolerant reading keeps a longer one whole."""
    assert kit.front(f"name: notes\ndescription: {'d' * length}\n").description == "d" * length
    assert errors(str(kit.root / "notes")) == found


def test_description_is_required(kit: Kit) -> None:
    """M4: without a description a skill is against the format; here its first paragraph stands for it, or it is left out."""
    assert kit.front("name: notes\n").description == "Do it."
    assert errors(str(kit.root / "notes")) == {"description.missing"}
    assert kit.read("name: notes\n", "# Title\n").skill is None


def test_license_is_kept(kit: Kit) -> None:
    """M5: the licence is text, and may be left out."""
    assert [kit.front(f"{PLAIN}license: MIT\n").license, kit.front(PLAIN).license] == ["MIT", None]


@pytest.mark.parametrize(("length", "found"), [(500, set[str]()), (501, {"compatibility.length"})])
def test_compatibility_is_ruled(kit: Kit, length: int, found: set[str]) -> None:
    """M6: compatibility has 500 characters at most; the tolerant reading keeps a longer one and warns."""
    assert kit.front(f"{PLAIN}compatibility: {'c' * length}\n").compatibility == "c" * length
    assert errors(str(kit.root / "notes")) == found


def test_metadata_is_a_free_map(kit: Kit) -> None:
    """M7: metadata takes any keys, and its values are the text that stands there."""
    front = kit.front(f"{PLAIN}metadata:\n  author: Ada\n  version: '1.10'\n  x.y/z: on it\n")
    assert front.metadata == {"author": "Ada", "version": "1.10", "x.y/z": "on it"}


def test_allowed_tools_are_kept(kit: Kit) -> None:
    """M8: allowed-tools is names with spaces between them. They are kept and grant nothing."""
    assert kit.front(f"{PLAIN}allowed-tools: Read Bash(git:*)\n").allowed_tools == "Read Bash(git:*)"
    kit.put(
        "notes", {"scripts/go.py": "print(1)\n"}, text=f"---\n{PLAIN}allowed-tools: run_skill_script\n---\nDo it.\n"
    )
    kit.run(run("notes", "scripts/go.py"))
    assert "notes/scripts/go.py" in [proposal.action for proposal in kit.proposals]


@pytest.mark.parametrize("field", ["Name: notes\n", "NAME: notes\n"])
def test_keys_are_spelt_exactly(kit: Kit, field: str) -> None:
    """M9: a known key in another spelling is not that key; the folder's name stands for the missing one, and it is told."""
    reading = kit.read(f"{field}description: d\n")
    assert ("name.missing", "warning") in told(reading)
    assert "name.missing" in errors(str(kit.root / "notes"))


@pytest.mark.parametrize("again", ["name: notes", "'name': notes", "description: d", "license: MIT\nlicense: MIT"])
def test_known_keys_come_once(kit: Kit, again: str) -> None:
    """M9, M10: a known key that stands twice costs the skill in every reading."""
    reading = kit.read(f"{PLAIN}{again}\n")
    assert (reading.skill, told(reading)) == (None, [("frontmatter.duplicate", "error")])


def test_bad_yaml_does_not_load(kit: Kit) -> None:
    """M10: a line that no cure makes YAML costs the skill, with its line."""
    (problem,) = kit.read("name: notes\ndescription: a\nb\n").problems
    assert (problem.code, problem.level, problem.line) == ("frontmatter.yaml", "error", 4)


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ("description: [a, b]\n", "description.missing"),
        ("description:\n  a: b\n", "description.missing"),
        ("description: d\nlicense: [a]\n", "frontmatter.type"),
        ("description: d\nlicense:\n  a: b\n", "frontmatter.type"),
    ],
)
def test_scalars_are_no_lists(kit: Kit, field: str, code: str) -> None:
    """M10: the strict reading refuses a list or map in a text's place; the tolerant one loads the skill and warns."""
    reading = kit.read(f"name: notes\n{field}")
    assert (reading.skill is not None, (code, "warning") in told(reading)) == (True, True)
    assert code in errors(str(kit.root / "notes"))


def test_curable_yaml_is_cured(kit: Kit) -> None:
    """M10: an unquoted colon is bad YAML for the strict reading; the tolerant one reads the text that stands there."""
    reading = kit.read("name: notes\ndescription: Use it: always\n")
    assert reading.skill is not None
    assert (reading.skill.description, told(reading)) == ("Use it: always", [("frontmatter.repaired", "warning")])
    assert errors(str(kit.root / "notes")) == {"frontmatter.yaml"}


def test_unknown_keys_are_ignored(kit: Kit) -> None:
    """M11: a key that the format does not know changes nothing; it is kept as it was written."""
    assert told(kit.read(f"{PLAIN}tags: [a]\nmodel: x\n")) == []
    assert kit.front(f"{PLAIN}tags: [a]\nmodel: x\n").other == {"tags": ["a"], "model": "x"}
    assert errors(str(kit.root / "notes")) == set()


def test_metadata_keys_have_a_case(kit: Kit) -> None:
    """M12: `Author` and `author` are two keys."""
    reading = kit.read(f"{PLAIN}metadata:\n  Author: a\n  author: b\n")
    assert told(reading) == []
    assert kit.front(f"{PLAIN}metadata:\n  Author: a\n  author: b\n").metadata == {"Author": "a", "author": "b"}


def test_metadata_twice_keeps_the_first(kit: Kit) -> None:
    """M12: of a key that stands twice the first counts, with a warning, and the skill stays."""
    head = f"{PLAIN}metadata:\n  a: first\n  a: second\n"
    assert told(kit.read(head)) == [("frontmatter.duplicate", "warning")]
    assert kit.front(head).metadata == {"a": "first"}


def test_nested_metadata_costs_no_skill(kit: Kit) -> None:
    """M12: the strict reading skips a nested entry; the tolerant one keeps it as JSON, and `check` reports it."""
    assert kit.front(f"{PLAIN}metadata:\n  a: b\n  c:\n    d: e\n").metadata == {"a": "b", "c": '{"d": "e"}'}
    assert errors(str(kit.root / "notes")) == {"metadata.form"}


@pytest.mark.parametrize(("lines", "found"), [(499, []), (500, ["body.lines"])])
def test_long_bodies_are_advised_against(kit: Kit, lines: int, found: list[str]) -> None:
    """M13: 500 lines or more are a warning of `check`, and no more than that; the body loads whole."""
    reading = kit.read(PLAIN, "x\n" * lines)
    assert (reading.skill is not None, told(reading)) == (True, [])
    problems = check_skill(str(kit.root / "notes"))
    assert [(problem.code, problem.level) for problem in problems] == [(code, "warning") for code in found]
