"""What does each command say of itself?"""

from collections.abc import Iterator

import click

from metier.cli.main import cli

HEAD = """# Command help

What each command prints for `--help`. [Commands](commands.md) says the same in more words, with the exit codes.
"""
WIDTH = 100


def command_help() -> str:
    """The page: one section for each command, the program itself first."""
    sections = [f"## `{name}`\n\n```text\n{said}\n```\n" for name, said in _said()]
    return "\n".join([HEAD, *sections])


def _said() -> Iterator[tuple[str, str]]:
    program = click.Context(cli, info_name="metier", max_content_width=WIDTH, terminal_width=WIDTH)
    yield "metier", cli.get_help(program)
    for name in cli.list_commands(program):
        command = cli.get_command(program, name)
        if command is not None and not command.hidden:
            context = click.Context(command, info_name=name, parent=program, terminal_width=WIDTH)
            yield f"metier {name}", command.get_help(context)
