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
from ..domain.receipt import Receipt
from ..errors import InputInvalid
from ..gate.approvers import Nobody, Yes
from .as_json import print_json
from .completion import skills
from .exits import OF_STATE, STOPPED
from .opened import opened
from .progress import Progress
from .receipt_view import print_receipt, print_result
from .terminal import Terminal

NO_TERMINAL = "There is no terminal: answer beforehand with --yes."


@click.command("run")
@click.argument("what", metavar="SKILL|TASK", required=False, shell_complete=skills)
@click.option("--task", "words", metavar="TEXT", help="The task in free words, even a single one.")
@click.option(
    "--input", "given", metavar="JSON|FILE|TEXT", help="The typed input: JSON, a file that holds it, or text."
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
@click.option("--json", "as_json", is_flag=True, help="Print the receipt as JSON, and nothing else on standard output.")
@click.pass_context
def command(ctx: click.Context, /, **how: Any) -> int:
    """Do a task: a skill's job, or a task in free words.

    SKILL is a skill's name or the path of its folder. What holds a space is a task in free words.
    """
    what, words = how["what"], how["words"]
    if bool((what or "").strip()) == bool((words or "").strip()):
        raise click.UsageError("Name a skill, or give a task with --task; one of the two.")
    progress = Progress(quiet=how["as_json"])
    terminal = Terminal(progress)
    become_subreaper()
    with opened(ctx, flags={"model": how["model"]}, person=terminal if Terminal.there() else None) as app, progress:
        receipt = _do(app, what or f"{words} ", _approver(terminal, yes=how["yes"]), progress, how)
    if receipt is None:
        return STOPPED
    if how["as_json"]:
        print_json(receipt)
    else:
        print_result(receipt)
        print_receipt(receipt)
    return OF_STATE.get(receipt.state, STOPPED)


def _do(app: Metier, what: str, approver: Approver, progress: Progress, how: dict[str, Any]) -> Receipt | None:
    """The receipt; a task that was stopped has one too."""
    seen: list[str] = []
    try:
        return app.run(
            what,
            input=_input(how["given"]),
            files=how["files"],
            approver=approver,
            cure=NO_TERMINAL,
            watch=_watching(progress, seen),
            hear=progress.hear if progress.draws else None,
            unpriced=how["unpriced"],
        )
    except KeyboardInterrupt:
        return app.record.receipt(seen[0]) if seen else None


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
