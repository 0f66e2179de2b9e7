"""One door to every effect: who may run an action's body, and who may make a permit (design, section 3)?"""

import ast
from collections.abc import Iterator

import pytest

from .source import Function, Module, called, dotted, functions, module_named, modules, room

BODY = "async def go(action, permit: Permit):\n    return await action.body({}, None)"


def test_one_function_runs_bodies() -> None:
    """Only one function of the package calls an action's body, and it takes a Permit."""
    if not room("gate"):
        pytest.skip("the gate is not built yet")
    doors = [(module, function) for module in modules() for function in runs_body(module.tree)]
    assert [f"{module}:{function.name}" for module, function in doors if not takes_permit(function)] == []
    assert len(doors) == 1, [f"{module}:{function.name}" for module, function in doors]


def test_only_the_gate_makes_permits() -> None:
    """Permits are made under gate/ only."""
    if not room("gate"):
        pytest.skip("the gate is not built yet")
    makers = [str(module) for module in modules() if makes_permit(module)]
    assert [name for name in makers if not name.startswith("src/metier/gate/")] == []
    assert makers != []


def test_a_second_door_is_found() -> None:
    """A planted call of a body is found, and so is one under another name or without a permit."""
    assert [takes_permit(function) for function in runs_body(ast.parse(BODY))] == [True]
    renamed = ast.parse("def go(action):\n    run = action.body\n    return run({}, None)")
    assert [takes_permit(function) for function in runs_body(renamed)] == [False]
    assert makes_permit(module_named("permit = gate.Permit('call')"))


def runs_body(tree: ast.AST) -> Iterator[Function]:
    """The functions that call something's `.body`, at once or through a name."""
    for function in functions(tree):
        assigned = (node for node in ast.walk(function) if isinstance(node, ast.Assign) and _is_body(node.value))
        names = {target.id for node in assigned for target in node.targets if isinstance(target, ast.Name)}
        calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
        if any(_is_body(func) or dotted(func) in names for func in calls):
            yield function


def takes_permit(function: Function) -> bool:
    """Whether a function has a parameter that is a Permit."""
    parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return any(item.annotation is not None and ast.unparse(item.annotation) == "Permit" for item in parameters)


def makes_permit(module: Module) -> bool:
    """Whether a module constructs a Permit."""
    calls = (node for node in ast.walk(module.tree) if isinstance(node, ast.Call))
    return any(called(node).split(".")[-1] == "Permit" for node in calls)


def _is_body(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "body"
