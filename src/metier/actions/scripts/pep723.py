"""Which packages does a Python script say that it needs?

The inline block of PEP 723: comment lines between `# /// script` and `# ///` that hold TOML.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...domain.action import Miss

_BEGIN = re.compile(r"# /// ([a-zA-Z0-9-]+)")
_END = "# ///"
_BOUND = re.compile(r"\s*(>=|>|<=|<|==|!=)\s*(\d{1,4}(?:\.\d{1,4}){0,2})(\.\*)?\s*")


@dataclass(frozen=True, slots=True)
class Needs:
    """What a script needs beside the standard library of the Python that runs metier."""

    dependencies: tuple[str, ...] = ()
    """Requirements as they are written."""
    requires_python: str = ""

    @property
    def nothing(self) -> bool:
        """Whether the Python that runs metier will do as it is."""
        return not self.dependencies and _fits(self.requires_python, sys.version_info[:3])


def needs_of(path: str) -> Needs | Miss:
    """What the script says that it needs; a miss where it says it in a way that cannot be read."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        return Miss("script.missing", f"The script cannot be read: {error.strerror}.")
    if b"# /// script" not in data:
        return Needs()
    blocks = [body for kind, body in _blocks(data.decode("utf-8-sig", "replace")) if kind == "script"]
    if len(blocks) > 1:
        return _fault(f"it has {len(blocks)} of them, and one is allowed")
    return _read(blocks[0]) if blocks else Needs()


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Kind and text of each block. One ends at the last end line among the comment lines that follow its beginning."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    at = 0
    while at < len(lines):
        begin = _BEGIN.fullmatch(lines[at])
        at += 1
        if begin is None:
            continue
        end = over = at
        while over < len(lines) and (lines[over] == "#" or lines[over].startswith("# ")):
            end = over if lines[over] == _END else end
            over += 1
        # A block that is never closed is none, and so is one with nothing in it.
        if end > at:
            yield begin[1], "\n".join(line[2:] for line in lines[at:end])
            at = end + 1


def _read(body: str) -> Needs | Miss:
    try:
        read = tomllib.loads(body)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return _fault(f"it is no TOML: {error}")
    dependencies: list[Any] | Any = read.get("dependencies", [])
    python = read.get("requires-python", "")
    if not isinstance(dependencies, list) or not all(isinstance(one, str) for one in dependencies):
        return _fault("dependencies must be a list of texts")
    if not isinstance(python, str):
        return _fault("requires-python must be a text")
    return Needs(tuple(dependencies), python)


def _fault(why: str) -> Miss:
    return Miss("script.metadata", f"The script's block `# /// script` cannot be used: {why}. Its author must mend it.")


def _fits(bounds: str, version: tuple[int, ...]) -> bool:
    """Whether a Python version surely fits; what is not plainly a list of bounds does not."""
    return all(_within(bound, version) for bound in bounds.split(",") if bound.strip())


def _within(bound: str, version: tuple[int, ...]) -> bool:
    match = _BOUND.fullmatch(bound)
    if match is None:
        return False
    sign, number, any_below = match[1], tuple(map(int, match[2].split("."))), match[3]
    if any_below:
        same = version[: len(number)] == number
        return {"==": same, "!=": not same}.get(sign, False)
    asked = (*number, 0, 0)[:3]
    held: dict[str, bool] = {
        ">=": version >= asked,
        ">": version > asked,
        "<=": version <= asked,
        "<": version < asked,
        "==": version == asked,
        "!=": version != asked,
    }
    return held[sign]
