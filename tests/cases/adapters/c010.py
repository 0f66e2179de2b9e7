"""Does a machine whose encoding is not UTF-8 change what is read or said?

No locale of code page 1252 can be counted on where this runs. What is run instead is stricter: the locale C with Python's
UTF-8 mode off, where the encoding of the locale is ASCII and any character beyond it fails, with the standard streams set to
code page 1252.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from ..case import HERE, Case, Happened

ROOT = HERE.parents[1]
NOT_UTF8 = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "cp1252"}
UTF8 = {"LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
EXPECTED = {
    "encodings": [("ANSI_X3.4-1968", 0), ("UTF-8", 1)],
    "same": True,
    "check": [],
    "names": ["größe", "umlaut"],
    "told": [],
    "description": "Prüft Größen – auch mit Pfeil →.",
    "loads": True,
    "resource": "✓ ß 你好\n",
    "command": (0, "1 skill, 0 errors, 0 warnings", ""),
}


def happens(case: Case, folder: Path) -> Happened:
    """Make the four calls in a process of that locale, and again under UTF-8; beside the skill lies one of such a name."""
    skill = case.laid_out(folder) / "in" / "umlaut"
    named = skill.parent / "größe"
    named.mkdir()
    (named / "SKILL.md").write_text("---\nname: größe\ndescription: Sizes.\n---\nBody.\n", encoding="utf-8")
    here, there = _calls(skill, folder / "here", NOT_UTF8), _calls(skill, folder / "there", UTF8)
    encodings = [(one.pop("encoding"), one.pop("utf8_mode")) for one in (here, there)]
    text, resource, stdout = here["answers"]
    facts = {
        "encodings": encodings,
        "same": here == there,
        "check": here["check"],
        **{name: here[name] for name in ("names", "told", "description")},
        "loads": EXPECTED["description"] in text,
        "resource": resource,
        "command": _command(skill),
    }
    return Happened("ok" if here["done"] else "error", {"stdout": stdout}, facts)


def _environment(locale: dict[str, str]) -> dict[str, str]:
    others = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    paths = {"PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONWARNINGS": "error"}
    return {**others, **paths, **locale}


def _calls(skill: Path, folder: Path, locale: dict[str, str]) -> Any:
    folder.mkdir()
    command = [sys.executable, "-m", "tests.cases.in_locale", str(skill), str(folder)]
    ended = subprocess.run(command, cwd=ROOT, env=_environment(locale), capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    return json.loads(ended.stdout)


def _command(skill: Path) -> tuple[int, str, str]:
    """The check by the command line: its exit code, its last line, and what it says to standard error."""
    command = [sys.executable, "-m", "metier", "check", str(skill)]
    ended = subprocess.run(command, cwd=ROOT, env=_environment(NOT_UTF8), capture_output=True, check=False)
    return ended.returncode, ended.stdout.decode("cp1252").splitlines()[-1][:29], ended.stderr.decode("cp1252")
