"""Are the tests themselves as they should be: told in a sentence, short, with real parts and no waiting?"""

import ast
import re
from collections.abc import Iterator

import pytest

from .source import DOCS, TESTS, Function, Module, called, functions, lines_of, module_named, modules

TEST_LINES = 20
REQUIREMENTS = DOCS / "requirements.md"
NUMBER = re.compile(r"\b([OMH]\d+)\b")
FORBIDDEN_CALL = re.compile(r"(^|\.)(monkeypatch\.setattr|mock\.patch|patch|patch\.object|MagicMock|AsyncMock)$")

WRITTEN = modules(TESTS)


@pytest.mark.parametrize("module", WRITTEN, ids=str)
def test_tests_tell_what_they_hold(module: Module) -> None:
    """A file of tests says its subject, and every test says in a docstring what it holds."""
    assert ast.get_docstring(module.tree)
    assert [node.name for node in written_tests(module) if not ast.get_docstring(node)] == []


@pytest.mark.parametrize("module", WRITTEN, ids=str)
def test_tests_are_short(module: Module) -> None:
    """A test has at most 20 lines, its docstring and decorators aside."""
    assert {node.name: body_lines(node) for node in written_tests(module) if body_lines(node) > TEST_LINES} == {}


@pytest.mark.parametrize("module", WRITTEN, ids=str)
def test_parts_are_real(module: Module) -> None:
    """No test replaces a part of the program with a stand-in made on the spot."""
    assert list(stand_ins(module.tree)) == []


@pytest.mark.parametrize("module", WRITTEN, ids=str)
def test_nothing_waits_by_the_clock(module: Module) -> None:
    """No test sleeps a fixed time and hopes; one may sleep between looks, in a loop."""
    assert list(bare_sleeps(module.tree)) == []


def test_stand_ins_and_sleeps_are_found() -> None:
    """Planted stand-ins and sleeps are found."""
    planted = "import unittest.mock\ndef f(monkeypatch):\n    monkeypatch.setattr(a, 'b', 1)\n    time.sleep(1)\n"
    looped = "def f():\n    while not ready():\n        time.sleep(0.1)\n"
    assert list(stand_ins(module_named(planted).tree)) == [1, 3]
    assert list(bare_sleeps(module_named(planted).tree)) == [4]
    assert list(bare_sleeps(module_named(looped).tree)) == []


def test_requirements_named_are_there() -> None:
    """Every requirement that a test names is a line of docs/requirements.md."""
    known = set(re.findall(r"^- ([OMH]\d+)\.", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE))
    named = {number: str(module) for module in WRITTEN for number in numbers_in(module)}
    assert {number: place for number, place in named.items() if number not in known} == {}
    assert {"O8", "M26", "H1"} <= known


def written_tests(module: Module) -> Iterator[Function]:
    """The test functions of a module."""
    return (node for node in functions(module.tree) if node.name.startswith("test_"))


def body_lines(node: Function) -> int:
    """How many lines a test has without its decorators and its docstring."""
    decorators = node.lineno - min([node.lineno, *(item.lineno for item in node.decorator_list)])
    first = node.body[0]
    told = ast.get_docstring(node) is not None
    return lines_of(node) - decorators - ((first.end_lineno or first.lineno) - first.lineno + 1 if told else 0)


def stand_ins(tree: ast.AST) -> Iterator[int]:
    """The lines that import a mock or patch something."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and "mock" in ast.unparse(node):
            yield node.lineno
        if isinstance(node, ast.Call) and FORBIDDEN_CALL.search(called(node)):
            yield node.lineno


def bare_sleeps(tree: ast.AST) -> Iterator[int]:
    """The lines that call time.sleep outside a loop."""
    looped = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.While | ast.For) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in {"time.sleep", "sleep"} and id(node) not in looped:
            yield node.lineno


def numbers_in(module: Module) -> set[str]:
    """The requirement numbers in the docstrings of a module."""
    owners = (node for node in ast.walk(module.tree) if isinstance(node, Function | ast.ClassDef | ast.Module))
    return {number for owner in owners for number in NUMBER.findall(ast.get_docstring(owner) or "")}
