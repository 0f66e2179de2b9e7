"""The job that a skill.toml declares, and every way in which it can be wrong."""

from decimal import Decimal
from pathlib import Path

import pytest

from metier.domain.bounds import StopWhen
from metier.skills.declared import Declared, read_declared
from metier.skills.reader import read_skill

SCHEMA = '{"type": "object", "properties": {"total": {"type": "number"}}}'


def declared(root: Path, toml: str, **files: str) -> Declared:
    """What a folder with this skill.toml declares; it has a schema and a check."""
    (root / "scripts").mkdir(exist_ok=True)
    for name, text in {
        "SKILL.md": "d",
        "scripts/check.py": "",
        "out.json": SCHEMA,
        "skill.toml": toml,
        **files,
    }.items():
        (root / name).write_text(text, encoding="utf-8")
    return read_declared(str(root))


def test_whole_job_is_read(tmp_path: Path) -> None:
    """Every key of a job is read (O8-O12, O51)."""
    found = declared(
        tmp_path,
        'version = "3"\n[job]\ntakes = "text"\nhands_back = "out.json"\ncheck = "scripts/check.py"\n'
        'instructions = "Do."\nbudget = 0.10\n[job.stop]\nmax_turns = 5\nmax_seconds = 1.5\n',
    )
    assert (found.problems, found.version) == ((), "3")
    assert found.job is not None
    assert found.job.takes is None
    assert found.job.hands_back == {"type": "object", "properties": {"total": {"type": "number"}}}
    assert (found.job.check, found.job.instructions) == ("scripts/check.py", "Do.")
    assert found.job.budget == Decimal("0.10")
    assert found.job.stop == StopWhen(max_turns=5, max_seconds=1.5)


def test_defaults_are_plain(tmp_path: Path) -> None:
    """An empty [job] is a job of text to words; without [job] there is none (O13, O22)."""
    found = declared(tmp_path, "[job]\n")
    assert found.job is not None
    assert (found.job.takes, found.job.hands_back, found.job.check, found.job.budget) == (None, None, None, None)
    assert found.job.stop == StopWhen()
    assert declared(tmp_path, 'version = "2"\n').job is None


@pytest.mark.parametrize(
    ("toml", "code", "line"),
    [
        ("[job\n", "declared.toml", 1),
        ('colour = "red"\n', "declared.key", 1),
        ("version = 2\n", "declared.key", 1),
        ("job = 1\n", "declared.key", 1),
        ('[job]\n\ntols = ["x"]\n', "declared.key", 3),
        ("[job]\ninstructions = 1\n", "declared.key", 2),
        ('[job]\ntakes = "none.json"\n', "declared.schema", 2),
        ('[job]\ntakes = "../out.json"\n', "declared.schema", 2),
        ("[job]\nhands_back = 1\n", "declared.schema", 2),
        ('[job]\nhands_back = "SKILL.md"\n', "declared.schema", 2),
        ('[job]\nhands_back = "wrong.json"\n', "declared.schema", 2),
        ('[job]\nhands_back = "far.json"\n', "declared.schema", 2),
        ('[job]\nhands_back = "list.json"\n', "declared.schema", 2),
        ('[job]\ncheck = "check.py"\n', "declared.check", 2),
        ('[job]\ncheck = "out.txt"\n', "declared.check", 2),
        ('[job]\nbudget = "much"\n', "declared.budget", 2),
        ("[job]\nbudget = -1\n", "declared.budget", 2),
        ("[job]\nbudget = nan\n", "declared.budget", 2),
        ("[job]\nbudget = true\n", "declared.budget", 2),
        ("[job]\nbudget = [1]\n", "declared.budget", 2),
        ("[job]\nstop = 3\n", "declared.stop", 2),
        ("[job.stop]\nturns = 3\n", "declared.key", 2),
        ("[job.stop]\nmax_turns = 0\n", "declared.stop", 2),
        ("[job.stop]\nsame_call = true\n", "declared.stop", 2),
        ('[job.stop]\nmax_seconds = "long"\n', "declared.stop", 2),
        ("[job.stop]\nmax_seconds = inf\n", "declared.stop", 2),
        ("[job.stop]\nmax_seconds = 0\n", "declared.stop", 2),
    ],
)
def test_faults_have_code_and_line(tmp_path: Path, toml: str, code: str, line: int) -> None:
    """What cannot be read is an error with its line, and nothing is declared."""
    schemas = {"wrong.json": '{"type": "nope"}', "far.json": '{"$ref": "http://localhost/x"}', "list.json": "[]"}
    found = declared(tmp_path, toml, **schemas)
    assert [(problem.code, problem.line, problem.level) for problem in found.problems] == [(code, line, "error")]
    assert (found.job, found.version) == (None, "")


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    """One reading tells every fault."""
    found = declared(tmp_path, 'x = 1\n[job]\nbudget = "y"\ncheck = "z"\n[job.stop]\nmax_turns = 0\n')
    assert {problem.code for problem in found.problems} == {
        "declared.key",
        "declared.check",
        "declared.budget",
        "declared.stop",
    }


def test_skill_has_the_job(tmp_path: Path) -> None:
    """A skill folder with a skill.toml is read with its job and version; with a broken one it is not loaded."""
    front = "---\nname: x\ndescription: d\n---\n"
    declared(tmp_path, 'version = "7"\n[job]\nbudget = "0.5"\n', **{"SKILL.md": front})
    skill = read_skill(str(tmp_path)).skill
    assert skill is not None
    assert skill.job is not None
    assert (skill.version, skill.job.budget) == ("7", Decimal("0.5"))
    declared(tmp_path, "[job]\nbudget = []\n", **{"SKILL.md": front})
    assert read_skill(str(tmp_path)).skill is None
