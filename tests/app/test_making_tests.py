"""Tests that are made from tasks."""

import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from metier import Retry, Skill, StopWhen
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


def test_number_that_no_float_keeps(house: House) -> None:
    """The made test has it exactly, with what it takes to write it."""
    exact = Decimal("0.12345678901234567890123")
    house.run(Says.tool("look", {"n": exact}), Says.text("so"), skill="say so: now")
    made = house.apps[-1].test_from("last")
    assert "from decimal import Decimal\n" in made.text
    assert passes(house, made)


class Twice(Skill[str, str]):
    """Say it, and try again once."""

    stop = StopWhen(stuck_after=1)
    retry = Retry(times=1)


def test_task_that_was_tried_again_makes_none(house: House) -> None:
    """A script could not tell the tries apart; the error says so."""
    app = house.open(Says.text(""))
    app.do(Twice(), "so")
    with pytest.raises(TaskError, match="tried again makes no test"):
        app.test_from("last")
