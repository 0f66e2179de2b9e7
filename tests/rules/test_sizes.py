"""How long and how tangled may code be? There is no list of exceptions."""

import pytest
from radon.complexity import cc_visit  # type: ignore[import-untyped]  # radon ships no types

from .source import EXAMPLES, PACKAGE, TESTS, Module, functions, lines_of, modules

FILE_LINES = 400
FUNCTION_LINES = 50
COMPLEXITY = 10
GRAB_BAGS = {"utils", "util", "helpers", "helper", "manager", "managers", "base", "common", "misc"}

HOUSE = [module for folder in (PACKAGE, TESTS, EXAMPLES) for module in modules(folder)]


def test_files_are_short() -> None:
    """A file has at most 400 lines."""
    lengths = {str(module): len(module.text.splitlines()) for module in HOUSE}
    assert {name: length for name, length in lengths.items() if length > FILE_LINES} == {}


def test_functions_are_short() -> None:
    """A function has at most 50 lines."""
    long = [
        f"{module}:{node.lineno} {node.name} has {lines_of(node)} lines"
        for module in HOUSE
        for node in functions(module.tree)
        if lines_of(node) > FUNCTION_LINES
    ]
    assert long == []


def test_functions_are_simple() -> None:
    """A function of the package has a cyclomatic complexity, by radon, of at most 10; ruff holds all else to its own count."""
    assert [line for module in modules() for line in tangled(module)] == []


@pytest.mark.parametrize("module", HOUSE, ids=str)
def test_files_are_named_by_idea(module: Module) -> None:
    """No file or folder is called by a word that anything fits."""
    parts = {part.lower().lstrip("_").removeprefix("test_") for part in module.name.split(".")}
    assert parts & GRAB_BAGS == set()


def tangled(module: Module) -> list[str]:
    """The functions of a module that are too complex, methods and closures too."""
    blocks = cc_visit(module.text)
    parts = [
        part for block in blocks for part in (block, *getattr(block, "methods", []), *getattr(block, "closures", []))
    ]
    return sorted(
        {
            f"{module}:{part.lineno} {part.fullname} has complexity {part.complexity}"
            for part in parts
            if part.letter != "C" and part.complexity > COMPLEXITY
        }
    )
