"""What does the library offer a program? Told by its own docstrings and signatures, as they are written."""

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

DOORS = ("metier", "metier.testing", "metier.errors")
HEAD = """# Python

What a program can import, made from the docstrings. `import metier` loads nothing but itself; a name is loaded when it is used.
"""
SECTION = re.compile(r"^(Args|Raises|Returns|Requirements?): *(.*)$")


def python_reference() -> str:
    """The page: a section for each module that programs import from, and in it each of its names."""
    return "\n".join([HEAD, *(part for door in DOORS for part in _module(door))])


def _module(name: str) -> Iterator[str]:
    module = importlib.import_module(name)
    yield f"## `{name}`\n"
    first, _, _ = (inspect.getdoc(module) or "").partition("\n")
    yield f"{first}\n"
    for one in sorted(module.__all__, key=str.lower):
        if not one.startswith("__"):
            yield from _name(name, one, getattr(module, one))


def _name(module: str, name: str, thing: Any) -> Iterator[str]:  # Any: whatever a module offers
    yield f"### `{name}` {{ #{module}.{name} }}\n"
    node = ast.parse(textwrap.dedent(inspect.getsource(thing))).body[0]
    if isinstance(node, ast.ClassDef):
        yield from _class(node)
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield _code(_signature(node))
        yield _told(node)


def _class(node: ast.ClassDef) -> Iterator[str]:
    parents = ", ".join(ast.unparse(parent) for parent in node.bases)
    yield _code(f"class {node.name}({parents})" if parents else f"class {node.name}")
    yield _told(node)
    fields = list(_fields(node))
    if fields:
        yield "\n".join(fields) + "\n"
    for method in node.body:
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) and _is_shown(method):
            yield _code(_signature(method))
            yield _told(method)


def _is_shown(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    if method.name == "__init__":
        return bool(method.args.args[1:] or method.args.kwonlyargs)
    return not method.name.startswith("_")


def _fields(node: ast.ClassDef) -> Iterator[str]:
    for place, item in enumerate(node.body):
        if not isinstance(item, ast.AnnAssign) or ast.unparse(item.target).startswith("_"):
            continue
        after = node.body[place + 1] if place + 1 < len(node.body) else None
        default = f" = {ast.unparse(item.value)}" if item.value is not None else ""
        told = _text_of(after)
        yield f"- `{ast.unparse(item.target)}: {ast.unparse(item.annotation)}{default}`{'<br>' if told else ''}{told}"


def _text_of(node: ast.stmt | None) -> str:
    """The words that stand below a field."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return " ".join(node.value.value.split())
    return ""


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """How it is called, without `self`; a property without its brackets."""
    decorators = {ast.unparse(item) for item in node.decorator_list}
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    if "property" in decorators:
        return f"{node.name}{returns}"
    arguments = ast.unparse(node.args)
    if node.args.args and node.args.args[0].arg in ("self", "cls"):
        arguments = arguments.partition(", ")[2]
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    return _broken(f"{word} {node.name}", arguments, returns)


def _broken(head: str, arguments: str, returns: str) -> str:
    """On one line where it fits, else an argument a line."""
    if len(head) + len(arguments) + len(returns) < 90:
        return f"{head}({arguments}){returns}"
    parts = re.split(r", (?![^\[(]*[\])])", arguments)
    return "\n".join([f"{head}(", *(f"    {part}," for part in parts), f"){returns}"])


def _told(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """A docstring as Markdown: its sections become lists."""
    lines: list[str] = []
    inside = False
    for line in (ast.get_docstring(node) or "").splitlines():
        section = SECTION.match(line)
        if section:
            lines += ["", f"**{section[1]}** {section[2]}".rstrip(), ""]
            inside = not section[2]
        elif inside and line.startswith("    ") and not line.startswith("     "):
            lines.append(re.sub(r"^(\w+):", r"- `\1`:", line.strip()))
        else:
            lines.append(line.strip() if inside else line)
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    return f"```py\n{text}\n```\n"
