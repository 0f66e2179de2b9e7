"""What may one run of a script use?"""

import math
import os
import resource
from collections.abc import Sequence
from dataclasses import dataclass

_BLOCK = 512
"""Bytes in the unit of `ulimit -f`, as POSIX has it."""
_LEAST_SHOWN = 1_000


@dataclass(frozen=True, slots=True)
class ScriptLimits:
    """The limits of one run of a script."""

    seconds: float = 60.0
    """Wall time. The time on the processors is limited too, to what no run within this time can reach."""
    output: int = 256 * 2**20
    """Bytes that are kept of standard output, and as many of standard error."""
    memory: int | None = 4 * 2**30
    """Bytes of address space of each process; none: no limit."""
    shown: int = 16_000
    """Characters of both outputs together that a model is shown."""
    open_files: int = 256
    file_size: int = 2**30
    """Bytes of the longest file that the script may write."""

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise ValueError(f"seconds must be more than 0, not {self.seconds!r}")
        if self.shown < _LEAST_SHOWN:
            raise ValueError(f"shown must be at least {_LEAST_SHOWN} characters, not {self.shown!r}")


DEFAULT_LIMITS = ScriptLimits()


def limited(command: Sequence[str], limits: ScriptLimits) -> list[str]:
    """The command that sets the limits and then becomes the given one.

    A shell sets them, because code of ours between fork and exec is unsafe once there are threads.
    """
    wanted = [
        ("c", 0, resource.RLIMIT_CORE, 1),
        ("n", limits.open_files, resource.RLIMIT_NOFILE, 1),
        ("f", limits.file_size, resource.RLIMIT_FSIZE, _BLOCK),
        ("t", _processor_seconds(limits.seconds), resource.RLIMIT_CPU, 1),
    ]
    if limits.memory is not None:
        wanted.append(("v", limits.memory, resource.RLIMIT_AS, 1024))
    # A limit that cannot be set ends the shell, so no script ever runs without its limits.
    steps = [f"ulimit -{letter} {_allowed(value, kind, unit)}" for letter, value, kind, unit in wanted]
    return ["/bin/sh", "-c", " && ".join([*steps, 'exec "$@"']), "sh", *command]


def _processor_seconds(seconds: float) -> int:
    """More than a run of so many seconds can use; it ends a script whose watcher is gone."""
    return (math.ceil(seconds) + 1) * (os.cpu_count() or 1)


def _allowed(value: int, kind: int, unit: int) -> int:
    """The value in its unit, or what our own hard limit still allows."""
    hard = resource.getrlimit(kind)[1]
    return -(-value // unit) if hard == resource.RLIM_INFINITY else min(-(-value // unit), hard // unit)
