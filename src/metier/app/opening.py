"""What is a model told first?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..domain.action import Action
from ..domain.message import ToolSpec
from ..domain.skill import SkillSpec
from ..loop.prompt import system_prompt, task_message


@dataclass(frozen=True, slots=True)
class Opening:
    """The parts of a request that are the same in every one of a task, and its first message."""

    system: str
    task: str
    tools: Sequence[ToolSpec]

    def told(self) -> Mapping[str, Any]:
        """As an entry tells it."""
        tools = [{"name": one.name, "description": one.description, "parameters": one.parameters} for one in self.tools]
        return {"system": self.system, "task": self.task, "tools": tools}


def opening_of(
    skill: SkillSpec, offered: Sequence[SkillSpec], given: Any, actions: Iterable[Action], *, purpose: str = ""
) -> Opening:
    """What the model of a task is told first, by today's code; `purpose` is what its agent is for."""
    tools = [ToolSpec(action.name, action.description, action.parameters) for action in actions]
    typed = skill.job is not None and skill.job.hands_back is not None
    system = system_prompt(offered, typed=typed, tools=[tool.name for tool in tools], purpose=purpose)
    return Opening(system, task_message(skill, given), tools)


def opening_again(body: Mapping[str, Any]) -> Opening:
    """What the model was told first, word for word as the record has it."""
    return Opening(body["system"], body["task"], [ToolSpec(**tool) for tool in body["tools"]])
