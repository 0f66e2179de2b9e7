"""`metier check`: what is printed of skills, in which forms, and what the command exits with."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from metier.cli.check import command
from metier.cli.exits import CHECKED_WITH_ERRORS

ROOT = Path(__file__).parents[2]
HEAVY = {"pydantic", "sqlalchemy", "alembic", "jsonschema_rs", "rich", "yaml", "anyio"}
BAD = "---\nname: bad\ndescription: Sorts: lists\ncolour: red\n---\n\n[x](gone.md)\n"
UNKNOWN = "'colour' is no field of the specification; its reference library refuses it"
GOOD = "---\nname: good\ndescription: Sorts.\n---\n\nDo it.\n"


@dataclass(frozen=True, slots=True)
class Said:
    """What the command printed, and what it exits with."""

    code: int
    out: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON document."""
        return json.loads(self.out)


def check(*words: str) -> Said:
    """The command with these words, in this folder."""
    done = CliRunner().invoke(command, words, standalone_mode=False)
    if done.exception:
        raise done.exception
    return Said(done.return_value, done.stdout)


@pytest.fixture
def skills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a good and a bad skill, in which the command runs."""
    for name, text in {"good": GOOD, "bad": BAD}.items():
        (tmp_path / "skills" / name).mkdir(parents=True)
        (tmp_path / "skills" / name / "SKILL.md").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "skills"


@pytest.mark.usefixtures("skills")
def test_problems_are_printed_with_cures() -> None:
    """Each problem is a line with file, line, level, code and cause; its cure stands below; a summary ends it."""
    said = check("skills")
    assert said.code == CHECKED_WITH_ERRORS
    assert said.out.splitlines() == [
        "skills/bad/SKILL.md:3: error frontmatter.yaml: this is no YAML: mapping values are not allowed in this context",
        '    quote the value: description: "Sorts: lists"',
        f"skills/bad/SKILL.md:4: note frontmatter.unknown: {UNKNOWN}",
        "    put it under metadata",
        "skills/bad/SKILL.md:7: warning link.missing: there is no file 'gone.md'",
        "    add the file, or take the name away",
        "2 skills, 1 error, 1 warning, 1 note",
    ]


def test_without_a_path_it_is_here(skills: Path) -> None:
    """Without a path the working folder is searched."""
    assert check().out == check("skills").out
    assert check(str(skills / "good")).code == 0
    assert check(str(skills / "good")).out == "1 skill, 0 errors, 0 warnings\n"


def test_warnings_fail_when_strict(skills: Path) -> None:
    """A warning fails only with --strict; a note never does."""
    (skills / "good" / "SKILL.md").write_text(GOOD + "[x](gone.md)\n", encoding="utf-8")
    assert check("skills/good").code == 0
    assert check("skills/good", "--strict").code == CHECKED_WITH_ERRORS
    (skills / "good" / "SKILL.md").write_text(GOOD + "<!-- note -->\n", encoding="utf-8")
    assert check("skills/good", "--strict").code == 0


@pytest.mark.usefixtures("skills")
def test_json_has_the_same() -> None:
    """The same as JSON, with paths from here and counts."""
    said = check("skills", "--json")
    assert (said.code, said.json["errors"], said.json["warnings"], said.json["notes"]) == (CHECKED_WITH_ERRORS, 1, 1, 1)
    bad, good = said.json["skills"]
    assert (good["folder"], good["problems"], said.json["problems"]) == ("skills/good", [], [])
    first = bad["problems"][0]
    assert (first["file"], first["line"], first["code"]) == ("skills/bad/SKILL.md", 3, "frontmatter.yaml")
    assert set(first) == {"code", "file", "line", "level", "cause", "cure"}


@pytest.mark.usefixtures("skills")
def test_sarif_is_plain_ascii() -> None:
    """With --sarif only the log is printed, with places from here; the exit code stays."""
    said = check("skills", "--sarif")
    assert (said.code, said.json["version"], said.out.isascii()) == (CHECKED_WITH_ERRORS, "2.1.0", True)
    results = said.json["runs"][0]["results"]
    assert {one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in results} == {
        "skills/bad/SKILL.md"
    }


def test_text_of_others_is_harmless(skills: Path) -> None:
    """What a skill says can do nothing to the terminal."""
    (skills / "good" / "SKILL.md").write_text(GOOD + "<!-- \x1b[2Jgone\u202e -->\n", encoding="utf-8")
    said = check("skills/good")
    assert "\x1b" not in said.out
    assert "\u202e" not in said.out
    assert "\\x1b[2Jgone" in said.out


def test_nothing_found_is_an_error(skills: Path) -> None:
    """A folder without skills is no success."""
    (skills / "none").mkdir()
    said = check("skills/none")
    assert (said.code, said.out.splitlines()[-1]) == (CHECKED_WITH_ERRORS, "0 skills, 1 error, 0 warnings")


def test_places_elsewhere_are_whole(skills: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that does not lie below the working folder is named by its whole path."""
    monkeypatch.chdir(skills / "good")
    assert check("../bad").out.startswith(f"{skills}/bad/SKILL.md:3: ")


@pytest.mark.parametrize(("words", "said"), [(["gone"], "gone"), (["--json", "--sarif"], "--sarif")])
def test_wrong_use_is_told(words: list[str], said: str) -> None:
    """A path that is not there and two forms at once are wrong use, with exit code 2."""
    done = CliRunner().invoke(command, words)
    assert (done.exit_code, said in done.stderr) == (2, True)


def test_hook_takes_file_names(skills: Path) -> None:
    """The hook for pre-commit is given the names of changed files, and each means its folder."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert (hook["id"], hook["entry"], hook["language"]) == ("metier-check", "metier check", "python")
    names = ["skills/bad/SKILL.md", "SKILL.md", "skills/bad/skill.toml", "skills/bad/references/a.md", "xSKILL.md"]
    assert [name for name in names if re.search(hook["files"], name)] == names[:3]
    (skills / "bad" / "skill.toml").touch()
    assert check("skills/bad/SKILL.md", "skills/bad/skill.toml") == check("skills/bad")


def test_start_is_light(skills: Path) -> None:
    """A plain skill is checked without the libraries that only jobs, records and odd heads need."""
    program = f"from metier.cli.check import command; command.main([{str(skills / 'good')!r}], standalone_mode=False)"
    run = [sys.executable, "-X", "importtime", "-c", program]
    done = subprocess.run(run, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "1 skill, 0 errors, 0 warnings\n"
    assert set(re.findall(r"^import time:.*\| +(\S+)$", done.stderr, re.MULTILINE)) & HEAVY == set()
