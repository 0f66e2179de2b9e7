"""`metier doctor`: what is in order here, what is missing, and the line that mends it."""

import click

from ..app.doctor import Finding, examine
from .as_json import print_json
from .clean import in_one_line
from .exits import DONE, USAGE
from .progress import Progress
from .say import say
from .terminal import Terminal


@click.command("doctor")
@click.option("--online", is_flag=True, help="Try the model's address too; nothing is sent anywhere without this.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, online: bool, as_json: bool) -> int:
    """Look at everything that a task needs, and say what mends what is missing or wrong. Nothing is changed.

    Keys are only seen, never shown.
    """
    person = Terminal(Progress(quiet=True)) if Terminal.there() else None
    findings = examine((ctx.obj or {}).get("project"), person, online=online)
    wrong = sum(one.level == "wrong" for one in findings)
    if as_json:
        print_json({"findings": findings, "wrong": wrong})
    else:
        _print(findings, wrong)
    return USAGE if wrong else DONE


def _print(findings: list[Finding], wrong: int) -> None:
    width = max(len(one.what) for one in findings)
    for one in findings:
        cure = f" - {in_one_line(one.cure)}" if one.cure else ""
        say(f"{one.level:7}  {one.what:{width}}  {in_one_line(one.told)}{cure}")
    missing = sum(one.level == "missing" for one in findings)
    say(f"{wrong} wrong, {missing} missing, {len(findings) - wrong - missing} in order")
