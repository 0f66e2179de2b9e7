"""metier runs agent skills as jobs you can check, approve and replay."""

# Importing this module loads nothing else: each name is fetched when it is first used. `TYPE_CHECKING = False` is what
# type checkers know and costs no import of typing.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from .actions.function import action as action
    from .actions.info import ActionInfo as ActionInfo
    from .actions.info import Actions as Actions
    from .app.agents.agent import Actor as Actor
    from .app.agents.agent import Agent as Agent
    from .app.agents.agent import AnySkill as AnySkill
    from .app.agents.catalogue import SkillInfo as SkillInfo
    from .app.agents.catalogue import Skills as Skills
    from .app.agents.handle import Agents as Agents
    from .app.agents.running import run_skill as run_skill
    from .app.agents.seat import AgentSeat as AgentSeat
    from .app.agents.setup import AgentsSetup as AgentsSetup
    from .app.forms import input_fields_of as input_fields_of
    from .app.forms import input_json_of as input_json_of
    from .app.metier import Metier as Metier
    from .app.version import __version__ as __version__
    from .domain.bounds import StopWhen as StopWhen
    from .domain.money import LlmPrice as LlmPrice
    from .domain.needs import ModelNeeds as ModelNeeds
    from .domain.outcome import Outcome as Outcome
    from .domain.permits import Permits as Permits
    from .domain.receipt import Receipt as Receipt
    from .domain.retry import Retry as Retry
    from .errors import MetierError as MetierError
    from .models.llm_model import LlmModel as LlmModel
    from .models.llm_setup import LlmSetup as LlmSetup
    from .skills.hand_on import HandOn as HandOn
    from .skills.job import Skill as Skill

__all__ = [
    "ActionInfo",
    "Actions",
    "Actor",
    "Agent",
    "AgentSeat",
    "Agents",
    "AgentsSetup",
    "AnySkill",
    "HandOn",
    "LlmModel",
    "LlmPrice",
    "LlmSetup",
    "Metier",
    "MetierError",
    "ModelNeeds",
    "Outcome",
    "Permits",
    "Receipt",
    "Retry",
    "Skill",
    "SkillInfo",
    "Skills",
    "StopWhen",
    "__version__",
    "action",
    "input_fields_of",
    "input_json_of",
    "run_skill",
]

_HOMES = {
    "ActionInfo": "actions.info",
    "Actions": "actions.info",
    "Actor": "app.agents.agent",
    "Agent": "app.agents.agent",
    "AgentSeat": "app.agents.seat",
    "Agents": "app.agents.handle",
    "AgentsSetup": "app.agents.setup",
    "AnySkill": "app.agents.agent",
    "HandOn": "skills.hand_on",
    "Outcome": "domain.outcome",
    "LlmModel": "models.llm_model",
    "LlmPrice": "domain.money",
    "LlmSetup": "models.llm_setup",
    "Metier": "app.metier",
    "MetierError": "errors",
    "ModelNeeds": "domain.needs",
    "Permits": "domain.permits",
    "Receipt": "domain.receipt",
    "Retry": "domain.retry",
    "StopWhen": "domain.bounds",
    "Skill": "skills.job",
    "SkillInfo": "app.agents.catalogue",
    "Skills": "app.agents.catalogue",
    "action": "actions.function",
    "input_fields_of": "app.forms",
    "input_json_of": "app.forms",
    "run_skill": "app.agents.running",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "__version__":
        return import_module(".app.version", __name__).__version__
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
