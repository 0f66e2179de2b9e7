"""How does `AGENT/SKILL` name one skill of one agent of the app?"""

import os
from collections.abc import Mapping
from typing import Any

from ..app.agents.finding import listed_skill
from ..app.agents.handle import AgentHandle
from ..app.forms import input_fields_of, input_json_of
from ..app.metier import Metier


def agent_in(app: Metier, what: str) -> tuple[AgentHandle, str] | None:
    """The agent's handle and the skill's name; none where a skill, its folder or free words are meant.

    Raises:
        SetupError: the app has agents, and none of that name.
    """
    agent, slash, skill = what.partition("/")
    if not app.house.agents or not slash or not agent or not skill or " " in what or os.path.exists(what):
        return None
    handle = app.agent(agent)
    handle.agent  # noqa: B018 - looked up here, so that a miss is told before anything else
    return handle, skill


def input_for(app: Metier, handle: AgentHandle, skill: str, values: Mapping[str, str]) -> str:
    """The JSON that a skill of an agent is handed, from what was typed into its form.

    Raises:
        SkillMissing: the agent does not list it.
        InputInvalid: something is missing or is no number, or the skill cannot be handed.
    """
    spec = app.house.skill_of(listed_skill(handle.agent, skill))
    return input_json_of(input_fields_of(spec), values)


def run_of(handle: AgentHandle, skill: str, how: Mapping[str, Any]) -> Any:
    """The receipt of a run of it; takes what `Metier.run` does, but for the cure: what is asked waits on the record."""
    return handle.run(skill, **{name: value for name, value in how.items() if name != "cure"})
