"""What the tests of the command line share: projects in a folder, real commands in them, and a terminal."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
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
NAMED = "python:./model.py:model"
"""The project's model, named by the person: its code is loaded unasked."""
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

    def start(self, *words: str) -> subprocess.Popen[str]:
        """A command in a process of its own, without a terminal, until the test ends."""
        process = subprocess.Popen(
            [*COMMAND, *words],
            cwd=self.folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.stack.enter_context(process)
        self.stack.callback(process.kill)
        return process

    def proposals(self, *words: str) -> list[dict[str, Any]]:
        """What waits for an answer."""
        found: list[dict[str, Any]] = self.run("proposals", "--json", *words).json
        return found

    def stands(self) -> str:
        """How the newest task stands, in a word; empty while there is none."""
        rows = self.run("tasks", "--limit", "1", "--json").json
        return str(rows[0]["word"]) if rows else ""

    def until(self, word: str) -> None:
        """Wait until the newest task stands so."""
        wait_until(lambda: self.stands() == word, f"the newest task is {word}")

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


def wait_until(seen: Callable[[], object], what: str) -> None:
    """Look until something is so, and fail where it does not come."""
    end = time.monotonic() + PATIENCE
    while not seen():
        assert time.monotonic() < end, f"it did not come: {what}"
        time.sleep(0.1)


LINGERS = """
import os, time
if not os.path.exists({0!r}):
    with open({0!r} + '.new', 'w', encoding='utf-8') as file:
        file.write(str(os.getpid()))
    os.rename({0!r} + '.new', {0!r})
    time.sleep(600)
print('done at last')
"""
"""A script that writes down its process and stays, the first time; the next time it is done at once."""


@dataclass(slots=True)
class Lingering:
    """A project whose skill `wait` is still at its script when something happens to its process."""

    project: Project
    begun: Path

    def at_work(self) -> None:
        """Wait until the script runs."""
        wait_until(self.begun.exists, "the script has begun")

    def kill(self, process: "subprocess.Popen[str]") -> None:
        """Kill a process and the script that it left, as a power cut would."""
        process.kill()
        process.wait()
        with suppress(ProcessLookupError):
            os.kill(int(self.begun.read_text(encoding="utf-8")), signal.SIGKILL)

    def cut(self) -> str:
        """Begin the task and cut it while its script runs; answer the task's id."""
        process = self.project.start("run", "wait", "--yes", "--model", NAMED)
        self.at_work()
        self.kill(process)
        return self.project.task()


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
def lingering(project: Project) -> Iterator[Lingering]:
    """The project with a skill whose script stays until something happens to it."""
    one = Lingering(project, project.folder / "begun")
    project.skill("wait", script=LINGERS.format(str(one.begun)))
    project.model(runs_go("wait"), "Says.text('I waited.')")
    yield one
    with suppress(ProcessLookupError, FileNotFoundError):
        os.kill(int(one.begun.read_text(encoding="utf-8")), signal.SIGKILL)


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
