"""From fields to a frontmatter: the rules for names and descriptions, read tolerantly and told."""

import pytest

from metier.domain.problem import Problem
from metier.domain.skill import Frontmatter
from metier.skills.fields import first_paragraph, frontmatter_of
from metier.skills.frontmatter import parse
from metier.skills.yaml_loader import Fault


def read(head: str, *, folder: str = "notes", body: str = "") -> tuple[Frontmatter | None, list[Problem]]:
    """The frontmatter of a head, and what was told."""
    loaded = parse(head)
    assert not isinstance(loaded, Fault)
    told: list[Problem] = []
    front = frontmatter_of(loaded, body=body, folder=folder, file=f"{folder}/SKILL.md", head_line=2, tell=told.append)
    return front, told


@pytest.mark.parametrize(
    ("name", "folder", "codes"),
    [
        ("notes", "notes", []),
        ("notes", "other", ["name.directory"]),
        ("Notes", "Notes", ["name.form"]),
        ("a--b", "a--b", ["name.form"]),
        ("-a", "-a", ["name.form"]),
        ("a" * 65, "a" * 65, ["name.length"]),
        ("größe", "gro\u0308ße", []),
        ("навык", "навык", []),
        ("Навык", "Навык", ["name.form"]),
        ("3000", "3000", []),
    ],
)
def test_names_are_judged(name: str, folder: str, codes: list[str]) -> None:
    """A name against the rules is told and loaded; forms of one name are one name (M3, case 016)."""
    front, told = read(f"name: {name}\ndescription: d\n", folder=folder)
    assert front is not None
    assert front.name == name
    assert [problem.code for problem in told] == codes
    assert all((problem.level, problem.line) == ("warning", 2) for problem in told)


def test_missing_name_is_the_folder() -> None:
    """Without a usable name the folder's name stands for it."""
    front, told = read("description: d\n", folder="notes")
    assert front is not None
    assert (front.name, [problem.code for problem in told]) == ("notes", ["name.missing"])


def test_missing_description_is_the_paragraph() -> None:
    """Without a description the first paragraph stands for it, and that is told (M4)."""
    front, told = read("name: notes\n", body="# Title\n\nOne line\nand another.\n\nMore.")
    assert front is not None
    assert front.description == "One line and another."
    assert [(problem.code, problem.level) for problem in told] == [("description.missing", "warning")]


def test_nothing_is_invented() -> None:
    """Without any text there is no skill."""
    front, told = read("name: notes\n", body="# Title\n")
    assert front is None
    assert [(problem.code, problem.level) for problem in told] == [("description.missing", "error")]


def test_all_fields_are_kept() -> None:
    """Every field is kept as written, known or not (M5-M8, M11)."""
    head = (
        "name: notes\ndescription: d\nlicense: MIT\ncompatibility: Python 3\nallowed-tools: [Read, Bash]\n"
        "metadata:\n  version: 1.10\n  nested: {a: [b]}\ntags: [x, y]\n"
    )
    front, told = read(head)
    metadata = {"version": "1.10", "nested": '{"a": ["b"]}'}
    assert front == Frontmatter("notes", "d", "MIT", "Python 3", "Read Bash", metadata, {"tags": ["x", "y"]})
    assert told == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (f"compatibility: {'x' * 501}", "compatibility.length"),
        ("license: [MIT]", "frontmatter.type"),
        ("metadata: text", "metadata.form"),
    ],
)
def test_odd_fields_are_told(line: str, code: str) -> None:
    """A field against the rules costs a warning with its line, never the skill (M6, M7)."""
    front, told = read(f"name: notes\ndescription: d\n{line}\n")
    assert front is not None
    assert [(problem.code, problem.line) for problem in told] == [(code, 4)]


def test_long_description_is_kept() -> None:
    """A description beyond its length is told and kept whole (M4)."""
    front, told = read(f"name: notes\ndescription: {'x' * 1025}\n")
    assert front is not None
    assert (len(front.description), [problem.code for problem in told]) == (1025, ["description.length"])


@pytest.mark.parametrize(
    ("body", "paragraph"),
    [
        ("", ""),
        ("# Only a title", ""),
        ("```sh\nls\n\npwd\n```\nThen text.", "Then text."),
        ("<!-- a\n\nb -->\n\n> quoted\n\nText", "Text"),
        ("Title\n# Next", "Title"),
    ],
)
def test_first_paragraph_is_prose(body: str, paragraph: str) -> None:
    """Headings, code, comments and quotations are no paragraph."""
    assert first_paragraph(body) == paragraph
