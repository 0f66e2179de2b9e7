"""What the tests of the command line share: projects in a folder, real commands in them, and a terminal."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from .screen import PATIENCE, Screen

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "metier"]
_ONLY_BY_MODE = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
"""Runs a command of root without its right to pass over the modes of files."""
QUESTION = "Yes? [y/N]: "
MODEL = """\
from metier.testing import AgentScript, Says, ScriptedModel
steps = [{steps}]
model = ScriptedModel("played", AgentScript.of(*steps).answer)
"""
SETTINGS = """\
[model]
name = "python:model.py:model"
[skills]
roots = ["skills"]
"""


@dataclass(slots=True)
class Ran:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON document."""
        return json.loads(self.out)


@dataclass(slots=True)
class Project:
    """A folder with skills and a metier.toml, and commands in it."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict[str, str])
    stack: ExitStack = field(default_factory=ExitStack)

    def run(self, *words: str, stdin: str = "", env: dict[str, str] | None = None, through: Sequence[str] = ()) -> Ran:
        """A command to its end, without a terminal."""
        done = subprocess.run(
            [*through, *COMMAND, *words],
            cwd=self.folder,
            env=self.env | (env or {}),
            input=stdin.encode(),
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    def locked(self, *words: str) -> Ran:
        """A command in this folder while it, and the record in it, may only be read."""
        kept = [self.folder, *self.folder.glob(".metier"), *self.folder.glob(".metier/*.sqlite*")]
        modes = {path: path.stat().st_mode for path in kept}
        for path, mode in modes.items():
            path.chmod(mode & ~0o222)
        try:
            return self.run(*words, through=_ONLY_BY_MODE if os.getuid() == 0 else ())
        finally:
            for path, mode in modes.items():
                path.chmod(mode)

    def shell(self, line: str) -> Ran:
        """A line of the shell, in which $METIER is the command."""
        env = self.env | {"METIER": " ".join(COMMAND)}
        done = subprocess.run(
            ["/bin/sh", "-c", line], cwd=self.folder, env=env, capture_output=True, timeout=PATIENCE, check=False
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    def screen(self, *words: str, env: dict[str, str] | None = None) -> Screen:
        """A command on a terminal."""
        screen = Screen([*COMMAND, *words], cwd=self.folder, env=self.env | (env or {}))
        return self.stack.enter_context(screen)

    def skill(self, name: str, *, script: str = "", **head: str) -> Path:
        """A skill of this project, with a script `scripts/go.py` if it has text."""
        folder = self.folder / "skills" / name
        folder.mkdir(parents=True)
        told = {"name": name, "description": "Does its work.", **head}
        lines = "".join(f"{key}: {json.dumps(value)}\n" for key, value in told.items())
        (folder / "SKILL.md").write_text(f"---\n{lines}---\n\nRun scripts/go.py.\n", encoding="utf-8")
        if script:
            (folder / "scripts").mkdir()
            (folder / "scripts" / "go.py").write_text(script, encoding="utf-8")
        return folder

    def model(self, *steps: str) -> None:
        """The model that the project's metier.toml names, from the expressions of its steps."""
        (self.folder / "model.py").write_text(MODEL.format(steps=", ".join(steps)), encoding="utf-8")

    def task(self) -> str:
        """The id of the newest task."""
        return str(self.run("tasks", "--json").json[0]["id"])

    def receipt(self) -> dict[str, Any]:
        """The receipt of the newest task."""
        receipt: dict[str, Any] = self.run("show", self.task(), "--json").json
        return receipt


def runs_go(skill: str, *args: str) -> str:
    """The step that runs the script of a skill."""
    call = {"skill_name": skill, "script_name": "scripts/go.py", "args": list(args)}
    return f"Says.tool('run_skill_script', {call!r})"


def _environment(home: Path) -> dict[str, str]:
    """A person's environment: UTF-8, a colour terminal, nothing of metier's set; warnings are errors."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "PYTHONDONTWRITEBYTECODE"}}
    own = {"HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm-256color", "USER": "mara"}
    return {**kept, **own, "PYTHONPATH": str(ROOT / "src"), "PYTHONWARNINGS": "error"}


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Project]:
    """A folder with nothing in it."""
    folder = tmp_path / "project"
    folder.mkdir()
    with ExitStack() as stack:
        yield Project(folder, _environment(tmp_path), stack)


@pytest.fixture
def project(empty: Project) -> Project:
    """A project of one skill, `greet`, whose script the model runs before it answers."""
    (empty.folder / "metier.toml").write_text(SETTINGS, encoding="utf-8")
    empty.skill("greet", script="print('good morning')\n", description="Greets.")
    empty.model(runs_go("greet"), "Says.text('I greeted.')")
    return empty


@pytest.fixture
def demo(empty: Project) -> Project:
    """A copy of this repository's example, with its metier.toml."""
    shutil.copytree(ROOT / "examples", empty.folder / "examples")
    shutil.copy(ROOT / "metier.toml", empty.folder)
    return empty


@pytest.fixture
def me(project: Project) -> Callable[..., Screen]:
    """`me(skill, *words)`: a person at a terminal who plays the model."""

    def played(*words: str) -> Screen:
        return project.screen("run", *words, "--model", "me")

    return played
