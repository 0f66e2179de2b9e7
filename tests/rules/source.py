"""Where do the rules read the house from: its folders, its files and their syntax trees?"""

import ast
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "metier"
TESTS = ROOT / "tests"
DOCS = ROOT / "docs"
EXAMPLES = ROOT / "examples"

Function = ast.FunctionDef | ast.AsyncFunctionDef
CASE = re.compile(r"^\d")
"""Folders under tests/cases that hold the data of one case start with its number."""


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """One Python file with its syntax tree."""

    path: Path
    name: str
    """Dotted, such as `metier.domain.permits`; a package has its own name, without `__init__`."""
    text: str
    tree: ast.Module

    @property
    def is_package(self) -> bool:
        """Whether the file is the `__init__.py` of a package."""
        return self.path.name == "__init__.py"

    def __str__(self) -> str:
        return str(self.path.relative_to(ROOT))


@cache
def modules(folder: Path = PACKAGE) -> tuple[Module, ...]:
    """The Python files under a folder, in the order of their paths."""
    paths = (path for path in sorted(folder.rglob("*.py")) if "__pycache__" not in path.parts)
    return tuple(_read(path) for path in paths if not _is_case_data(path))


def module_named(text: str, name: str = "planted") -> Module:
    """A module that is only a text, for the tests that plant a fault."""
    return Module(ROOT / f"{name}.py", name, text, ast.parse(text))


def room(name: str) -> tuple[Module, ...]:
    """The modules of one room: a folder or a single file of the package; empty where it is not built yet."""
    prefix = f"metier.{name}"
    return tuple(module for module in modules() if module.name == prefix or module.name.startswith(prefix + "."))


def functions(tree: ast.AST) -> Iterator[Function]:
    """Every function and method, nested ones too."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node


def environment() -> dict[str, str]:
    """This process's environment, in which Python programs find this very tree's package and tell each warning as an error."""
    return {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "error"}


def lines_of(node: Function) -> int:
    """How many lines a function has, from its first decorator to its last line."""
    first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
    return (node.end_lineno or node.lineno) - first + 1


def called(node: ast.Call) -> str:
    """The dotted name that a call is written with, such as `Permit` or `mock.patch`; empty for anything else."""
    return dotted(node.func)


def dotted(node: ast.expr) -> str:
    """A name or attribute chain as it is written; a chain that starts elsewhere keeps its attributes only."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return ""


def _read(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    parts = path.relative_to(PACKAGE.parent if path.is_relative_to(PACKAGE) else ROOT).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return Module(path, name, text, ast.parse(text, str(path)))


def _is_case_data(path: Path) -> bool:
    return any(before == "cases" and CASE.match(part) for before, part in pairwise(path.parts))
