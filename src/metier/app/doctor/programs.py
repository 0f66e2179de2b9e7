"""Which programs do scripts run with, and are they here? None of them is started."""

import os
import shutil
import sys
from collections.abc import Iterator

from ...actions.scripts.environment import search_path
from ...actions.scripts.interpreter import find_uv
from .finding import Finding

INTERPRETERS = {
    "bash": "apt-get install bash, if a skill has .sh scripts",
    "node": "apt-get install nodejs, if a skill has .js scripts",
    "ruby": "apt-get install ruby, if a skill has .rb scripts",
    "perl": "apt-get install perl, if a skill has .pl scripts",
}
"""The programs that scripts run with beside Python, and what brings each of them."""


def about_programs() -> Iterator[Finding]:
    """The interpreters of scripts, and `uv`."""
    if sys.executable:
        yield Finding("ok", "python scripts", sys.executable)
    else:
        # An embedded interpreter does not know its own file; scripts then need one that the PATH names.
        yield _program("python3", "apt-get install python3, if a skill has .py scripts")
    for name, cure in INTERPRETERS.items():
        yield _program(name, cure)
    yield _found("uv", find_uv(), "pip install uv, if a skill's Python scripts name dependencies of their own")


def _program(name: str, cure: str) -> Finding:
    return _found(name, shutil.which(name, path=search_path()), cure)


def _found(name: str, found: str | None, cure: str) -> Finding:
    if found is None:
        return Finding("missing", name, "not on the PATH", cure)
    return Finding("ok", name, os.path.abspath(found))
