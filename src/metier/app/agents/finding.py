"""Which agent, and which of its skills, does a name or a class mean?"""

from collections.abc import Callable, Sequence

from ...actions.rows import Rows
from ...domain.near import there_is
from ...domain.skill import SkillSpec
from ...errors import SetupError, SkillMissing
from ...skills.job import Skill
from ...skills.job_spec import spec_of
from .agent import Agent, AnySkill
from .setup import AgentsSetup


def names_of(module: str, name: str) -> tuple[str, ...]:
    """What a class answers to: its name, alone or after its module or the last part of it (O15)."""
    if not module:
        return (name,)
    return name, f"{module}:{name}", f"{module}.{name}", f"{module.rpartition('.')[2]}.{name}"


def agent_of(setup: AgentsSetup | None, which: str | type[Agent]) -> Agent:
    """The listed agent of a name or a class.

    Raises:
        SetupError: the app lists no such agent, or several that are called so.
    """
    listed = setup.agents if setup else ()
    found = [one for one in listed if _is_meant(one, which)]
    shown = which if isinstance(which, str) else which.__name__
    if len(found) > 1:
        ids = " and ".join(f"{type(one).__module__}.{one.name}" for one in found)
        raise SetupError(f"Several agents are called {shown!r}: {ids}.", hint="Name it with its module.")
    if not found:
        near = there_is(shown, [one.name for one in listed])
        raise SetupError(f"The app lists no agent {shown!r}.{near}", hint="List it: AgentsSetup(agents=[…]).")
    return found[0]


def listed_skill(agent: Agent, which: object) -> AnySkill | str:
    """What an agent lists, by its name, or for a value of the same class or the same skill.

    Raises:
        SkillMissing: the agent does not list it.
    """
    for one in agent.skills:
        if _means(one, which):
            return one
    name = which if isinstance(which, str) else getattr(which, "name", type(which).__name__)
    near = there_is(str(name), [_name(one) for one in agent.skills])
    raise SkillMissing(
        f"The agent {agent.name} does not list the skill {name!r}.{near}", hint="Add it to its `skills`."
    )


def spec_in(one: AnySkill | str, rows: Rows, find: Callable[[str], SkillSpec]) -> SkillSpec:
    """What an agent lists, as a skill of the house."""
    if isinstance(one, Skill):
        return spec_of(one, rows=rows)
    if isinstance(one, SkillSpec):
        return one
    if isinstance(one, str):
        return find(one)
    raise SetupError(f"{one!r} is no skill.", hint="List instances of Skill, or the names of guides.")


def guides_of(agent: Agent, rows: Rows, find: Callable[[str], SkillSpec]) -> Sequence[SkillSpec]:
    """The guides that an agent lists: what it can load on any of its jobs, by their names."""
    specs = [spec_in(one, rows, find) for one in agent.skills if not isinstance(one, Skill)]
    return sorted((one for one in specs if one.guide is not None), key=lambda one: one.name)


def _is_meant(agent: Agent, which: str | type[Agent]) -> bool:
    if isinstance(which, str):
        return which in names_of(type(agent).__module__, type(agent).__name__)
    return type(agent) is which


def _means(one: AnySkill | str, which: object) -> bool:
    if isinstance(which, str):
        module = type(one).__module__ if isinstance(one, Skill) else getattr(one, "source", "")
        return which in names_of(module, _name(one))
    if isinstance(which, type):
        return type(one) is which
    return one is which or (isinstance(one, Skill) and type(one) is type(which))


def _name(one: AnySkill | str) -> str:
    return one if isinstance(one, str) else one.name
