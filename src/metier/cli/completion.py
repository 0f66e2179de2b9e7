"""`metier completion`: how does a shell learn to complete our commands, and what are words completed with?"""

import os
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

import click
from click.shell_completion import CompletionItem, get_completion_class

from ..app.finding import catalogue_of
from ..config import Settings, load_settings
from ..domain.skill import SkillSpec
from ..domain.task import RESUMABLE
from ..errors import MetierError
from .clean import one_line
from .say import say

if TYPE_CHECKING:
    from ..app.metier import Metier

Found = TypeVar("Found")

VARIABLE = "_METIER_COMPLETE"
"""The variable by which a shell's script asks the program for words."""

PLAIN = re.compile(r"[\w.:/-]+")
"""What a shell's script takes as it is; any other name is typed by hand."""

TOLD = 60
"""So many characters of a description are shown beside a word."""

NEWEST = 50
"""So many tasks are looked through."""

Words = list[CompletionItem[str]]


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), metavar="bash|zsh|fish")
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Print the script that teaches a shell to complete commands, options, skills and tasks.

    Write it to a file once, and let the shell read that file when it starts.
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"click cannot complete in {shell}.")
    script = kind(ctx.find_root().command, {}, "metier", VARIABLE).source()
    # Click's script for fish cuts a line at each comma, and so what is told beside a word at its first.
    say(script.replace('string split ","', 'string split --max 1 ","'))
    return 0


def skills(ctx: click.Context, _: click.Parameter, incomplete: str) -> Words:
    """The skills whose names begin so, or the folders where a path was begun."""
    if os.sep in incomplete and (given := _begun(incomplete, _quietly(ctx, _agents_words))):
        return given
    if os.sep in incomplete or incomplete.startswith("."):
        return [CompletionItem(incomplete, type="dir")]
    return _begun(incomplete, [*_quietly(ctx, _skill_words), *_quietly(ctx, _agents_words)])


def tasks(ctx: click.Context, _: click.Parameter, incomplete: str) -> Words:
    """The newest tasks whose ids begin so, and `last`."""
    return _begun(incomplete, _quietly(ctx, _task_words))


def tasks_to_resume(ctx: click.Context, _: click.Parameter, incomplete: str) -> Words:
    """Those of them that can go on."""
    return _begun(incomplete, _quietly(ctx, lambda settings: _task_words(settings, RESUMABLE)))


def tasks_to_stop(ctx: click.Context, _: click.Parameter, incomplete: str) -> Words:
    """Those of them that have not ended."""
    return _begun(incomplete, _quietly(ctx, lambda settings: _task_words(settings, RESUMABLE - {"Stopped"})))


def proposals(ctx: click.Context, _: click.Parameter, incomplete: str) -> Words:
    """The proposals that wait and whose ids begin so."""
    return _begun(incomplete, _quietly(ctx, _proposal_words))


def skills_and_tasks(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> Words:
    """Both, the skills first."""
    return [*skills(ctx, parameter, incomplete), *tasks(ctx, parameter, incomplete)]


def _quietly(ctx: click.Context, words: Callable[[Settings], Words]) -> Words:
    """The words; none where something is wrong, for whoever is typing asked about nothing."""
    said = ctx.find_root().params
    try:
        return words(load_settings(said.get("project"), flags={"app": said.get("app")}))
    except (MetierError, OSError):
        return []


def _skill_words(settings: Settings) -> Words:
    found = catalogue_of(settings).skills
    names = [skill.name for skill in found]
    return [
        CompletionItem(skill.name if names.count(skill.name) == 1 else skill.id, help=_told(skill)) for skill in found
    ]


def _agents_words(settings: Settings) -> Words:
    """The skills of the app's agents. Its code is loaded where a person names it, or has said yes to it before."""
    if not settings.app:
        return []
    from ..app.app_code import app_of
    from .agents_skills import infos_in

    found = infos_in(app_of(settings, person=None, ask=None))
    return [CompletionItem(f"{one.agent}/{one.skill}", help=one_line(one.description, TOLD)) for one in found]


def _told(skill: SkillSpec) -> str:
    return one_line(skill.description, TOLD)


def _task_words(settings: Settings, states: frozenset[str] | None = None) -> Words:
    rows = [
        row for row in _looked_up(settings, lambda app: app.tasks(limit=NEWEST)) if not states or row.state in states
    ]
    newest = [CompletionItem("last", help="the newest task")] if rows and not states else []
    return newest + [CompletionItem(row.id, help=one_line(f"{row.state} {row.skill}", TOLD)) for row in rows]


def _proposal_words(settings: Settings) -> Words:
    waiting = _looked_up(settings, lambda app: app.proposals())
    return [CompletionItem(one.proposal.id, help=one_line(one.proposal.words, TOLD)) for one in waiting[-NEWEST:]]


def _looked_up(settings: Settings, find: "Callable[[Metier], list[Found]]") -> "list[Found]":
    """What is found on the record, if there is one: looking makes none."""
    if not os.path.isfile(settings.record_path):
        return []
    # Only a record that is there is opened, and only for tasks: the database takes time to load.
    from ..app.metier import Metier

    with Metier(settings=settings) as app:
        return find(app)


def _begun(incomplete: str, words: Iterable[CompletionItem[str]]) -> Words:
    return [word for word in words if word.value.startswith(incomplete) and PLAIN.fullmatch(word.value)]
