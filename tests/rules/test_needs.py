"""Are tests without their tools skipped by name, and failed where the tools are asked for?"""

import subprocess
import sys
from pathlib import Path

import pytest

from .source import TESTS, environment

TEST = """
import os, pytest
@pytest.mark.needs("sh", "no-such-program")
def test_it(): pass
def test_leaks(): assert [name for name in os.environ if name.startswith("METIER_")] in ([], ["METIER_REQUIRE"])
"""


@pytest.mark.parametrize(("asked", "outcome"), [("node", "1 skipped"), ("node, no-such-program", "1 error")])
def test_a_missing_tool_is_named(tmp_path: Path, asked: str, outcome: str) -> None:
    """A missing tool skips the test and is named; METIER_REQUIRE makes that a failure; other settings do not leak in."""
    (tmp_path / "test_it.py").write_text(TEST, encoding="utf-8")
    settings = {**environment(), "METIER_REQUIRE": asked, "METIER_MODEL": "leaked", "PYTEST_ADDOPTS": ""}
    settings["PYTHONPATH"] = str(TESTS)
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:cacheprovider", "-rsE", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, encoding="utf-8", check=False)
    assert outcome in done.stdout
    assert "1 passed" in done.stdout
    assert "no-such-program is not on the PATH" in done.stdout
