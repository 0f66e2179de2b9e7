"""What tests of skills and agents need: scripted models, and the fakes of every seam."""

from ..models.scripted import ScriptedModel
from .script import AgentScript, Says
from .stub import ScriptedAnswer
from .terminal import ScriptedPerson
from .trajectory import Trajectory

__all__ = ["AgentScript", "Says", "ScriptedAnswer", "ScriptedModel", "ScriptedPerson", "Trajectory"]
