"""What does the code itself say of a class's members and a function's parameters?

Read, the nearest first: text in `Annotated`, the text below a member, the section of the docstring that lists them.
"""

import ast
import inspect
import linecache
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Any, get_args, get_origin, get_type_hints

_SECTIONS = {"args:", "arguments:", "parameters:", "params:", "attributes:", "members:", "fields:"}
_GOOGLE = re.compile(r"^\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)$")
_NUMPY = re.compile(r"^(\w+)\s*(?::.*)?$")
_SPHINX = re.compile(r"^:(?:param|parameter|arg|ivar|var)\s+(?:[^:]*\s)?(\w+):\s*(.*)$")


def of_members(kind: type) -> dict[str, str]:
    """What is said of each member of a class, in its own code or in that of its bases."""
    said: dict[str, str] = {}
    for one in reversed(kind.__mro__):
        if one.__module__ not in {"builtins", "pydantic.main", "typing"}:
            said |= _listed(one.__doc__)
            said |= _below(one)
    try:
        hints = get_type_hints(kind, include_extras=True)
    except (NameError, TypeError):
        return said  # whoever makes the schema tells of names that are not known
    return said | _annotated(hints)


def of_parameters(function: Callable[..., Any], hints: Mapping[str, Any]) -> dict[str, str]:
    """What is said of each parameter of a function."""
    return _listed(function.__doc__) | _annotated(hints)


def told_by(hint: Any) -> str:
    """The text in an `Annotated` type, as a text, a `Doc` or a `Field`; empty where there is none."""
    if get_origin(hint) is not Annotated:
        return ""
    for one in get_args(hint)[1:]:
        for text in (one, getattr(one, "documentation", None), getattr(one, "description", None)):
            if isinstance(text, str) and text:
                return text
    return ""


def first_paragraph(text: str | None) -> str:
    """The first paragraph of a docstring, as one line."""
    return " ".join(inspect.cleandoc(text or "").split("\n\n")[0].split())


def _annotated(hints: Mapping[str, Any]) -> dict[str, str]:
    return {name: text for name, hint in hints.items() if (text := told_by(hint))}


def _below(kind: type) -> Mapping[str, str]:
    """The texts that stand below a class's members, which Python itself does not keep."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return _texts_of(file).get(kind.__qualname__, {}) if file else {}  # made at run time: there is no source


@lru_cache(maxsize=256)
def _texts_of(file: str) -> Mapping[str, Mapping[str, str]]:
    """Those texts for each class of a file, by its qualified name; a file is read once."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return {}  # not Python, such as an extension module
    return {name: texts for name, node in _classes(tree.body, "") if (texts := dict(_texts(node.body)))}


def _classes(body: list[ast.stmt], within: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield within + node.name, node
            yield from _classes(node.body, f"{within}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _classes(node.body, f"{within}{node.name}.<locals>.")
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from _classes(node.body, within)


def _texts(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for member, below in pairwise(body):
        if not isinstance(member, ast.AnnAssign) or not isinstance(member.target, ast.Name):
            continue
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
            yield member.target.id, first_paragraph(below.value.value)


def _listed(docstring: str | None) -> dict[str, str]:
    """What the sections of a docstring say of each name, in Google's, NumPy's or Sphinx's form."""
    lines = inspect.cleandoc(docstring or "").split("\n")
    found = {match[1]: match[2].strip() for line in lines if (match := _SPHINX.match(line))}
    for at, line in enumerate(lines):
        if line.strip().lower() in _SECTIONS:
            found |= _entries(lines[at + 1 :], _GOOGLE, indented=True)
        elif line.startswith("---") and at and lines[at - 1].strip().lower() + ":" in _SECTIONS:
            found |= _entries(lines[at + 1 :], _NUMPY, indented=False)
    return found


def _entries(lines: list[str], form: re.Pattern[str], *, indented: bool) -> dict[str, str]:
    """The entries of one section."""
    depth = _depth(lines[0]) if lines else 0
    if indented != bool(depth):
        return {}
    found: dict[str, list[str]] = {}
    name = ""
    for line in _section(lines, depth):
        if _depth(line) > depth:
            found.setdefault(name, []).append(line.strip())
        elif match := form.match(line.strip()):
            name = match[1]
            found[name] = [text for text in match.groups()[1:] if text]
    return {name: " ".join(texts) for name, texts in found.items() if texts}


def _section(lines: list[str], depth: int) -> Iterator[str]:
    """The lines of a section that are not blank, until its indentation or a ruled title ends it."""
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if (line.strip() and _depth(line) < depth) or following.startswith("---"):
            return
        if line.strip():
            yield line


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
