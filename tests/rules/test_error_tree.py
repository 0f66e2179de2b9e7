"""The error tree: drawn twice, written once as classes, and all three the same (style, section 3.6)."""

import ast
import re

import pytest

from metier import errors

from .page import code_in, fences, rows
from .source import DOCS, dotted, modules

PAGE = DOCS / "errors.md"
BRANCH = re.compile(r"^(?P<stem>(?:│   |    )*)[├└]── (?P<name>\w+)", re.MULTILINE)
SENTENCE = re.compile(r"(?<=\.)\s+(?=[A-Z`])")

Tree = dict[str, str]
"""Each class by name, with the name of its parent."""


def classes() -> list[type[errors.MetierError]]:
    """Every error class, a parent before its children."""
    found: list[type[errors.MetierError]] = [errors.MetierError]
    for parent in found:
        found.extend(child for child in parent.__subclasses__() if child.__module__.startswith("metier."))
    return found


CLASSES = classes()


def test_drawings_and_classes_agree() -> None:
    """The tree of errors.py's docstring, the tree of docs/errors.md and the classes have the same names and nesting."""
    built = {child.__name__: child.__bases__[0].__name__ for child in CLASSES[1:]}
    assert drawn(errors.__doc__ or "") == built
    assert drawn("\n".join(fence.text for fence in fences(PAGE.read_text(encoding="utf-8")))) == built


def test_all_errors_live_in_one_file() -> None:
    """No other module of the package makes a class of the tree."""
    names = {error.__name__ for error in CLASSES}
    found = [
        f"{module}:{node.lineno} {node.name}"
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef) and module.name != "metier.errors"
        if names & {dotted(parent).split(".")[-1] for parent in node.bases}
    ]
    assert found == []


def test_codes_are_unique() -> None:
    """Every class has a code of its own, M and three digits, and a family shares its first digit."""
    codes = [str(vars(error)["code"]) for error in CLASSES]
    assert sorted(set(codes)) == sorted(codes)
    assert [code for code in codes if not re.fullmatch(r"M\d{3}", code)] == []
    assert [error.__name__ for error in CLASSES if error.code[:2] != family(error).code[:2]] == []


def test_exit_codes_are_constant_per_family() -> None:
    """All errors of a family end the command alike, and no two families do."""
    families = errors.MetierError.__subclasses__()
    assert len({member.exit_code for member in families}) == len(families)
    assert [error.__name__ for error in CLASSES if error.exit_code != family(error).exit_code] == []


@pytest.mark.parametrize("error", CLASSES, ids=lambda error: error.__name__)
def test_a_docstring_has_two_sentences(error: type[errors.MetierError]) -> None:
    """A class says in two sentences what happened and what to do; the docstring is the default message."""
    assert len(SENTENCE.split(error.__doc__ or "")) == 2
    assert error().message == error.__doc__


@pytest.mark.parametrize("error", CLASSES, ids=lambda error: error.__name__)
def test_the_page_has_a_row(error: type[errors.MetierError]) -> None:
    """docs/errors.md has a row for the class: name, code, exit code and its two sentences."""
    table = {code_in(row[0])[0]: row[1:] for row in rows(PAGE.read_text(encoding="utf-8")) if code_in(row[0])}
    expected = [error.code, str(error.exit_code), *SENTENCE.split(error.__doc__ or "")]
    assert table.get(error.__name__) == expected


def drawn(text: str) -> Tree:
    """The tree that is drawn in a text below a line that starts with MetierError."""
    root = re.search(r"^( *)MetierError\b", text, re.MULTILINE)
    assert root, "no tree is drawn"
    path: list[str] = ["MetierError"]
    found: Tree = {}
    for match in BRANCH.finditer(re.sub(rf"^{root[1]}", "", text[root.start() :], flags=re.MULTILINE)):
        depth = len(match["stem"]) // 4 + 1
        path[depth:] = [match["name"]]
        found[match["name"]] = path[depth - 1]
    return found


def family(error: type[errors.MetierError]) -> type[errors.MetierError]:
    """The child of MetierError that a class descends from; MetierError's own is itself."""
    line = [parent for parent in error.__mro__ if issubclass(parent, errors.MetierError)]
    return line[-2] if len(line) > 1 else line[0]
