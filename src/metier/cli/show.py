"""`metier show`: a skill, or the receipt of a task."""

import json
import os
from contextlib import suppress

import click

from ..app.finding import find_skill, is_path
from ..app.metier import Metier
from ..config import Settings, load_settings
from ..domain.skill import Job, SkillSpec
from ..errors import SkillMissing, TaskMissing
from ..skills.digest import digest_of
from .as_json import print_json
from .clean import clean
from .completion import skills_and_tasks
from .receipt_view import print_receipt, print_result
from .say import say
from .story import story_of


@click.command("show")
@click.argument("what", metavar="SKILL|TASK", shell_complete=skills_and_tasks)
@click.option("--result", is_flag=True, help="Of a task: print the result alone.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, what: str, result: bool, as_json: bool) -> int:
    """Show a skill by its name or path, or a task by its id, the beginning of it, or `last`."""
    settings = load_settings((ctx.obj or {}).get("project"))
    if what == "last":
        with suppress(TaskMissing):
            if _show_task(settings, what, result=result, as_json=as_json):
                return 0
    try:
        skill = find_skill(what, settings)
    except SkillMissing as missing:
        try:
            shown = not is_path(what) and _show_task(settings, what, result=result, as_json=as_json)
        except TaskMissing as no_task:
            # The ids of tasks begin with their day; any other word was meant as a skill's name.
            raise (no_task if what[:1].isdecimal() else missing) from None
        if not shown:
            raise missing from None
        return 0
    if as_json:
        print_json({"skill": skill, "digest": _digest(skill)})
    else:
        _print_skill(skill)
    return 0


def _show_task(settings: Settings, what: str, *, result: bool, as_json: bool) -> bool:
    """Show the task, where there is a record to find it in."""
    if not os.path.isfile(settings.record_path):
        return False
    with Metier(settings=settings) as app:
        story = story_of(app, what)
    if as_json:
        print_json(story.as_json())
    elif result:
        print_result(story.receipt)
    else:
        print_receipt(story.receipt, story)
    return True


def _digest(skill: SkillSpec) -> str:
    return digest_of(skill.guide.folder) if skill.guide else ""


def _print_skill(skill: SkillSpec) -> None:
    say(f"{clean(skill.id)} {clean(skill.version) or '1'}  sha256:{_digest(skill)}")
    say(clean(skill.description))
    if skill.guide is not None:
        say(f"folder: {clean(skill.guide.folder)}")
        for file in skill.guide.files:
            say(f"  {file.kind:8}  {clean(file.name)}  {file.size:,} bytes")
    if skill.job is not None:
        _print_job(skill.job)
    for problem in skill.problems:
        say(clean(str(problem)))


def _print_job(job: Job) -> None:
    stop = job.stop
    budget = "none of its own" if job.budget is None else f"${job.budget}"
    say(f"job: budget {budget}, at most {stop.max_turns} turns, check: {job.check or 'none'}")
    say(f"takes: {json.dumps(job.takes, ensure_ascii=False) if job.takes else 'text'}")
    say(f"hands back: {json.dumps(job.hands_back, ensure_ascii=False) if job.hands_back else 'words'}")
