"""`metier list`: the skills that are found here."""

import click

from ..app.finding import catalogue_of
from ..config import load_settings
from ..domain.skill import SkillSpec
from .as_json import print_json
from .clean import clean, one_line
from .say import say

NONE = "No skills here. Name roots in metier.toml under [skills], or put folders into .agents/skills."


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> int:
    """List the skills that are found here, and what is wrong with those that are not."""
    catalogue = catalogue_of(load_settings((ctx.obj or {}).get("project")))
    if as_json:
        skills = [_facts(skill) for skill in catalogue.skills]
        print_json({"skills": skills, "problems": catalogue.problems})
        return 0
    if not catalogue.skills:
        say(NONE)
    width = max((len(skill.name) for skill in catalogue.skills), default=0)
    for skill in catalogue.skills:
        job = "job  " if skill.job else "guide"
        say(f"{clean(skill.name):{width}}  {job}  {clean(skill.source)}  {one_line(skill.description, 80)}")
    for problem in catalogue.problems:
        say(clean(str(problem)), error=True)
    return 0


def _facts(skill: SkillSpec) -> dict[str, object]:
    return {
        "name": skill.name,
        "source": skill.source,
        "version": skill.version,
        "description": skill.description,
        "job": skill.job is not None,
        "folder": skill.guide.folder if skill.guide else None,
    }
