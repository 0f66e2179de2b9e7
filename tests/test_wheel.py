"""The wheel: is it whole, and does it work where nothing else of this tree is?"""

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 300
JOB = ("run", "expense-report", "--file", "examples/expenses.csv", "--yes")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    built = run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT))
    assert built.returncode == 0, built.stdout
    [path] = folder.glob("*.whl")
    return path


def test_wheel_is_whole(wheel: Path) -> None:
    """It holds the mark of typed packages, the record's migrations and the licence, and nothing but the package."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    package = {name for name in names if name.startswith("metier/")}
    assert "metier/py.typed" in package
    assert [name for name in package if name.startswith("metier/record/migrations/versions/") and name.endswith(".py")]
    assert [name for name in names if name.endswith("licenses/LICENSE")]
    assert [name for name in names if name not in package and ".dist-info/" not in name] == []


@pytest.fixture
def metier(wheel: Path, tmp_path: Path, missing: Callable[[str, str], NoReturn]) -> Path:
    """The command of a clean environment into which only the wheel was installed, as `pip install .` and pipx do."""
    folder = tmp_path / "clean"
    uv = shutil.which("uv")
    python = str(folder / "bin" / "python")
    make = [uv, "venv", "--python", sys.executable] if uv else [sys.executable, "-m", "venv"]
    install = [uv, "pip", "install", "--python", python] if uv else [python, "-m", "pip", "install"]
    made = run(*make, str(folder))
    assert made.returncode == 0, made.stdout
    done = run(*install, "--quiet", str(wheel))
    if done.returncode:
        missing("registry", f"the wheel's dependencies could not be installed: {done.stdout[-500:]}")
    return folder / "bin" / "metier"


def test_wheel_does_the_main_job(metier: Path, tmp_path: Path) -> None:
    """Installed alone, `metier` tells its version and does the demo's job, record and receipt with it."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "metier.toml", tmp_path)
    with (ROOT / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    told = run(str(metier), "--version", folder=tmp_path)
    assert (told.returncode, version in told.stdout) == (0, True), told.stdout
    done = run(str(metier), *JOB, folder=tmp_path)
    assert done.returncode == 0, done.stdout
    assert (tmp_path / ".metier" / "record.sqlite").is_file()


def run(*command: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program that sees none of this tree's code; what it says on both streams is its `stdout`."""
    settings = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    return subprocess.run(
        command,
        cwd=folder,
        env=settings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
