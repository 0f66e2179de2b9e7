"""Is everything that a user can type, set or meet described in the docs, and nothing that is not there?"""

import importlib
import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest

from metier.errors import MetierError

from .page import code_in, fences, rows, sections
from .problem_codes import codes_of
from .source import DOCS, ROOT, module_named, modules, room

OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")


def test_every_command_is_described() -> None:
    """docs/commands.md has one section for each command, and no other."""
    described = {title for title in sections(_page("commands")) if title.split()[0] == "metier"}
    assert described == set(_commands())


def test_every_option_is_described() -> None:
    """A command's section has one row for each option, and names each argument."""
    described = sections(_page("commands"))
    assert {name: _documented_options(described[name]) for name in _commands()} == {
        name: _options(command) for name, command in _commands().items()
    }
    arguments = {name: _arguments(command) for name, command in _commands().items()}
    assert [
        f"{name} {word}" for name, words in arguments.items() for word in words if word not in described[name]
    ] == []


def test_every_command_has_help() -> None:
    """Each command says in its help what it does, and each option too."""
    assert [name for name, command in _commands().items() if not command.help] == []
    named = [(name, option) for name, command in _commands().items() for option in command.params]
    assert [f"{name} {it.name}" for name, it in named if isinstance(it, click.Option) and not it.help] == []


def test_every_exit_code_is_described() -> None:
    """docs/commands.md has one row for each exit code of the command and of the error tree."""
    if not room("cli"):
        pytest.skip("the command line is not built yet")
    own = {value for value in vars(importlib.import_module("metier.cli.exits")).values() if isinstance(value, int)}
    families = {MetierError.exit_code, *(error.exit_code for error in MetierError.__subclasses__())}
    assert {int(code_in(row[0])[0]) for row in rows(sections(_page("commands"))["Exit codes"])} == own | families


def test_every_setting_is_described() -> None:
    """docs/settings.md has one row for each setting: its key in metier.toml and its variable."""
    config = _config()
    keys = {setting: f"{table}.{key}" for table, known in config.TABLES.items() for key, setting in known.items()}
    variables = {setting: variable for variable, setting in config.ENVIRONMENT.items()}
    described = {code_in(row[0])[0]: (code_in(row[1]), code_in(row[2])) for row in rows(_page("settings"))}
    assert described == {name: ([keys[name]], [variables[name]] if name in variables else []) for name in keys}


def test_every_setting_can_be_set() -> None:
    """Each field of Settings has a key, save the two that are found out."""
    config = _config()
    keys = {setting for known in config.TABLES.values() for setting in known.values()}
    assert {item.name for item in fields(config.Settings)} - {"project", "origins"} == keys


def test_every_problem_is_described() -> None:
    """docs/problems.md has one row for each code that the package can report."""
    codes = codes_of(modules())
    if not codes.found and not room("skills"):
        pytest.skip("the room that reports problems is not built yet")
    assert {str(module) for module in codes.unread} == set()
    assert {code_in(row[0])[0] for row in rows(_page("problems"))} == codes.found


def test_codes_are_followed_through_functions() -> None:
    """A code that a function passes on is found where the function is called."""
    text = "def note(file, code):\n    return Problem(code, file, 'x')\nnote('f', 'a.b')\nnote('f', code='c.d')\n"
    codes = codes_of((module_named(text),))
    assert (codes.found, codes.unread) == ({"a.b", "c.d"}, set())


def test_codes_that_are_picked_are_found() -> None:
    """A code that comes out of a variable is looked for among its module's texts; where there is none, that is told."""
    known, blind = module_named("Problem('a.b')\nProblem(x)\nx = 'a.c'\ny = 'other.md'\n"), module_named("Problem(x)\n")
    codes = codes_of((known, blind))
    assert (codes.found, codes.unread) == ({"a.b", "a.c"}, {blind})


def test_every_dependency_has_a_reason() -> None:
    """The decision on dependencies has a row for each that pyproject.toml names, and for no other."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    named = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    told = [word.strip() for row in rows(_page("decisions/0002-dependencies")) for word in row[0].split(",")]
    assert sorted(told) == sorted({re.split(r"[^\w-]", line)[0].lower() for line in named})


@pytest.mark.parametrize("name", ["settings", "quickstart"])
def test_written_settings_are_read(name: str, tmp_path: Path) -> None:
    """Every metier.toml that is written in the docs is one that metier reads."""
    for fence in fences(_page(name)):
        if fence.info == "toml":
            (tmp_path / "metier.toml").write_text(fence.text, encoding="utf-8")
            assert _config().load_settings(str(tmp_path), environment={}).origins


def _page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def _config() -> Any:  # Any: the module is looked up by name, since it may not be there yet
    if not room("config"):
        pytest.skip("the settings are not built yet")
    return importlib.import_module("metier.config")


def _commands() -> dict[str, click.Command]:
    """Every command that is shown in the help, by its full name."""
    if not room("cli"):
        pytest.skip("the command line is not built yet")
    loaded = (importlib.import_module(module.name) for module in room("cli"))
    groups = [value for module in loaded for value in vars(module).values() if isinstance(value, click.Group)]
    assert groups, "no click group is found in metier.cli"
    return dict(_walk("metier", groups[0]))


def _walk(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            child = command.get_command(context, word)
            if child is not None and not child.hidden:
                yield from _walk(f"{name} {word}", child)


def _options(command: click.Command) -> set[str]:
    shown = [it for it in command.params if isinstance(it, click.Option) and not it.hidden]
    return {name for it in shown for name in (*it.opts, *it.secondary_opts) if name.startswith("--")} - {"--help"}


def _arguments(command: click.Command) -> list[str]:
    return [
        it.make_metavar(click.Context(command)).strip("[].…") for it in command.params if isinstance(it, click.Argument)
    ]


def _documented_options(section: str) -> set[str]:
    return {name for row in rows(section) for name in OPTION.findall(row[0])}
