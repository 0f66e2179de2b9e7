"""Questions that a script asks."""

import pytest

from metier.skills.check.asking import Asked, Unparsed, python_asks, script_asks, shell_asks


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("x = input('Name? ')\n", [Asked(1, "input()")]),
        ("import getpass\n\np = getpass.getpass()\n", [Asked(3, "getpass.getpass()")]),
        ("from getpass import getpass as ask\nask()\n", [Asked(2, "ask()")]),
        ("import click\nif click.confirm('Sure?'): pass\n", [Asked(2, "click.confirm()")]),
        ("import sys\nfor line in sys.stdin: print(line)\n", []),
        ("def input(x): return x\ninput(1)\n", []),
        ("# input()\ns = 'input()'\nself.input(1)\n", []),
        ("x = '\\d'\n", []),
    ],
)
def test_python_is_read_by_its_tree(text: str, asked: list[Asked]) -> None:
    """Calls that ask are found; names in texts, own functions and reading of standard input are not."""
    assert python_asks(text) == asked


@pytest.mark.parametrize("text", ["print 'x'\n", "def f(:\n", "x = '\0'\n", "(" * 5000])
def test_no_python_is_told(text: str) -> None:
    """A text that is no Python says why, however deep it is."""
    assert isinstance(python_asks(text), Unparsed)


@pytest.mark.parametrize(
    "line",
    [
        "read -p 'Name? ' name",
        "  read -rp 'x' y",
        "if x; then read -r -p q a; fi",
        "IFS= read -s -p k",
        "a && read -sp k",
    ],
)
def test_shell_questions_are_found(line: str) -> None:
    """A `read` with a question is found wherever a command can stand."""
    assert shell_asks(f"#!/bin/sh\n{line}\n") == [Asked(2, "read -p")]


@pytest.mark.parametrize(
    "text",
    ["while read -r line; do x; done < f", "# read -p x", "echo 'read -p x'", "spread -p x", "cat <<E\nread -p x\nE\n"],
)
def test_other_shell_is_fine(text: str) -> None:
    """Reading lines of a file, comments, texts and documents are no questions."""
    assert shell_asks(text) == []


def test_shell_after_a_document_counts() -> None:
    """A question behind a document is found; a text given by `<<<` begins none."""
    assert shell_asks("cat <<-'E'\nx\nE\nread -p x\n") == [Asked(4, "read -p")]
    assert shell_asks("grep x <<< word\nread -p x\n") == [Asked(2, "read -p")]


@pytest.mark.parametrize("line", ["rl.question('x', f)", "await readline.question('x')", "inquirer.prompt([])"])
def test_javascript_questions_are_found(line: str) -> None:
    """A call that asks is found; one in a comment is not."""
    assert [one.line for one in script_asks(f"{line}\n// {line}\n * {line}\nexam.question(1)\n")] == [1]
