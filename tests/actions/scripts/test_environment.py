"""The environment that scripts see."""

import json
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

from metier.actions.scripts.environment import MARK, environment, without_compiled

from .conftest import Run, Write

ALLOWED = {
    "PATH",
    "HOME",
    "TMPDIR",
    "LANG",
    "LC_ALL",
    "PYTHONUTF8",
    "PYTHONIOENCODING",
    "PYTHONDONTWRITEBYTECODE",
    MARK,
}
OF_SHELLS = {"PWD", "SHLVL", "_"}
"""Some shells add these on their own."""


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key in our own environment that no script may see, and no zone."""
    monkeypatch.setenv("FAKE_API_KEY", "SECRET-VALUE")
    monkeypatch.delenv("TZ", raising=False)


@pytest.fixture
def seen(run: Run, write: Write) -> dict[str, str]:
    """What a script of ours saw."""
    script = write("env.py", "import json, os\nprint(json.dumps(dict(os.environ)))\n")
    text = Path(run(script, env={"ONLY": "1"}).stdout.path).read_text(encoding="utf-8")
    return {name: str(value) for name, value in json.loads(text).items() if name not in OF_SHELLS}


def test_only_the_list_is_seen(seen: dict[str, str]) -> None:
    """A script sees the allow-list exactly, and what was given for it (case 101)."""
    assert set(seen) == {*ALLOWED, "ONLY"}
    assert "SECRET-VALUE" not in seen.values()


def test_home_is_the_scratch_folder(seen: dict[str, str], scratch: Path) -> None:
    """Home and the temporary folder are the scratch folder, and the locale is UTF-8 (case 101)."""
    assert (seen["HOME"], seen["TMPDIR"], seen["LANG"]) == (str(scratch), str(scratch), "C.UTF-8")


def test_zone_passes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time zone is the parent's, where one is set."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert environment("/scratch", "mark")["TZ"] == "Asia/Tokyo"


def test_mark_cannot_be_given() -> None:
    """What is given may replace the list's own, but not the mark that the run's processes are known by."""
    made = environment("/scratch", "mark", {"HOME": "/elsewhere", MARK: "mine"})
    assert (made["HOME"], made[MARK]) == ("/elsewhere", "mark")


@pytest.mark.parametrize("planted", [True, False])
def test_compiled_files_are_not_loaded(tmp_path: Path, planted: bool) -> None:
    """A compiled file beside a script, which no digest covers, is never run in place of its source."""
    source = tmp_path / "beside.py"
    if planted:
        source.write_text("print('planted')\n")
        py_compile.compile(str(source), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    source.write_text("print('read')\n")
    scratch = str(tmp_path / "scratch")
    seen = subprocess.run(
        [sys.executable, "-c", "import beside"],
        cwd=tmp_path,
        env=environment(scratch, "m", without_compiled(str(tmp_path), scratch)),
        capture_output=True,
        check=True,
    )
    assert seen.stdout == b"read\n"
