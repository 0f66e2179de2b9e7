"""Who answers for an agent?"""

from dataclasses import dataclass

from ...domain.principal import SIGNED_IN, principal_of
from ...domain.seat import Seat
from ...errors import SetupError
from ...record import Record
from ..house import House
from .agent import Agent
from .finding import agent_of


@dataclass(frozen=True, slots=True)
class AgentSeat:
    """Names the person who answers for an agent (O68, O126). Give it to `app.seat`, which stores it in the record."""

    agent: str | type[Agent]
    """The agent by the text of its name, or by its class."""
    sponsor: object
    """The person: a row or value with an `email`, or a text."""


def take_seat(record: Record, house: House, seat: AgentSeat) -> Seat:
    """Store who answers for an agent; whether it works stays as it is.

    Raises:
        SetupError: the app lists no such agent, or the sponsor is nobody.
    """
    agent = agent_of(house.agents, seat.agent).name
    try:
        sponsor = principal_of(house.known(seat.sponsor))
    except TypeError as error:
        raise SetupError(f"The sponsor of {agent}: {error}.", hint="Give a person with an e-mail, or a text.") from None
    before, who = record.seat(agent), SIGNED_IN.get()
    state = before.state if before else "works"
    found = Seat(agent, sponsor.id, state, who.id if who else house.user)
    record.put_seat(found)
    return found
