"""What does a script see of our environment?"""

import os
from collections.abc import Mapping

CACHE = "__pycache__"
MARK = "METIER_CALL"
"""The variable that a run's processes are known by, wherever they went."""
KEY = "METIER_KEY"
"""The variable in which a script finds `task:call`: the same at every try, for a service that takes an idempotency key."""


def environment(scratch: str, mark: str, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The whole environment of a script: an allow-list, and what the caller adds for this one (case 101).

    A variable that is given does not bring back the rest, and the mark cannot be given.
    """
    allowed = {
        "PATH": search_path(),
        "HOME": scratch,
        "TMPDIR": scratch,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "PYTHONUTF8": "1",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    zone = os.environ.get("TZ")
    if zone is not None:
        allowed["TZ"] = zone
    return {**allowed, **(extra or {}), MARK: mark}


def without_compiled(folder: str, scratch: str) -> dict[str, str]:
    """What keeps Python from loading the compiled files below a folder, for they are no part of a skill's digest.

    Empty where there are none: it also hides the standard library's own, and a start then takes four times as long.
    """
    found = any(CACHE in folders for _, folders, _ in os.walk(folder))
    return {"PYTHONPYCACHEPREFIX": scratch} if found else {}


def search_path() -> str:
    """The folders that interpreters and commands are looked for in."""
    return os.environ.get("PATH") or os.defpath
