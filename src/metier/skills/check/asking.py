"""Where does a script ask a person, who is not there?

Specification, section 1.4: scripts never ask. What reads standard input without a question is not meant: it sees its end.
"""

import ast
import re
import warnings
from collections.abc import Iterator
from typing import NamedTuple

_ASKS = frozenset(
    {
        "input", "raw_input", "builtins.input", "getpass.getpass", "click.prompt", "click.confirm", "click.pause",
        "typer.prompt", "typer.confirm", "Prompt.ask", "Confirm.ask", "IntPrompt.ask", "FloatPrompt.ask",
        "inquirer.prompt", "prompt_toolkit.prompt",
    }
)  # fmt: skip
_READ = re.compile(
    r"(?:^|[;&|({]|\b(?:then|do|else|if|while|until|!))\s*(?:IFS=\S*\s+)?read\s+(?:-\w+\s+|\d+\s+)*-[a-zA-Z]*p\b"
)
_HEREDOC = re.compile(r"<<-?\s*([\"']?)(\w+)\1")
_QUESTION = re.compile(
    r"\b(?:rl|iface|\w{0,30}(?:[rR]eadline|[iI]nterface)\w{0,30})\.question\s*\("
    r"|\b(?:inquirer\.prompt|prompts|enquirer\.prompt|window\.prompt)\s*\(|require\(\s*[\"']prompt-sync[\"']"
)


class Asked(NamedTuple):
    """One question of a script."""

    line: int
    how: str
    """The call or the command that asks."""


class Unparsed(NamedTuple):
    """Why a Python script is no Python."""

    line: int | None
    cause: str


def python_asks(text: str) -> list[Asked] | Unparsed:
    """The calls of a Python script that ask, by its syntax tree."""
    tree = _parsed(text)
    if isinstance(tree, Unparsed):
        return tree
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    bare = _imported(tree)
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    named = ((node.lineno, _dotted(node.func)) for node in calls)
    return sorted(Asked(line, f"{name}()") for line, name in named if bare.get(name, name) in _ASKS - own)


def _parsed(text: str) -> ast.Module | Unparsed:
    try:
        with warnings.catch_warnings():
            # A warning of the parser about the script is no concern of this process.
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        return Unparsed(error.lineno or None, error.msg)
    except (ValueError, RecursionError, MemoryError) as error:
        return Unparsed(None, str(error) or "it is too deep to be read")


def _imported(tree: ast.AST) -> dict[str, str]:
    """What names mean that were imported from a module: `getpass` is `getpass.getpass`."""
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and node.module in ("builtins", "getpass", "click", "typer", "prompt_toolkit")
        for alias in node.names
    }


def _dotted(node: ast.expr) -> str:
    """The dotted name that a call is written with; empty where it is none."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def shell_asks(text: str) -> list[Asked]:
    """The `read` commands of a shell script that show a question; texts that it writes elsewhere are passed over."""
    asked: list[Asked] = []
    until = ""
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if until:
            until = "" if bare == until else until
            continue
        if bare.startswith("#"):
            continue
        if _READ.search(_unquoted(bare)):
            asked.append(Asked(number, "read -p"))
        document = _HEREDOC.search(bare)
        until = document[2] if document and "<<<" not in bare else ""
    return asked


def _unquoted(line: str) -> str:
    """A line of shell without what stands in quotes."""
    return re.sub(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", "''", line)


def script_asks(text: str) -> Iterator[Asked]:
    """The calls of a JavaScript program that ask; comments are passed over."""
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        match = None if bare.startswith(("//", "*", "/*")) else _QUESTION.search(bare)
        if match:
            yield Asked(number, match[0].rstrip("( ") + "()" if match[0].endswith("(") else match[0])
