"""What must hold of any bytes as a SKILL.md: a skill, or problems that say what is wrong and where; never an exception?"""

from dataclasses import replace
from pathlib import Path

from metier.domain.problem import Problem
from metier.errors import SkillInvalid
from metier.skills.check import check_skill
from metier.skills.fields import LONGEST_DESCRIPTION, first_paragraph
from metier.skills.frontmatter import split
from metier.skills.reader import load_body, read_skill
from metier.skills.yaml_lines import read_lines
from metier.skills.yaml_loader import Fault, load_yaml

WHOLE_FILE = frozenset({"encoding.not_utf8", "file.size", "description.missing", "name.missing", "license.missing"})
"""What may be wrong without a line: it is about the file as a whole, or about something that is not in it."""


def judge(data: bytes, folder: Path) -> None:
    """Read, load and check a skill whose SKILL.md are these bytes; the folder is there already.

    Raises:
        AssertionError: one of the promises does not hold.
    """
    (folder / "SKILL.md").write_bytes(data)
    reading = read_skill(str(folder))
    lines = data.count(b"\n") + data.count(b"\r") + 1
    for problem in reading.problems:
        _hold(problem, folder.name, lines)
    errors = [problem for problem in reading.problems if problem.level == "error"]
    assert (reading.skill is None) == bool(errors), f"a skill and an error, or neither: {reading}"
    if reading.skill is not None:
        assert reading.skill.description.strip(), "a skill without a description"
        assert reading.skill.name.isprintable(), f"a name that cannot be shown: {reading.skill.name!r}"
        (reading.skill.name + reading.skill.description).encode()
        _loads(data, folder)
    for problem in check_skill(str(folder)):
        _hold(problem, folder.name, lines)
    _reads_alike(data)


def _hold(problem: Problem, folder: str, lines: int) -> None:
    """A problem names the file, says a cause that can be shown, and has a line of the file where it has one."""
    assert problem.file == f"{folder}/SKILL.md", f"another file: {problem}"
    assert problem.cause, f"no cause: {problem}"
    str(problem).encode()
    if problem.line is None:
        assert problem.code in WHOLE_FILE, f"no line: {problem}"
    else:
        assert 1 <= problem.line <= lines, f"a line beyond the file's {lines}: {problem}"


def _loads(data: bytes, folder: Path) -> None:
    """What was discovered is loaded, or the reason is told: bytes beyond the frontmatter may be no UTF-8."""
    skill = read_skill(str(folder)).skill
    assert skill is not None
    try:
        text = load_body(skill)
    except SkillInvalid:
        return
    assert "\r" not in text
    assert text.encode() == data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _reads_alike(data: bytes) -> None:
    """Whatever the line reader accepts, libyaml reads alike; a paragraph that stands for a description is no longer than one."""
    parts = split(data.decode("utf-8", "replace"))
    assert len(first_paragraph(parts.body)) <= LONGEST_DESCRIPTION
    plain = None if parts.head is None else read_lines(parts.head)
    if plain is None or parts.head is None:
        return
    loaded = load_yaml(parts.head)
    assert not isinstance(loaded, Fault), f"the line reader read what is no YAML: {loaded}"
    assert replace(loaded, twice=()) == replace(loaded, fields=plain[0], lines=plain[1], twice=()), "two readers differ"
