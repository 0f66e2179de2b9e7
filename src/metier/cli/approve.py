"""`metier approve`: say yes to what a task asks, with other arguments if they should be others."""

from collections.abc import Mapping
from typing import Any

import click

from ..domain.exact import read_json
from ..domain.proposal import Proposal, Reply
from .answering import answer
from .completion import proposals
from .opened import opened

TEXT = "A text stands in quotes: --set 'to=\"Ada\"'."


@click.command("approve")
@click.argument("proposal", metavar="PROPOSAL", shell_complete=proposals)
@click.option(
    "--set", "changes", multiple=True, metavar="NAME=JSON", help="Give one argument another value. May be repeated."
)
@click.option("--arguments", metavar="JSON", help="Give all arguments anew, as one JSON object.")
@click.option("--subject", is_flag=True, help="Say yes to all that the proposal names as covered, until the task ends.")
@click.option("--reason", metavar="TEXT", default="", help="Why; where a job asks for help, this is the help.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, /, **how: Any) -> int:
    """Say yes to what a task asks. PROPOSAL is its id, or the beginning of it; `metier proposals` lists them.

    The first answer counts. What is carried out are the arguments as you change them; those that were proposed are kept too.
    """
    with opened(ctx) as app:
        asked = app.record.proposal(how["proposal"]).proposal
        edited = _edited(asked, how["arguments"], how["changes"])
        _must_make_sense(asked, how, edited=edited is not None)
        reply = Reply("yes", "", how["reason"], covers="subject" if how["subject"] else "call", arguments=edited)
        return answer(app, asked.id, reply, as_json=how["as_json"])


def _must_make_sense(asked: Proposal, how: Mapping[str, Any], *, edited: bool) -> None:
    if asked.help and not how["reason"].strip():
        raise click.UsageError("The job asks for help. Say what helps it on: --reason TEXT")
    if edited and (asked.help or asked.unknown):
        raise click.UsageError("This asks for no arguments, so there are none to change.")
    if how["subject"] and not asked.subject:
        raise click.UsageError(
            "This asks for one call only; there is nothing wider to say yes to. Leave out --subject."
        )


def _edited(asked: Proposal, whole: str | None, changes: tuple[str, ...]) -> dict[str, Any] | None:
    """The arguments as the person wants them; none: as they were proposed."""
    if whole is None and not changes:
        return None
    arguments = dict(asked.arguments) if whole is None else _object(whole)
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals or not name:
            raise click.UsageError(f"--set {change} names no value. Write --set NAME=JSON.")
        arguments[name] = _json(value, f"--set {name}", TEXT)
    return arguments


def _object(whole: str) -> dict[str, Any]:
    value = _json(whole, "--arguments", 'Write an object: --arguments \'{"to": "Ada"}\'.')
    if not isinstance(value, dict):
        raise click.UsageError("--arguments takes one JSON object, with a member for each argument.")
    return value


def _json(text: str, where: str, hint: str) -> Any:
    try:
        return read_json(text)
    except ValueError:
        raise click.UsageError(f"What {where} gives is no JSON: {text[:80]}. {hint}") from None
