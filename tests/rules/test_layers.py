"""Who may import whom: the layers of design, section 4, and the front door that nothing inside uses."""

import ast
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from .source import PACKAGE, ROOT, Module, environment, module_named, modules


def test_imports_go_down_only() -> None:
    """The layer contract in pyproject.toml is kept."""
    program = Path(sysconfig.get_path("scripts")) / "lint-imports"
    command = [sys.executable, str(program), "--no-cache", "--no-logo"]
    # A warning of the tool's own is no fault of ours.
    settings = {**environment(), "PYTHONWARNINGS": "default"}
    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_imports_the_root() -> None:
    """No module of the package imports the package itself, which import-linter cannot see."""
    assert [f"{module}:{line}" for module in modules() for line in root_imports(module)] == []


@pytest.mark.parametrize("line", ["import metier", "from metier import Skill", "import metier.errors as errors"])
def test_a_root_import_is_found(line: str) -> None:
    """A planted import of the root is found, in each of its spellings."""
    assert list(root_imports(module_named(line, "metier.gate.planted"))) == [1]


def test_a_neighbour_is_no_root() -> None:
    """A relative import of a sibling room is no import of the root, but a name from the front door is."""
    module = module_named(
        "from ..errors import GateError\nfrom .. import errors\nfrom .. import Skill\n", "metier.gate.x"
    )
    assert list(root_imports(module)) == [3]


def root_imports(module: Module) -> Iterator[int]:
    """The lines that import the package root, or name it in an absolute import."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and _takes_from_root(node, module):
            yield node.lineno


def _takes_from_root(node: ast.Import | ast.ImportFrom, module: Module) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name.split(".")[0] == "metier" for alias in node.names)
    if node.level == 0:
        return (node.module or "").split(".")[0] == "metier"
    depth = len(module.name.split(".")) - (0 if module.is_package else 1)
    if node.module is not None or depth - node.level + 1 != 1:
        return False
    return not all(_is_submodule(alias.name) for alias in node.names)


def _is_submodule(name: str) -> bool:
    return (PACKAGE / f"{name}.py").is_file() or (PACKAGE / name).is_dir()
