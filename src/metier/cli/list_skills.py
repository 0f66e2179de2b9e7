"""`metier list`: the skills that are found here."""

from typing import TYPE_CHECKING

import click

from ..app.finding import catalogue_of
from ..config import Settings
from ..domain.skill import SkillSpec
from ..errors import GateError, SetupError
from .as_json import plain, print_json
from .clean import clean, one_line
from .opened import settings_of
from .say import say

if TYPE_CHECKING:
    from ..app.agents.catalogue import SkillInfo

NONE = "No skills here. Name roots in metier.toml under [skills], or put folders into .agents/skills."


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> int:
    """List the skills that are found here, those of the app's agents, and what is wrong with those that are not."""
    settings = settings_of(ctx)
    catalogue, problems = catalogue_of(settings), list[str]()
    try:
        given = _given(settings)
    except (GateError, SetupError) as error:
        given, problems = [], [f"{error} {error.hint}".strip()]
    if as_json:
        skills = [_facts(skill) for skill in catalogue.skills]
        agents = {"agents_skills": [plain(info) for info in given], "not_loaded": problems} if settings.app else {}
        print_json({"skills": skills, "problems": catalogue.problems} | agents)
        return 0
    if not catalogue.skills and not given:
        say(NONE)
    _print([*map(_row, catalogue.skills), *map(_agents_row, given)])
    for problem in (*map(str, catalogue.problems), *problems):
        say(clean(problem), error=True)
    return 0


def _given(settings: Settings) -> "list[SkillInfo]":
    """The skills of the app's agents. They are asked for only where code makes the app: that takes time to load."""
    if not settings.app:
        return []
    from .agents_skills import agents_skills

    return agents_skills(settings)


def _print(rows: list[tuple[str, str, str, str]]) -> None:
    width = max((len(name) for name, *_ in rows), default=0)
    for name, kind, where, told in rows:
        say(f"{name:{width}}  {kind:5}  {where}  {told}")


def _row(skill: SkillSpec) -> tuple[str, str, str, str]:
    return clean(skill.name), "job" if skill.job else "guide", clean(skill.source), one_line(skill.description, 80)


def _agents_row(info: "SkillInfo") -> tuple[str, str, str, str]:
    kind = "job" if info.takes_schema or info.hands_back_schema else "guide"
    return clean(f"{info.agent}/{info.skill}"), kind, one_line(info.label, 40), one_line(info.description, 80)


def _facts(skill: SkillSpec) -> dict[str, object]:
    return {
        "name": skill.name,
        "source": skill.source,
        "version": skill.version,
        "description": skill.description,
        "job": skill.job is not None,
        "folder": skill.guide.folder if skill.guide else None,
    }
