"""Scripts that cannot run on their own."""

from pathlib import Path

import pytest

from metier.skills.check import check_skill

from .conftest import found, written


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("scripts/a.py", "x = 1\nname = input()\n"),
        ("scripts/a.sh", "set -e\nread -p 'x' y\n"),
        ("scripts/a.mjs", "import x from 'y'\nrl.question('x')\n"),
        ("scripts/a.run", "#!/usr/bin/env python3\ninput()\n"),
        ("scripts/a.tool", "#!/bin/bash\nread -p 'x' y\n"),
    ],
)
def test_asking_is_a_warning(tmp_path: Path, name: str, text: str) -> None:
    """A script that asks is a warning at its line, whatever its language (M14)."""
    assert found(written(tmp_path, body=name, files={name: text})) == [("script.input", "warning", 2)]


def test_broken_python_is_an_error(tmp_path: Path) -> None:
    """A Python script that cannot be parsed is an error at its line, for metier would run it with this Python."""
    folder = written(tmp_path, body="scripts/a.py", files={"scripts/a.py": "x = 1\ndef f(:\n"})
    (problem,) = check_skill(folder)
    assert (problem.code, problem.level, problem.line) == ("script.syntax", "error", 2)
    assert problem.file == "demo/scripts/a.py"


def test_script_needs_an_interpreter(tmp_path: Path) -> None:
    """A script of an unknown kind without a first line that names a program is a warning (case 013)."""
    folder = written(tmp_path, body="scripts/", files={"scripts/tool.xyz": "go", "scripts/fine.xyz": "#!/bin/sh\n"})
    assert [(one.code, one.file) for one in check_skill(folder)] == [("script.interpreter", "demo/scripts/tool.xyz")]


def test_licence_that_may_run_is_fine(tmp_path: Path) -> None:
    """An execute bit by accident makes no finding."""
    folder = written(tmp_path, files={"LICENSE": "terms"})
    (Path(folder) / "LICENSE").chmod(0o755)
    assert found(folder) == []


def test_plain_scripts_are_fine(tmp_path: Path) -> None:
    """A script without questions and without `--help` is no finding, and no script is started."""
    files = {
        "scripts/a.py": "raise SystemExit('was started')\n",
        "scripts/b.sh": "exit 1\n",
        "scripts/c.js": "throw 1\n",
    }
    assert found(written(tmp_path, body="scripts/", files=files)) == []
