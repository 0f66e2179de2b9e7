"""Which agents does an app have, and how does it answer the five questions about them?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from ...domain.bounds import STUCK_AFTER
from ...domain.money import Dollars
from ...errors import SetupError
from .agent import Agent

Question = Literal["uses_agents", "supervises_agents", "audits_agents", "reads_model_usage", "manages_model_spend"]
"""What is asked at the doors (O70)."""

QUESTIONS: tuple[Question, ...] = (
    "uses_agents",
    "supervises_agents",
    "audits_agents",
    "reads_model_usage",
    "manages_model_spend",
)

Policy = Callable[[Any], bool]
"""Answers a question about a person, who comes as the app knows people: a stored row, or whatever was signed in."""


@dataclass(slots=True, kw_only=True)
class AgentsSetup:
    """The agents of an app, their common limits, and the app's answers to five questions (O57, O67, O70).

    A question that is not answered is answered no, for everybody (O71).

    Raises:
        SetupError: two agents have the same name and module, an agent is given as its class, or a limit is no amount.
    """

    agents: Sequence[Agent]
    """Only these are in the catalogue, and can be given work."""
    task_budget: Dollars | float | None = None
    """The most dollars that one task may cost; a skill's own budget replaces it."""
    ceiling: Dollars | float | None = None
    """The most dollars that any task may cost, whatever its skill says."""
    stuck_after: int = STUCK_AFTER
    """So many failures in a row stop a job, where its skill says nothing (O29)."""
    grants: type[Any] | None = None
    """The app's class of stored rows by which roles are held, with `member` and `role`; none: roles are the app's affair."""
    people: type[Any] | None = None
    """The app's class of stored people; that of the agents' accounts if none."""
    uses_agents: Policy | None = None
    """Who gives agents work, and reads the work that they asked for."""
    supervises_agents: Policy | None = None
    """Who names sponsors, pauses and stops agents, and reads that work happened."""
    audits_agents: Policy | None = None
    """Who reads everything, content included."""
    reads_model_usage: Policy | None = None
    """Who reads what models cost."""
    manages_model_spend: Policy | None = None
    """Who switches the spending of the whole app off and on."""

    def __post_init__(self) -> None:
        for one in self.agents:
            if isinstance(one, type):
                raise SetupError(f"{one.__name__} is a class.", hint=f"List an instance: {one.__name__}().")
        ids = [id_of(one) for one in self.agents]
        twice = next((one for one in ids if ids.count(one) > 1), None)
        if twice is not None:
            raise SetupError(f"Two agents are called {twice}.", hint="List each once.")
        _amount("task_budget", self.task_budget)
        _amount("ceiling", self.ceiling)
        if type(self.stuck_after) is not int or self.stuck_after < 1:
            raise SetupError(f"stuck_after is {self.stuck_after!r}.", hint="Give a whole number of at least 1.")

    def budget(self, own: Dollars | None) -> Dollars | None:
        """The most dollars of one task: its skill's own limit or the app's, and never more than the ceiling (O57)."""
        limits = [_amount("task_budget", self.task_budget) if own is None else own, _amount("ceiling", self.ceiling)]
        return min((one for one in limits if one is not None), default=None)


def id_of(agent: Agent) -> str:
    """The module and the name of an agent's class, which together name one agent."""
    return f"{type(agent).__module__}.{type(agent).__name__}"


def _amount(name: str, value: Dollars | float | None) -> Dollars | None:
    if value is None or isinstance(value, Decimal):
        found = value
    else:
        found = Decimal(str(value))
    if found is not None and not (found.is_finite() and found > 0):
        raise SetupError(f"{name} is {value!r}.", hint="Give dollars above 0, such as Decimal('0.05').")
    return found
