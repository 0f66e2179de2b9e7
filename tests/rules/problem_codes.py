"""Which problem codes can the package report, as far as its text shows?"""

import ast
import re
from dataclasses import dataclass, field

from .source import Function, Module, called, functions


@dataclass(slots=True)
class Codes:
    """The codes that are given to `Problem(…)`, and the modules where one was picked by other means."""

    found: set[str] = field(default_factory=set[str])
    unread: set[Module] = field(default_factory=set[Module])


@dataclass(frozen=True, slots=True)
class _Owned:
    """A call with the module and the function that it stands in."""

    module: Module
    function: Function | None
    call: ast.Call


def codes_of(house: tuple[Module, ...]) -> Codes:
    """The first arguments of all calls of `Problem`, followed through functions that pass their own parameter on."""
    calls = [owned for module in house for owned in _calls(module)]
    codes = Codes()
    for owned in calls:
        if called(owned.call).split(".")[-1] == "Problem":
            _read(_argument(owned.call, 0, "code"), owned, calls, codes, depth=0)
    for module in list(codes.unread):
        picked = _picked(module, {code.split(".")[0] for code in codes.found})
        codes.found |= picked
        codes.unread -= {module} if picked else set[Module]()
    return codes


def _picked(module: Module, families: set[str]) -> set[str]:
    """The literals of a module that read as a code of a known family: `resource.link` beside `resource.name`."""
    texts = {
        node.value for node in ast.walk(module.tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return {text for text in texts if re.fullmatch(r"[a-z]+\.[a-z_]+", text) and text.split(".")[0] in families}


def _read(node: ast.expr | None, owned: _Owned, calls: list[_Owned], codes: Codes, *, depth: int) -> None:
    match node:
        case ast.Constant(value=str(code)):
            codes.found.add(code)
        case ast.IfExp(body=first, orelse=second):
            _read(first, owned, calls, codes, depth=depth)
            _read(second, owned, calls, codes, depth=depth)
        case ast.Name(id=name) if owned.function and depth < 3 and name in _parameters(owned.function):
            for caller in _callers(owned.function, calls):
                argument = _argument(caller.call, _parameters(owned.function).index(name), name)
                _read(argument, caller, calls, codes, depth=depth + 1)
        case _:
            codes.unread.add(owned.module)


def _calls(module: Module) -> list[_Owned]:
    owners: dict[int, Function] = {}
    for function in functions(module.tree):  # outer ones come first, so the innermost wins
        owners.update({id(node): function for node in ast.walk(function)})
    found = (node for node in ast.walk(module.tree) if isinstance(node, ast.Call))
    return [_Owned(module, owners.get(id(node)), node) for node in found]


def _callers(function: Function, calls: list[_Owned]) -> list[_Owned]:
    return [owned for owned in calls if called(owned.call).split(".")[-1] == function.name]


def _parameters(function: Function) -> list[str]:
    names = [item.arg for item in (*function.args.posonlyargs, *function.args.args)]
    bound = names[:1] in (["self"], ["cls"])
    return [*names[1 if bound else 0 :], *(item.arg for item in function.args.kwonlyargs)]


def _argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    return call.args[position] if position < len(call.args) else None
