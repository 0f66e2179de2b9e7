"""How does a process that knows only the record make a task's assignment anew?"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

from ..config import Settings
from ..domain.ports import Approver
from ..domain.skill import SkillSpec
from ..errors import SkillInvalid, SkillMissing
from ..skills.digest import digest_of
from ..skills.files import with_files
from ..skills.reader import read_skill
from .agency import Agency, Parent
from .agents.agent import Agent
from .agents.assigning import agency, bounded
from .agents.finding import agent_of
from .assignment import Assignment
from .earlier import Earlier
from .giving import Given
from .house import House
from .how import offered_again, permits_again, skill_again


def assignment_again(
    task: str,
    earlier: Earlier,
    house: House,
    *,
    approver: Approver,
    hear: Callable[[str], None] | None = None,
    parent: Parent | None = None,
) -> Assignment:
    """The assignment of a task that was given before, perhaps by another process.

    Raises:
        SkillError: its skill is not here, or is not what it was.
        SetupError: its model is not to be had here.
        TaskError: it was given by a metier that did not write down how.
    """
    facts, body, how = earlier.given.facts, earlier.given.body or {}, earlier.how
    agent = _agent_again(facts, house)
    skill, offered = skills_again(how, house, agent)
    _must_be_the_same(skill, facts["skill"]["digest"])
    part = None if agent is None else _agency_again(facts, agent, house)
    own = house.permits if agent is None else agent.may.narrowed(house.own_permits)
    house = replace(house, settings=_settings(house.settings, how["model"]))
    return Assignment(
        task=task,
        skill=skill,
        offered=offered,
        given=Given(body["input"], {}),
        giver=facts["giver"],
        model=house.chosen(skill),
        permits=permits_again(how, own),
        approver=approver,
        budget=None if facts["budget"] is None else Decimal(facts["budget"]),
        durability=facts["durability"],
        priced=house.priced,
        hear=hear,
        unpriced=how["unpriced"],
        spending=house.spending,
        how=how,
        agency=part,
        parent=parent,
    )


def skills_again(how: Mapping[str, Any], house: House, agent: Agent | None = None) -> tuple[SkillSpec, list[SkillSpec]]:
    """The task's skill, and the skills that its model was told of, as they are now.

    Raises:
        SkillError: one of them is not here.
    """
    find = partial(_find, house=house, agent=agent)
    found = skill_again(how, find)
    return found if agent is None else bounded(house, found), offered_again(how, find)


def _agent_again(facts: Mapping[str, Any], house: House) -> Agent | None:
    """The agent that the task was given to; none where it is no agent's.

    Raises:
        SetupError: the app lists it no more.
    """
    told = facts.get("agent")
    return None if told is None else agent_of(house.agents, f"{told['source']}.{told['name']}")


def _agency_again(facts: Mapping[str, Any], agent: Agent, house: House) -> Agency:
    giver = house.somebody(facts["giver"])
    behalf = facts.get("on_behalf_of")
    person = giver if behalf is None else house.somebody(behalf)
    return agency(house, agent, sponsor=facts["agent"]["sponsor"], giver=giver, person=person)


def _find(named: Mapping[str, str], *, house: House, agent: Agent | None) -> SkillSpec:
    if agent is not None:
        house.know_skills(agent)
    declared = house.declared.get((named["source"], named["name"]))
    if declared is not None:
        return declared
    if not named["folder"]:
        raise SkillMissing(
            f"The skill {named['name']!r} of this task is declared in code that this app does not have.",
            hint="Go on with it from the program that gave it, or give that skill to Metier(skills=[…]).",
        )
    # Where it lay is where it is looked for, whatever is found under its name now: its digest says whether it is the same.
    reading = read_skill(named["folder"], source=named["source"])
    if reading.skill is None:
        raise SkillMissing(
            f"The skill {named['name']!r} of this task is not in {named['folder']} any more, or cannot be used.",
            hint="Put it back, and resume the task.",
        )
    return with_files(reading.skill)


def _must_be_the_same(skill: SkillSpec, digest: str) -> None:
    """Work that began under one text of a skill does not go on under another."""
    if skill.guide is not None and digest_of(skill.guide.folder) != digest:
        raise SkillInvalid(
            f"The skill {skill.name!r} has changed since this task was given.",
            hint=f"Put back its files as they were (sha256:{digest[:12]}), or give the task again.",
        )


def _settings(settings: Settings, model: Mapping[str, str]) -> Settings:
    """The settings with the task's own model, named by whom it was named then."""
    if not model["name"] or (model["name"], model["origin"]) == (settings.model, settings.origins.get("model", "")):
        return settings
    return replace(settings, model=model["name"], origins={**settings.origins, "model": model["origin"]})
