"""Which program runs this script?"""

import os
import shlex
import shutil
import sys

from ...domain.action import Miss
from .environment import search_path

_RUNNERS: dict[str, tuple[str, ...]] = {
    ".py": (),
    ".sh": ("bash", "sh"),
    ".bash": ("bash",),
    ".js": ("node",),
    ".mjs": ("node",),
    ".rb": ("ruby",),
    ".pl": ("perl",),
}
"""The programs for each extension, the best first. Python scripts run with the interpreter that runs metier."""

KNOWN_EXTENSIONS = tuple(_RUNNERS)
_LONGEST_LINE = 256
"""Bytes of a first line that Linux reads."""


def command_for(path: str) -> list[str] | Miss:
    """The command that runs the script: by its extension, else by its `#!` line (case 013).

    The execute bit counts for nothing, since it does not travel through archives. Nothing is started to find out.
    """
    extension = os.path.splitext(path)[1].lower()
    if extension == ".py" and sys.executable:
        # Only -B: a script may import the modules beside it, and leaves no byte code among the skill's files.
        return [sys.executable, "-B", path]
    if extension in _RUNNERS:
        names = _RUNNERS[extension] or ("python3",)
        return _found(names, [path], because=f"{extension} files need")
    words = _first_line(path)
    if words:
        return _found(words[:1], [*words[1:], path], because="its first line names")
    return _no_runner(f"Nothing is known to run {os.path.basename(path)!r}: it has no known extension and no #! line.")


def _found(names: tuple[str, ...] | list[str], rest: list[str], *, because: str) -> list[str] | Miss:
    for name in names:
        program = shutil.which(name, path=search_path())
        if program is not None:
            return [program, *rest]
    return _no_runner(f"{os.path.basename(rest[-1])!r} cannot run: {because} {names[0]!r}, which is not installed.")


def _no_runner(reason: str) -> Miss:
    return Miss("script.no_runner", f"{reason} Known extensions: {', '.join(KNOWN_EXTENSIONS)}.", KNOWN_EXTENSIONS)


def _first_line(path: str) -> list[str]:
    """The program of a `#!` line and its argument, `env` looked through; empty when there is none."""
    try:
        with open(path, "rb") as file:
            line = file.readline(_LONGEST_LINE)
    except OSError:
        return []
    if not line.startswith(b"#!"):
        return []
    program, _, argument = os.fsdecode(line[2:]).strip().partition(" ")
    argument = argument.strip()
    if os.path.basename(program) == "env":
        return _env_words(argument)
    return [word for word in (program, argument) if word]


def _env_words(argument: str) -> list[str]:
    """What `env` would start. Only its option -S splits, as on Linux."""
    if not argument.startswith("-S"):
        return [argument] if argument else []
    try:
        return shlex.split(argument.removeprefix("-S"))
    except ValueError:
        return []
