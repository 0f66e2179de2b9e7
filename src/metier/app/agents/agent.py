"""How is an agent written down in Python?

@Actor(roles=[ShopRole.HELPER])
class Estimator(Agent):
    principal = Person(email="estimator@shop", display_name="Estimator")
    purpose = "You estimate bicycle repairs for a small workshop."
    skills = [EstimateRepair()]
    may = Permits.changes_alone()
"""

from collections.abc import Hashable, Sequence
from typing import Protocol, TypeVar

from ...domain.permits import Permits


class AnySkill(Protocol):
    """What an agent can list, of whatever types its jobs are (O1)."""

    @property
    def name(self) -> str:
        """What names it among others."""
        ...

    @property
    def description(self) -> str:
        """What it is for."""
        ...

    @property
    def version(self) -> str:
        """What is written on its receipts."""
        ...


class Agent:
    """A declaration of who acts: its purpose, its account, its skills, and what it may do by itself (O65).

    Every member has a default, and each may be an attribute or a property. It is a declaration only: work is given with
    `Agents.of`.
    """

    principal: object = None
    """Its own account: a new instance of what the app's people are, any value with an `email`, or a text; the name of its
    class if none (O129)."""
    purpose: str = ""
    """What it is for; its model is told."""
    skills: "Sequence[AnySkill]" = ()
    """The jobs and guides that it can be given; no others."""
    may: Permits = Permits.proposes()
    """What it does by itself, proposes, and never does."""
    label: str = ""
    """Its name as people read it; the class's name in words if empty."""
    roles: tuple[Hashable, ...] = ()
    """The roles that its account holds, and nothing more; set with `Actor` (O66)."""

    @property
    def name(self) -> str:
        """The name of its class, by which seats and catalogues name it."""
        return type(self).__name__


A = TypeVar("A", bound=type[Agent])


class Actor:
    """Gives an agent's class the roles of its account: `@Actor(roles=[…])` (O66)."""

    def __init__(self, *, roles: Sequence[Hashable]) -> None:
        self._roles = tuple(roles)

    def __call__(self, agent: A) -> A:
        """The same class, with these roles and no others.

        Raises:
            TypeError: the class is no agent's.
        """
        if not _is_agents(agent):
            raise TypeError(f"{agent!r} is no Agent, so it has no roles")
        agent.roles = self._roles
        return agent


def _is_agents(one: object) -> bool:
    return isinstance(one, type) and issubclass(one, Agent)
