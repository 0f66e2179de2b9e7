"""A bicycle workshop whose repairs are estimated by an agent: people, roles, rows, actions, a job, an agent, and the app.

It is the example of the document on typed jobs, as a Python app. The tests beside it need no model.
"""

import enum
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy import Engine, ForeignKey, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from metier import (
    Actions,
    Actor,
    Agent,
    AgentsSetup,
    LlmModel,
    LlmPrice,
    LlmSetup,
    Metier,
    Permits,
    Skill,
    action,
)
from metier.rows import any_, policy, session
from metier.testing import ScriptedModel


class Base(DeclarativeBase):
    """The workshop's tables."""


class ShopRole(enum.Enum):
    """What somebody is in the shop."""

    MECHANIC = "mechanic"
    MANAGER = "manager"
    HELPER = "helper"


class Person(Base):
    """A person of the shop, or the account of an agent."""

    __tablename__ = "person"

    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column(String(200), unique=True)
    display_name: Mapped[str] = mapped_column(String(200))


class RoleGrant(Base):
    """One role that somebody holds."""

    __tablename__ = "role_grant"

    id: Mapped[int] = mapped_column(primary_key=True)
    member_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    member: Mapped[Person] = relationship()
    role: Mapped[ShopRole]


class Repair(Base):
    """One bike in for repair."""

    __tablename__ = "repair"

    id: Mapped[int] = mapped_column(primary_key=True)
    ticket: Mapped[str] = mapped_column(String(40), unique=True)
    fault: Mapped[str] = mapped_column(String(200))
    note: Mapped[str] = mapped_column(String(400), default="")
    price: Mapped[Decimal] = mapped_column(default=Decimal(0))
    """What the customer is charged. Only a mechanic or the manager sets it."""


@policy
def is_mechanic(user: Person) -> bool:
    """Whether somebody repairs bikes."""
    return any_(RoleGrant, member=user, role=ShopRole.MECHANIC)


@policy
def is_manager(user: Person) -> bool:
    """Whether somebody runs the shop."""
    return any_(RoleGrant, member=user, role=ShopRole.MANAGER)


@dataclass
class Estimate:
    """What an estimate says."""

    hours: Decimal
    summary: str = ""
    needs_parts: bool = False


@action("Look up the parts a fault needs", query=True)
def parts_for(fault: str) -> list[str]:
    """The parts a fault needs."""
    return ["brake pads", "cable"] if "brake" in fault else []


@action("Write a note on the repair", changes=True)
def note_repair(repair: Repair, note: str) -> str:
    """Write a note on the repair's ticket."""
    repair.note = note
    return f"Noted on {repair.ticket}."


@action("Set the price", changes=True)
def set_price(repair: Repair, price: Decimal) -> str:
    """Set what the customer is charged."""
    repair.price = price
    return f"{repair.ticket} costs {price}."


@action("Scrap the bike", changes=True)
def scrap_bike(repair: Repair) -> str:
    """Not one of the job's tools."""
    session().delete(repair)
    return "Scrapped."


class EstimateRepair(Skill[Repair, Estimate]):
    """Works out how long one repair takes."""

    description = "Estimate one repair."
    instructions = "Look up the parts first. Write the estimate as a note on the repair."
    tools = (Actions.of(parts_for), Actions.of(note_repair), Actions.of(set_price))

    def brief(self, given: Repair) -> str:
        """What the model is shown of the repair."""
        return f"Ticket {given.ticket}: {given.fault}. Its id is {given.id}."

    def check(self, result: Estimate) -> str | None:
        """No estimate takes no time."""
        return "An estimate takes some time." if result.hours <= 0 else None


@Actor(roles=[ShopRole.HELPER])
class Estimator(Agent):
    """Estimates the repairs that come in. It holds the Helper role and nothing more."""

    principal = Person(email="estimator@workshop.example", display_name="Estimator")
    purpose = "You estimate bicycle repairs for a small workshop."
    skills = (EstimateRepair(),)
    may = Permits.changes_alone()  # it notes and prices by itself


def workshop(engine: Engine, **how: object) -> Metier:
    """The app over the shop's database, with a scripted model in the place of a real one."""
    everyday = LlmModel(
        "Everyday",
        ScriptedModel("Everyday"),
        LlmPrice(input=Decimal(1), output=Decimal(5)),
        max_output_tokens=1000,
        model="scripted-everyday",
    )
    agents = AgentsSetup(
        agents=[Estimator()],
        task_budget=Decimal("0.05"),
        grants=RoleGrant,
        uses_agents=is_mechanic | is_manager,  # gives agents work, reads the work they asked for
        supervises_agents=is_manager,  # names sponsors, pauses and stops, reads that work happened
        audits_agents=is_manager,  # reads everything, content included
        reads_model_usage=is_manager,
        manages_model_spend=is_manager,
    )
    return Metier(rows=engine, llm=LlmSetup([everyday]), agents=agents, **how)  # type: ignore[arg-type]  # handed on as they are
