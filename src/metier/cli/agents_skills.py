"""Which skills do the agents of the app have, as the command line lists them?"""

from ..app.agents.catalogue import SkillInfo, infos_of
from ..app.metier import Metier
from ..config import Settings
from .opened import app_made


def agents_skills(settings: Settings) -> list[SkillInfo]:
    """The skills of all agents of the app that the settings make; none where they name no code. Nothing of it is opened.

    Raises:
        GateError: the app's code may not be loaded.
        SetupError: it fails, or makes no app.
    """
    return infos_in(app_made(settings)) if settings.app else []


def infos_in(app: Metier) -> list[SkillInfo]:
    """The skills of all agents of an app."""
    agents = app.house.agents.agents if app.house.agents else ()
    return [info for agent in agents for info in infos_of(app.house, agent)]
