"""`metier run`: do a task, shown as it happens, then its result and its receipt."""

import os
import sys
from collections.abc import Callable
from typing import Any

import click

from ..actions.scripts.subreaper import become_subreaper
from ..app.metier import Metier
from ..domain.entry import Entry
from ..domain.ports import Approver
from ..errors import InputInvalid, SetupError
from ..gate.approvers import Nobody, Yes
from .as_json import print_json
from .background import begin_in_background
from .completion import skills
from .exits import DONE, STOPPED
from .of_agent import agent_in, input_for, run_of
from .opened import opened
from .progress import Progress
from .receipt_view import print_end
from .say import say
from .story import Story, story_of
from .terminal import Terminal

NO_TERMINAL = (
    "There is no terminal: answer beforehand with --yes, or let the question wait on the record with --detach."
)

DETACHED = """\
It works in the background. How it stands: metier show {task}
What it asks waits for you:                metier proposals"""


@click.command("run")
@click.argument("what", metavar="SKILL|TASK", required=False, shell_complete=skills)
@click.option("--task", "words", metavar="TEXT", help="The task in free words, even a single one.")
@click.option(
    "--input", "given", metavar="JSON|FILE|TEXT", help="The typed input: JSON, a file that holds it, or text."
)
@click.option(
    "--field",
    "fields",
    metavar="NAME=VALUE",
    multiple=True,
    help="One member of the input, as you would type it into a form. May be repeated.",
)
@click.option(
    "--file",
    "files",
    type=click.Path(),
    metavar="PATH",
    multiple=True,
    help="A file for the job; scripts get a copy. May be repeated.",
)
@click.option(
    "--model", metavar="NAME", help="Who answers: `me`, a provider's model such as openai:NAME, or python:FILE:NAME."
)
@click.option("--yes", is_flag=True, help="Answer yes to every question, such as whether the skill's scripts may run.")
@click.option("--unpriced", is_flag=True, help="Let a model run whose price is not known; the receipt tells.")
@click.option("--detach", is_flag=True, help="Print the task's id and let it work in the background; questions wait.")
@click.option("--json", "as_json", is_flag=True, help="Print the receipt as JSON, and nothing else on standard output.")
@click.pass_context
def command(ctx: click.Context, /, **how: Any) -> int:
    """Do a task: a skill's job, or a task in free words.

    SKILL is a skill's name, the path of its folder, or AGENT/SKILL for one of an agent of the app. What holds a space is a
    task in free words.
    """
    what = _what(how)
    if how["detach"]:
        return _detach(ctx, what, how)
    progress = Progress(quiet=how["as_json"])
    terminal = Terminal(progress)
    become_subreaper()
    there = terminal if Terminal.there() else None
    with opened(ctx, flags={"model": how["model"]}, person=there, yes=how["yes"]) as app:
        with progress:
            story = _do(app, what, _approver(terminal, yes=how["yes"]), progress, how)
        if story is None:
            return STOPPED
        print_end(story, as_json=how["as_json"])
    return story.exit_code


def _what(how: dict[str, Any]) -> str:
    """What is to be done: free words are told by a space."""
    what, words = how["what"], how["words"]
    if bool((what or "").strip()) == bool((words or "").strip()):
        raise click.UsageError("Name a skill, or give a task with --task; one of the two.")
    return what or f"{words} "


def _do(app: Metier, what: str, approver: Approver, progress: Progress, how: dict[str, Any]) -> Story | None:
    """The story of the task; one that was stopped has it too."""
    seen: list[str] = []
    try:
        asked = {
            "input": _given(app, what, how),
            "files": how["files"],
            "approver": approver,
            "cure": NO_TERMINAL,
            "watch": _watching(progress, seen),
            "hear": progress.hear if progress.draws else None,
            "unpriced": how["unpriced"],
        }
        meant = agent_in(app, what)
        receipt = app.run(what, **asked) if meant is None else run_of(*meant, asked)
    except KeyboardInterrupt:
        return story_of(app, seen[0]) if seen else None
    return story_of(app, receipt.id)


def _detach(ctx: click.Context, what: str, how: dict[str, Any]) -> int:
    """Put the task on the record, tell its id, and let a process of its own begin with it."""
    with opened(ctx, flags={"model": how["model"]}, yes=how["yes"]) as app:
        if app.settings.model == "me":
            raise SetupError(
                "The model `me` is you at this terminal, and --detach leaves the terminal.",
                hint="Leave out --detach, or name another model with --model.",
            )
        asked = {"input": _given(app, what, how), "files": how["files"], "unpriced": how["unpriced"]}
        meant = agent_in(app, what)
        task = app.submit(what, **asked) if meant is None else meant[0].submit(meant[1], **asked)
        record_path = app.settings.record_path
    if how["as_json"]:
        print_json({"task": task})
    else:
        say(task)
    project = (ctx.obj or {}).get("project")
    code = (ctx.obj or {}).get("app")
    options = [
        *([] if project is None else ["--project", project]),
        *([] if code is None else ["--app", code]),
        "resume",
        *(["--yes"] if how["yes"] else []),
    ]
    begin_in_background(task, options=options, record_path=record_path)
    if not how["as_json"]:
        say(DETACHED.format(task=task), error=True)
    return DONE


def _watching(progress: Progress, seen: list[str]) -> Callable[[Entry], None]:
    def watch(entry: Entry) -> None:
        if not seen:
            seen.append(entry.task)
        progress.watch(entry)

    return watch


def _approver(terminal: Terminal, *, yes: bool) -> Approver:
    if yes:
        return Yes("--yes")
    return terminal if Terminal.there() else Nobody(NO_TERMINAL)


def _given(app: Metier, what: str, how: dict[str, Any]) -> str | None:
    """The input, however it was given."""
    if not how["fields"]:
        return _input(how["given"])
    if how["given"] is not None:
        raise click.UsageError("Give the input with --input or with --field, not with both.")
    values = {}
    for field in how["fields"]:
        name, equals, value = field.partition("=")
        if not equals:
            raise click.UsageError(f"--field takes NAME=VALUE, not {field!r}.")
        values[name] = value
    meant = agent_in(app, what)
    return app.input_from(what, values) if meant is None else input_for(app, *meant, values)


def _input(given: str | None) -> str | None:
    """The input: what a file or standard input holds, or the text itself. The app reads it as the skill says."""
    if given == "-":
        return sys.stdin.read()
    if given is None or not os.path.isfile(given):
        return given
    try:
        with open(given, encoding="utf-8-sig") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise InputInvalid(
            f"The input {given!r} cannot be read: {error}.", hint="Give a file of UTF-8 text."
        ) from error
