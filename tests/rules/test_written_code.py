"""Does all the code that is written in the docs and the examples run, and print what is written beside it?"""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from .page import Fence, fences, pages
from .source import EXAMPLES, ROOT
from .written_code import commands_in, differs, run_commands, run_program, stage

EXAMPLE_LINES = 40
READ: dict[str, Callable[[str], object]] = {"json": json.loads, "toml": tomllib.loads}
PROGRAMS = sorted(EXAMPLES.glob("[0-9]*.py"))


@pytest.mark.parametrize("page", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_runs(page: Path, tmp_path: Path) -> None:
    """A page's programs and `$ metier` commands run from top to bottom, in a copy of what a reader has around."""
    folder = stage(tmp_path)
    wrong: list[str] = []
    for fence in fences(page.read_text(encoding="utf-8")):
        fault = _run(fence, folder)
        if fault:
            wrong.append(f"{page.relative_to(ROOT)}:{fence.line}\n{fault}")
    assert wrong == [], "\n\n".join(wrong)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_an_example_runs(program: Path, tmp_path: Path) -> None:
    """A numbered example runs and prints its `#>` lines."""
    folder = stage(tmp_path)
    fault = run_program(folder / "examples" / program.name, folder)
    assert not fault, fault


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_an_example_is_short(program: Path) -> None:
    """An example has a number, at most 40 lines, and says what it prints."""
    lines = program.read_text(encoding="utf-8").splitlines()
    assert re.match(r"\d\d_\w+\.py$", program.name)
    assert len(lines) <= EXAMPLE_LINES
    assert any("#>" in line for line in lines)


def test_output_is_compared() -> None:
    """Written output stands for itself; `…` stands for any words in a line, and alone for any lines."""
    assert not differs(["a [1] …", "…", "z"], ["a [1] two", "b", "c", "z"])
    assert differs(["a", "z"], ["a", "b", "z"])
    assert differs(["a …"], ["b 1"])


def test_commands_are_read() -> None:
    """Each `$` line is a command with the lines below it; a backslash joins two lines."""
    fence = Fence("console", 1, ("$ metier run x \\", "    --yes", "done", "", "$ make demo"))
    assert commands_in(fence) == [("metier run x --yes", ["done"]), ("make demo", [])]


def test_a_wrong_program_is_told(tmp_path: Path) -> None:
    """A program that prints something else, or fails, is told with what it printed."""
    path = tmp_path / "program.py"
    path.write_text("print(1)\n#> 2\n", encoding="utf-8")
    assert "printed:\n1\n" in run_program(path, tmp_path)
    path.write_text("raise SystemExit(3)\n", encoding="utf-8")
    assert "exit 3" in run_program(path, tmp_path)


def _run(fence: Fence, folder: Path) -> str:
    if fence.info == "python":
        path = folder / f"line_{fence.line}.py"
        path.write_text(fence.text, encoding="utf-8")
        return run_program(path, folder)
    if fence.info in READ:
        return _read(fence)
    return run_commands(fence, folder) if fence.info in {"console", "sh"} else ""


def _read(fence: Fence) -> str:
    try:
        READ[fence.info](fence.text)
    except ValueError as error:
        return str(error)
    return ""
