"""The program that runs a script."""

import shutil
import sys
from pathlib import Path

import pytest

from metier.actions.scripts.interpreter import KNOWN_EXTENSIONS, command_for
from metier.domain.action import Miss

from .conftest import Write


def test_python_is_our_own(write: Write) -> None:
    """A .py file runs with the interpreter that runs metier, whatever its first line says (case 013)."""
    script = write("hello.py", "#!/usr/bin/env ruby\nprint('hello')\n")
    assert command_for(script) == [sys.executable, "-B", script]


def test_extension_comes_first(write: Write) -> None:
    """A known extension names the program, and .sh is read by bash where there is one."""
    script = write("go.sh", "#!/usr/bin/perl\n")
    assert command_for(script) == [shutil.which("bash") or shutil.which("sh"), script]


def test_nobody_runs_unknown_files(write: Write) -> None:
    """An unknown extension is told with the known ones (case 013)."""
    miss = command_for(write("tool.xyz", "?\n"))
    assert isinstance(miss, Miss)
    assert (miss.code, miss.near) == ("script.no_runner", KNOWN_EXTENSIONS)
    assert ".py, .sh, .bash, .js, .mjs, .rb, .pl" in miss.reason


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("#!/bin/sh", []),
        ("#! /bin/sh -e\r", ["-e"]),
        ("#!/usr/bin/env sh", []),
        ("#!/usr/bin/env -S sh -e -u", ["-e", "-u"]),
    ],
)
def test_first_line_names_the_program(write: Write, line: str, words: list[str]) -> None:
    """Without a known extension the `#!` line decides, and the execute bit does not."""
    script = write("tool", f"{line}\necho hi\n")
    command = command_for(script)
    assert isinstance(command, list)
    assert Path(command[0]).name == "sh"
    assert command[1:] == [*words, script]


@pytest.mark.parametrize(
    "line", ["#!/nowhere/tool", "#!/usr/bin/env no-such-program", "#!", "#!/usr/bin/env", "#!env -S '"]
)
def test_missing_program_is_told(write: Write, line: str) -> None:
    """A program that is not there, or not named, is missed before any process starts."""
    miss = command_for(write("tool", f"{line}\n"))
    assert isinstance(miss, Miss)
    assert miss.code == "script.no_runner"


def test_missing_interpreter_is_named(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A known extension whose program is not installed says which."""
    monkeypatch.setenv("PATH", "/nowhere")
    miss = command_for(write("a.rb", "puts 1\n"))
    assert isinstance(miss, Miss)
    assert "'ruby', which is not installed" in miss.reason
