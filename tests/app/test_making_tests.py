"""Tests that are made from tasks."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from metier.app.making_tests import MadeTest
from metier.domain.skill import Job, SkillSpec
from metier.errors import TaskError
from metier.gate.approvers import Later, Yes
from metier.testing import Says

from .conftest import RUN, House


def passes(house: House, made: MadeTest) -> bool:
    """Whether the made test passes where the task was given."""
    beside = house.project / f"{made.name.removesuffix('.py')}_files"
    for name, content in made.files.items():
        beside.mkdir(exist_ok=True)
        (beside / name).write_bytes(Path(content).read_bytes())
    (house.project / made.name).write_text(made.text, encoding="utf-8")
    (house.project / "metier.toml").write_text(f'[skills]\nroots = ["{house.project}/skills"]\n', encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", made.name]
    return subprocess.run(command, cwd=house.project, check=False, capture_output=True).returncode == 0


def test_a_task_with_scripts_and_files(house: House, skill: Callable[..., Path], data: Path) -> None:
    """The model is played, scripts run for real with the files that were given, and the end must be the same."""
    skill(toml=None)
    house.run(RUN, Says.text("counted"), files=[data], approver=Yes("test"))
    made = house.apps[-1].test_from("last")
    assert (made.name, list(made.files)) == ("test_count.py", [data.name])
    assert passes(house, made)


def test_it_fails_when_the_end_differs(house: House, skill: Callable[..., Path], data: Path) -> None:
    """A script that does something else now makes the test fail."""
    folder = skill(toml=None)
    house.run(RUN, Says.text("counted"), files=[data], approver=Yes("test"))
    made = house.apps[-1].test_from("last")
    for script in (folder / "scripts").iterdir():
        script.write_text("import sys\nsys.exit(3)\n", encoding="utf-8")
    assert passes(house, made)  # the model's words stand: a failed script is only told to it
    (folder / "SKILL.md").unlink()
    assert not passes(house, made)


def test_free_words_and_errors(house: House) -> None:
    """A task in free words makes a test too, and so does one that failed."""
    house.run(Says.error("out of order"), skill="say so: now")
    made = house.apps[-1].test_from("last")
    assert made.name == "test_say_so_now.py"
    assert passes(house, made)


def test_what_makes_no_test(house: House, skill: Callable[..., Path]) -> None:
    """A task that waits, or of a skill declared in code, is told so."""
    skill(toml=None)
    house.open(RUN).run("count", approver=Later())
    with pytest.raises(TaskError, match="ended in one run"):
        house.apps[-1].test_from("last")
    house.run(Says.text("so"), skill=SkillSpec("declared", "Says so.", job=Job()))
    with pytest.raises(TaskError, match="declared in code"):
        house.apps[-1].test_from("last")
