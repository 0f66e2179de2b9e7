"""`metier decline`: say no to what a task asks."""

import click

from ..domain.proposal import Reply
from .answering import answer
from .completion import proposals
from .opened import opened


@click.command("decline")
@click.argument("proposal", metavar="PROPOSAL", shell_complete=proposals)
@click.option("--reason", metavar="TEXT", default="", help="Why; the model is told.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, proposal: str, reason: str, as_json: bool) -> int:
    """Say no to what a task asks. PROPOSAL is its id, or the beginning of it; `metier proposals` lists them.

    The first answer counts. The model is told, with the reason if there is one, and the task goes on without it.
    """
    with opened(ctx) as app:
        return answer(app, proposal, Reply("no", "", reason), as_json=as_json)
