"""How is a written program or command run, and does it print what is written beside it?"""

import fnmatch
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from .page import Fence
from .source import ROOT, environment

SECONDS = 120
EXPECTED = re.compile(r"^\s*#> ?(.*)$")
CAST = ("metier.toml", "examples", ".agents")
"""What a reader who stands in the repository has around: copied for each page."""


def stage(folder: Path) -> Path:
    """Copy what the written programs find around them into a folder."""
    for name in CAST:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".metier"))
        elif source.is_file():
            shutil.copy(source, folder / name)
    return folder


def run_program(path: Path, folder: Path) -> str:
    """Run a Python program in a folder and answer what is wrong with it: nothing, or what it printed."""
    expected = [
        match[1].rstrip() for match in map(EXPECTED.match, path.read_text(encoding="utf-8").splitlines()) if match
    ]
    return _judge([sys.executable, str(path)], folder, expected)


def run_commands(fence: Fence, folder: Path) -> str:
    """Run a fence's `$ metier` commands one after another and answer what is wrong with the first that fails."""
    for command, expected in commands_in(fence):
        words = shlex.split(command, comments=True)
        wrong = _judge([sys.executable, "-m", *words], folder, expected) if words[0] == "metier" else ""
        if wrong:
            return f"$ {command}\n{wrong}"
    return ""


def commands_in(fence: Fence) -> list[tuple[str, list[str]]]:
    """The commands of a fence, each with the output lines below it. A backslash at a line's end joins the next one."""
    found: list[tuple[str, list[str]]] = []
    for line in re.sub(r"\\\n\s*", "", fence.text).splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and line.strip():
            found[-1][1].append(line.rstrip())
    return found


def differs(expected: list[str], printed: list[str]) -> bool:
    """Whether output is not as written. A line of `…` stands for any lines, a `…` within a line for any words."""
    # One pattern over the whole text: each line ends with a line end, and `…` alone may swallow lines.
    pattern = "".join("*" if line.strip() == "…" else _pattern(line) + "\n" for line in expected)
    return not fnmatch.fnmatchcase("".join(f"{line}\n" for line in printed), pattern)


def _pattern(line: str) -> str:
    return re.sub(r"([\[*?])", r"[\1]", line).replace("…", "*")


def _judge(command: list[str], folder: Path, expected: list[str]) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    printed = [line.rstrip() for line in done.stdout.splitlines() if line.strip()]
    if done.returncode == 0 and not (expected and differs([line for line in expected if line], printed)):
        return ""
    return "\n".join([f"exit {done.returncode}, printed:", *printed, done.stderr, "expected:", *expected])
