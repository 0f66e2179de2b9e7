"""Which agent does a task, for whom, and inside of which other task?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..domain.principal import Principal, Rights
from ..domain.task import RunEnd
from ..gate.meter import Meter


@dataclass(frozen=True, slots=True)
class Agency:
    """The agent that does a task, with who gave it and for whom it is done (O65-O76)."""

    agent: str
    """The name of the agent's class."""
    source: str
    """The module of the class."""
    account: Principal
    """The agent's own account."""
    sponsor: str
    """Who answers for the agent, at the time."""
    giver: Principal
    """Who gave the work."""
    person: Principal
    """For whom it is done; its reading rights bind. The giver, unless another was named."""
    purpose: str
    """What the agent is for; its model is told."""
    halted: Callable[[], RunEnd | None]
    """How the run must end at its next step, because the agent was paused or stopped; none: it goes on."""

    @property
    def rights(self) -> Rights:
        """It acts as the agent, and reads no more than the person may (O73)."""
        return Rights(self.account, (self.account, self.person))

    def told(self) -> Mapping[str, Any]:
        """As the first entry of the task tells it."""
        agent = {"name": self.agent, "source": self.source, "principal": self.account.id, "sponsor": self.sponsor}
        behalf = {} if self.person.id == self.giver.id else {"on_behalf_of": self.person.id}
        return {"agent": agent, **behalf}


@dataclass(frozen=True, slots=True)
class Parent:
    """The task whose call handed work on, as far as the work needs it (O76)."""

    task: str
    meter: Meter | None
    """The money of the whole family; none: nothing bounds it."""
