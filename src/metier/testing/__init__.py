"""Testing without a model: scripts, scripted models, what a task did, and the fakes of every seam."""

# Nothing is loaded until it is used: the pytest plugin lies here, and is part of every run of pytest.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from ..models.scripted import ScriptedModel as ScriptedModel
    from .script import AgentScript as AgentScript
    from .script import Says as Says
    from .stub import ScriptedAnswer as ScriptedAnswer
    from .terminal import ScriptedPerson as ScriptedPerson
    from .trajectory import Trajectory as Trajectory

__all__ = ["AgentScript", "Says", "ScriptedAnswer", "ScriptedModel", "ScriptedPerson", "Trajectory"]

_HOMES = {
    "AgentScript": "testing.script",
    "Says": "testing.script",
    "ScriptedAnswer": "testing.stub",
    "ScriptedModel": "models.scripted",
    "ScriptedPerson": "testing.terminal",
    "Trajectory": "testing.trajectory",
}


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415 - only when a name is used

    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"metier.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
