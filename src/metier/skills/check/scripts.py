"""Can the scripts of a skill run on their own, with nobody at hand?"""

import os
import sys
from collections.abc import Iterable, Iterator

from ...actions.scripts.interpreter import KNOWN_EXTENSIONS
from ...domain.problem import Problem
from .asking import Asked, Unparsed, python_asks, script_asks, shell_asks
from .document import Document

_PYTHON = (".py",)
_SHELL = (".sh", ".bash")
_JAVASCRIPT = (".js", ".mjs", ".cjs")


def script_problems(document: Document) -> Iterator[Problem]:
    """What is wrong with the scripts, one after another. A script without `--help` is not told."""
    for file in document.files:
        if file.kind != "script":
            continue
        text = document.texts.get(file.name)
        place = document.named(file.name)
        first = text.partition("\n")[0] if text else ""
        ending = os.path.splitext(file.name)[1].lower()
        # Elsewhere a file may bear the execute bit by accident, as whole trees do.
        runs = ending in KNOWN_EXTENSIONS or first.startswith("#!") or not file.name.startswith("scripts/")
        if text is not None and not runs:
            cause = "nothing says which program runs this script"
            cure = f"begin it with a #! line, or call it by one of {', '.join(KNOWN_EXTENSIONS)}"
            yield Problem("script.interpreter", place, cause, 1, cure, "warning")
        if text is not None:
            yield from _judged(text, place, _language(ending, first))


def _language(ending: str, first: str) -> str:
    words = first if first.startswith("#!") and ending not in KNOWN_EXTENSIONS else ""
    if ending in _PYTHON or "python" in words:
        return "python"
    if ending in _SHELL or words.rstrip().endswith("sh"):
        return "shell"
    return "javascript" if ending in _JAVASCRIPT or "node" in words else ""


def _judged(text: str, place: str, language: str) -> Iterator[Problem]:
    if language == "python":
        found = python_asks(text)
        if isinstance(found, Unparsed):
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            cause = f"this is no Python {version}: {found.cause}"
            yield Problem("script.syntax", place, cause, found.line, "mend the line")
        else:
            yield from _asked(found, place)
    elif language == "shell":
        yield from _asked(shell_asks(text), place)
    elif language == "javascript":
        yield from _asked(script_asks(text), place)


def _asked(found: Iterable[Asked], place: str) -> Iterator[Problem]:
    for one in found:
        cause = f"the script asks with {one.how}, and nobody is there to answer"
        yield Problem("script.input", place, cause, one.line, "take it as an argument", "warning")
