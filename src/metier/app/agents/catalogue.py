"""Which skills do the app's agents have, and what is told of each?

All of it is told from the declarations; nothing is run (O95-O99).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...actions.info import Tool
from ...domain.compact import compact
from ...domain.skill import SkillSpec
from ...errors import SetupError, SkillMissing
from ...skills.job import Skill, types_of
from ..current import current_app
from ..house import House
from .agent import Agent, AnySkill
from .finding import agent_of, listed_skill


@dataclass(frozen=True, slots=True)
class SkillInfo:
    """One skill of one agent, as a picker or a canvas lists it (O97, O98)."""

    agent: str
    skill: str
    label: str
    description: str
    version: str
    takes: str
    """The name of what it is given, such as "Repair"; "text" for a text."""
    takes_schema: str
    """JSON Schema of what it is given, as compact text; a stored row is given by its id. Empty for text."""
    hands_back: str
    """The name of what it hands back; "text" where it answers in words."""
    hands_back_schema: str
    """JSON Schema of that, as compact text; empty for words."""
    handed_schema: str
    """JSON Schema of what a form or another agent hands it; empty for text, and where it cannot be handed."""
    not_handed: str
    """Why it cannot be run from JSON; empty: it can (O108)."""
    tools: tuple[Tool, ...]
    """The actions that it may use, in the order of their declaration; `hand_back` is none of them (O23)."""


class Skills:
    """The skills of the agents of the current app."""

    @staticmethod
    def catalog() -> list[SkillInfo]:
        """Every skill of every listed agent, one for each agent and skill (O95)."""
        house = current_app().house
        agents = house.agents.agents if house.agents else ()
        return [info for agent in agents for info in infos_of(house, agent)]

    @staticmethod
    def of(agent: str | type[Agent]) -> list[SkillInfo]:
        """The skills of one agent.

        Raises:
            SetupError: the app lists no such agent.
        """
        house = current_app().house
        return infos_of(house, agent_of(house.agents, agent))

    @staticmethod
    def find(agent: str | type[Agent], skill: str) -> SkillInfo | None:
        """One skill of one agent; none where there is none (O96)."""
        house = current_app().house
        try:
            found = agent_of(house.agents, agent)
            return _info(house, found, listed_skill(found, skill))
        except (SetupError, SkillMissing):
            return None


def infos_of(house: House, agent: Agent) -> list[SkillInfo]:
    """What is told of each skill of an agent, in their order."""
    return [_info(house, agent, one) for one in agent.skills]


def _info(house: House, agent: Agent, listed: AnySkill | str) -> SkillInfo:
    spec = house.skill_of(listed)
    job = spec.job
    takes, back = _type_names(listed)
    taken = None if job is None else job.takes
    handed = None if job is None or job.not_handed else job.handed if job.handed is not None else job.takes
    return SkillInfo(
        agent=agent.name,
        skill=spec.name,
        label=spec.label or spec.name,
        description=spec.description,
        version=spec.version or "1",
        takes=takes,
        takes_schema=_text(taken),
        hands_back=back,
        hands_back_schema=_text(None if job is None else job.hands_back),
        handed_schema=_text(handed),
        not_handed="" if job is None else job.not_handed,
        tools=_tools(listed, spec),
    )


def _text(schema: Any) -> str:
    return "" if schema is None else compact(schema)


def _type_names(listed: AnySkill | str) -> tuple[str, str]:
    if not isinstance(listed, Skill):
        return "text", "text"
    takes, back = types_of(type(listed))
    return _type_name(takes), _type_name(back)


def _type_name(kind: Any) -> str:
    return "text" if kind is str else getattr(kind, "__name__", None) or str(kind)


def _tools(listed: AnySkill | str, spec: SkillSpec) -> tuple[Tool, ...]:
    if not isinstance(listed, Skill):
        return ()
    names: Sequence[str] = [one.name for one in spec.job.tools] if spec.job else ()
    by_name = {one.action: one for one in listed.tools}
    return tuple(by_name[name] for name in names if name in by_name)
