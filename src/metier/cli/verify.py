"""`metier verify`: is the record of a task whole?"""

import click

from ..record import Verified
from .as_json import print_json
from .clean import clean
from .completion import tasks
from .exits import DONE, NOT_VERIFIED
from .opened import opened
from .say import say

SHORTEST = 8
"""The fewest digits of a head that say anything."""


@click.command("verify")
@click.argument("task", metavar="TASK", shell_complete=tasks)
@click.option("--head", metavar="DIGEST", help="The head that you kept elsewhere; the record must still end with it.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, task: str, head: str | None, as_json: bool) -> int:
    """Check that the record of a task is whole, and say what that proves. TASK is its id, the beginning of it, or `last`."""
    with opened(ctx) as app:
        found = app.verify(task)
    kept = head is None or _is_kept(head, found)
    if as_json:
        print_json({"verified": found, "head_is_kept": kept})
    else:
        _print(found, kept=kept)
    return DONE if found.ok and kept else NOT_VERIFIED


def _is_kept(head: str, found: Verified) -> bool:
    """Whether the record still ends with a head that somebody kept, whole or its beginning."""
    digest = head.removeprefix("sha256:")
    return len(digest) >= SHORTEST and found.head.startswith(digest)


def _print(found: Verified, *, kept: bool) -> None:
    say(f"{'whole' if found.ok else 'BROKEN'}: {found.entries} entries, head sha256:{found.head}")
    for problem in found.problems:
        say(f"  {clean(problem)}")
    if not kept:
        say("BROKEN: the record does not end with the head that you kept.")
    if found.erased:
        say(f"{found.erased} entries had their contents erased; the chain holds without them.")
    say(found.says)
