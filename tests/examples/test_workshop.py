"""The workshop of the examples: its own tests pass in a folder of their own, and one that does not says why."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import EXAMPLES

WORKSHOP = EXAMPLES / "workshop"
TUTORIAL = EXAMPLES.parent / "docs" / "workshop.md"
OWN_TESTS = "test_workshop.py"

Ran = Callable[[], subprocess.CompletedProcess[str]]
Shown = ast.FunctionDef | ast.ClassDef


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the workshop, as somebody has it who begins with it."""
    return Path(shutil.copytree(WORKSHOP, tmp_path / "workshop", ignore=shutil.ignore_patterns("__pycache__")))


@pytest.fixture
def ran(folder: Path) -> Ran:
    """Runs the copy's own tests."""

    def ran() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={folder}"]
        outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        return subprocess.run(command, cwd=folder, env=outside, capture_output=True, encoding="utf-8", check=False)

    return ran


def test_own_tests_pass(ran: Ran) -> None:
    """The document's three tests hold in translation: skills are instances, agents are named by their class (O117, O128)."""
    done = ran()
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


def test_unused_step_fails_by_name(folder: Path, ran: Ran) -> None:
    """A step that no request came to is told with its place and what it says (O116)."""
    last = 'Says.hand_back(Estimate(hours=Decimal(1), summary="New pads.")),'
    _change(folder, last, f'{last}\n        Says.text("Anything else?"),')
    done = ran()
    assert "1 failed, 2 passed" in done.stdout, done.stdout
    assert "The script was not used up: step 3: 'Anything else?'" in done.stdout


def test_failure_shows_the_tree(folder: Path, ran: Ran) -> None:
    """A test that fails tells what its task did, turn by turn."""
    _change(folder, "assert outcome.result.hours == 1", "assert outcome.result.hours == 2")
    done = ran()
    assert "1 failed, 2 passed" in done.stdout, done.stdout
    for line in (
        "EstimateRepair by Estimator, given by mia@workshop.example",
        "├─ turn 1: hand_back",
        "↩ An estimate takes some time.",
        '└─ Done (handed_back): {"hours":1,"summary":"New pads.","needs_parts":false}',
    ):
        assert line in done.stdout, done.stdout


def test_tutorial_shows_the_workshop() -> None:
    """Every class and function that the tutorial shows stands so in the workshop, and it leaves out none."""
    built = {name: told for file in sorted(WORKSHOP.glob("*.py")) for name, told in _shown(file.read_text("utf-8"))}
    blocks = re.findall(r"^```python\n(.*?)^```$", TUTORIAL.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    written = {name: told for block in blocks for name, told in _shown(block)}
    assert {name for name, told in written.items() if built.get(name) != told} == set()
    assert set(built) - set(written) == set()


def _shown(text: str) -> list[tuple[str, str]]:
    """The classes and functions of a file with what is in them."""
    return [(node.name, ast.dump(node)) for node in ast.parse(text).body if isinstance(node, Shown)]


def _change(folder: Path, old: str, new: str) -> None:
    """Change one line of the copy's tests."""
    path = folder / OWN_TESTS
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"the workshop's tests do not say {old!r} once"
    path.write_text(text.replace(old, new), encoding="utf-8")
