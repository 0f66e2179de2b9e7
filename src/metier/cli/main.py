"""Where does every command start, and how does an error look?"""

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

import click

from ..errors import MetierError
from .exits import FAILED, STOPPED
from .say import print_error, say

COMMANDS: Mapping[str, str] = {
    "approve": "approve",
    "check": "check",
    "completion": "completion",
    "decline": "decline",
    "doctor": "doctor",
    "list": "list_skills",
    "proposals": "proposals",
    "replay": "replay",
    "resume": "resume",
    "run": "run",
    "show": "show",
    "spend": "spend",
    "stop": "stop",
    "tasks": "tasks",
    "test-from": "from_receipt",
    "verify": "verify",
    "worker": "worker",
}
"""Each command and the module that holds it; a module is loaded when its command is used."""

SUMMARIES: Mapping[str, str] = {
    "approve": "Say yes to what a task asks.",
    "check": "Hold skills to the Agent Skills format, for their authors.",
    "completion": "Print the script that teaches a shell to complete.",
    "decline": "Say no to what a task asks.",
    "doctor": "Look at everything that a task needs, and say what mends it.",
    "list": "List the skills that are found here.",
    "proposals": "List what tasks ask and what waits for an answer.",
    "replay": "Make a task's requests anew, and show what differs.",
    "resume": "Go on with a task that waits, was stopped or was cut.",
    "run": "Do a task: a skill's job, or a task in free words.",
    "show": "Show a skill, or the receipt of a task.",
    "spend": "Tell what models were used for, and what that cost.",
    "stop": "Stop a task, wherever it runs.",
    "tasks": "List the tasks of the record, or watch them.",
    "test-from": "Write a test that plays what the model said in a task.",
    "verify": "Check that the record of a task is whole.",
    "worker": "Work on the tasks of the record until told to leave.",
}


class LazyGroup(click.Group):
    """Commands that are loaded when they are used, so that `metier --help` loads none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command: click.Command = import_module(f".{module}", __package__).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            said = f" Did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"There is no command {args[0]!r}.{said}")
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--project",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="Look from this folder for metier.toml, not from here.",
)
@click.option(
    "--app",
    metavar="FILE:NAME",
    help="Your own code that makes the app: a function of the settings that answers a Metier.",
)
@click.option("--debug", is_flag=True, help="Show where an error came from.")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _, on: _version(ctx, on=on),
    help="Show the version and exit.",
)
@click.pass_context
def cli(ctx: click.Context, project: str | None, app: str | None, debug: bool) -> None:
    """Metier runs agent skills as jobs you can check, approve and replay."""
    ctx.obj = {"project": project, "app": app, "debug": debug}


def _version(ctx: click.Context, *, on: bool) -> None:
    if on:
        from ..app.version import __version__

        say(f"metier {__version__}")
        ctx.exit()


def main() -> NoReturn:
    """Run a command and exit with its number; an error becomes two lines on standard error."""
    debug = "--debug" in sys.argv or bool(os.environ.get("METIER_DEBUG"))
    _narrow()
    try:
        code = cli.main(prog_name="metier", standalone_mode=False)
        sys.stdout.flush()
    except MetierError as error:
        if debug:
            raise
        print_error(error)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show(file=sys.stderr)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(STOPPED)
    except BrokenPipeError:
        # Whoever read our output has gone; there is nobody to tell.
        _drop_output()
        sys.exit(0)
    except OSError as error:
        if debug:
            raise
        _drop_output()
        say(f"error: The output cannot be written: {error.strerror}.", error=True)
        sys.exit(FAILED)
    sys.exit(code if isinstance(code, int) else 0)


def _narrow() -> None:
    """Make both outputs ASCII where the locale needs it: what they cannot carry becomes its escape."""
    from .glyphs import glyphs_for

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and glyphs_for(stream).ascii:
            stream.reconfigure(encoding="ascii", errors="backslashreplace")


def _drop_output() -> None:
    """Let what is still to be written go nowhere, so that the interpreter's end does not fail on it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
