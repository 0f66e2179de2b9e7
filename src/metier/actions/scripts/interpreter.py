"""Which program runs this script?"""

import asyncio
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence

from ...domain.action import Miss
from ...errors import ActionError
from .environment import search_path
from .limits import ScriptLimits
from .run import ScriptEnded, run_script

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

UV_SECONDS = 300.0
"""How long the packages of one script may take to be found and installed."""
_UV_LIMITS = ScriptLimits(seconds=2 * UV_SECONDS, output=2**20, memory=None, open_files=4096, file_size=2**34)
_LAST_LINES = 12
_LAST_CHARACTERS = 2_000


def command_for(path: str, *, python: str = "") -> list[str] | Miss:
    """The command that runs the script: by its extension, else by its `#!` line (case 013).

    The execute bit counts for nothing, since it does not travel through archives. Nothing is started to find out. `python`
    is the interpreter for a Python script, if not our own.
    """
    extension = os.path.splitext(path)[1].lower()
    program = python or sys.executable
    if extension == ".py" and program:
        # Only -B: a script may import the modules beside it, and leaves no byte code among the skill's files.
        return [program, "-B", path]
    if extension in _RUNNERS:
        names = _RUNNERS[extension] or ("python3",)
        return _found(names, [path], because=f"{extension} files need")
    words = _first_line(path)
    if words:
        return _found(words[:1], [*words[1:], path], because="its first line names")
    return _no_runner(f"Nothing is known to run {os.path.basename(path)!r}: it has no known extension and no #! line.")


def find_uv() -> str | None:
    """The program `uv`, on the search path or beside the interpreter that runs metier."""
    return shutil.which("uv", path=search_path()) or shutil.which(os.path.join(os.path.dirname(sys.executable), "uv"))


async def python_with_packages(path: str, *, uv: str | None, outputs: str, seconds: float = UV_SECONDS) -> str | Miss:
    """The interpreter that has what the script's PEP 723 block asks for, made by `uv` in the user's environment.

    Nothing is built, so no code of a package runs before the script does. A lock file beside the script must fit, and is
    never written. A miss has the code `script.no_uv` or `script.dependencies`. When it is cancelled, uv is ended.
    """
    name = os.path.basename(path)
    if uv is None:
        return Miss(
            "script.no_uv", f"{name!r} names packages, and they are found by uv, which is not installed. Install uv."
        )
    try:
        async with asyncio.timeout(seconds):
            return await _resolved(path, name, uv=uv, outputs=outputs)
    except TimeoutError:
        return Miss("script.dependencies", f"The packages of {name!r} were not there after {seconds:g} s.")
    except ActionError as error:
        return Miss("script.dependencies", f"The packages of {name!r} were not looked for: {error}")


async def _resolved(path: str, name: str, *, uv: str, outputs: str) -> str | Miss:
    synced = await _uv([uv, "sync", "--quiet", "--no-build", *_locked(path), "--script", path], outputs)
    if synced.exit != 0:
        return _unresolved(name, synced)
    found = await _uv([uv, "python", "find", "--script", path], outputs)
    python = _last_of(found.stdout.path).strip()
    return python if found.exit == 0 and os.path.isabs(python) else _unresolved(name, found)


async def _uv(command: Sequence[str], outputs: str) -> ScriptEnded:
    """Run uv where we are and with all that we see, so that the user's proxies, indexes and cache count."""
    plain = [*command, "--no-progress", "--color", "never"]
    return await run_script(plain, scratch=os.curdir, outputs=outputs, limits=_UV_LIMITS, env=_ours())


def _locked(path: str) -> Sequence[str]:
    return ["--locked"] if os.path.lexists(f"{path}.lock") else []


def _ours() -> Mapping[str, str]:
    return {"HOME": os.path.expanduser("~"), "TMPDIR": tempfile.gettempdir(), **os.environ}


def _unresolved(name: str, ended: ScriptEnded) -> Miss:
    last = _last_of(ended.stderr.path)
    return Miss("script.dependencies", f"The packages of {name!r} could not be found or installed:\n{last}".rstrip())


def _last_of(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return "\n".join(file.read().strip().split("\n")[-_LAST_LINES:])[-_LAST_CHARACTERS:]


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
