"""How does work for an agent become a task's assignment?

The agent's permits bind, narrowed by its skill's; its account acts, the person's rights bound what is read; the money is the
skill's, the app's or what the parent task has left, whichever is less.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from ...domain.money import Dollars
from ...domain.ports import Approver
from ...domain.principal import RIGHTS, Principal
from ...domain.skill import SkillSpec
from ...domain.task import Ended, RunEnd, Waits
from ...errors import NotAllowed
from ..agency import Agency, Parent
from ..assigning import LATER, Asked, assign
from ..assignment import Assignment
from ..house import House
from ..how import chain_told
from .agent import Agent
from .finding import guides_of
from .handed import input_from_handed


@dataclass(frozen=True, slots=True)
class For:
    """Who gives work, for whom, and inside of which task."""

    giver: Principal
    person: Principal
    parent: Parent | None = None


def agency_of(house: House, agent: Agent, whom: For) -> Agency:
    """The agent's part in a task that is given now.

    Raises:
        NotAllowed: nobody answers for the agent (O69), or it is paused or stopped (O72).
    """
    seat = house.seat(agent.name)
    if seat is None:
        raise NotAllowed(
            f"Nobody answers for the agent {agent.name}.",
            hint=f'Name somebody: app.seat(AgentSeat("{agent.name}", sponsor=…)).',
        )
    if seat.state != "works":
        raise NotAllowed(
            f"The agent {agent.name} is {seat.state}, by {seat.by or seat.sponsor}.",
            hint=f"Let it work again: Agents.of({agent.name}).resume()",
        )
    return agency(house, agent, sponsor=seat.sponsor, giver=whom.giver, person=whom.person)


def agency(house: House, agent: Agent, *, sponsor: str, giver: Principal, person: Principal) -> Agency:
    """An agent's part in a task, by whom it was given and by whom it was answered for."""
    return Agency(
        agent=agent.name,
        source=type(agent).__module__,
        account=house.account(agent),
        sponsor=sponsor,
        giver=giver,
        person=person,
        purpose=agent.purpose,
        halted=_halted(house, agent.name),
    )


def assign_to(
    house: House,
    task: str,
    agent: Agent,
    skill: SkillSpec,
    asked: Asked,
    whom: For,
    *,
    handed: bool = False,
    approver: Approver = LATER,
    hear: Callable[[str], None] | None = None,
) -> Assignment:
    """What a new task of an agent is given.

    Args:
        house: what the app brings.
        task: the task's id.
        agent: who does it.
        skill: one that the agent lists.
        asked: the input and what else comes with it.
        whom: who gives it, and for whom.
        handed: whether the input is what a form or another agent hands, as JSON, and not what the skill takes.
        approver: answers proposals; they stay on the record if none.
        hear: is told the model's text as it comes.

    Raises:
        what `Metier.arun` does, and NotAllowed where the agent has no seat or does not work.
    """
    part = agency_of(house, agent, whom)
    token = RIGHTS.set(part.rights)
    try:
        if handed:
            asked = replace(asked, input=input_from_handed(skill, asked.input))
        if asked.offered is None:
            known = [*guides_of(agent, house.rows, house.find), *([skill] if skill.guide else [])]
            asked = replace(asked, offered=list({one.id: one for one in known}.values()))
        one = assign(house, task, bounded(house, skill), asked, approver=approver, hear=hear)
    finally:
        RIGHTS.reset(token)
    permits = agent.may.narrowed(house.own_permits)
    how = {**(one.how or {}), **chain_told(permits)}
    budget = _budget(house, skill, whom.parent)
    return replace(one, giver=whom.giver.id, permits=permits, budget=budget, how=how, agency=part, parent=whom.parent)


def bounded(house: House, skill: SkillSpec) -> SkillSpec:
    """The skill with the app's count of failures, where it says none of its own (O29)."""
    if skill.job is None or house.agents is None or skill.job.stop.stuck_after is not None:
        return skill
    stop = replace(skill.job.stop, stuck_after=house.agents.stuck_after)
    return replace(skill, job=replace(skill.job, stop=stop))


def _budget(house: House, skill: SkillSpec, parent: Parent | None) -> Dollars | None:
    own = skill.job.budget if skill.job else None
    if parent is not None and parent.meter is not None:
        left = parent.meter.left
        return own if left is None else left if own is None else min(own, left)
    budget = house.agents.budget(own) if house.agents else own
    return house.settings.task_budget if budget is None else budget


def _halted(house: House, agent: str) -> Callable[[], RunEnd | None]:
    def halted() -> RunEnd | None:
        seat = house.seat(agent)
        if seat is None or seat.state == "works":
            return None
        by = f" by {seat.by}" if seat.by else ""
        if seat.state == "paused":
            return Waits("agent", f"the agent {agent} was paused{by}", agent=agent)
        return Ended("Stopped", "cancelled", f"the agent {agent} was stopped{by}")

    return halted
