"""How is it stored who answers for an agent?"""

from dataclasses import replace

from ..domain.seat import Seat
from ..errors import RecordError
from .claim import AGENT
from .connections import Connections
from .statements import ADD_SEAT, CHANGE_SEAT, FIND_SEAT, SEATS, WAKE_FOR


def find_seat(connections: Connections, agent: str) -> Seat | None:
    """An agent's seat, as whatever process last stored it. A running task asks at each step: it is one look by key."""
    with connections.use() as connection:
        row = connection.execute(FIND_SEAT, (agent,)).fetchone()
    return None if row is None else Seat(*row)


def all_seats(connections: Connections) -> list[Seat]:
    """All seats, by the names of their agents."""
    with connections.use() as connection:
        return [Seat(*row) for row in connection.execute(SEATS)]


def store_seat(connections: Connections, seat: Seat) -> None:
    """Store a seat in place of the agent's earlier one, so that it survives a power cut; wake what waits for its work."""
    told = (seat.sponsor, seat.state, seat.by, seat.at)
    with connections.changing() as connection:
        if not connection.execute(CHANGE_SEAT, (*told, seat.agent)).rowcount:
            connection.execute(ADD_SEAT, (seat.agent, *told))
        if seat.state == "works":
            connection.execute(WAKE_FOR, (f"{AGENT}{seat.agent}",))


def checked(seat: Seat, now: int) -> Seat:
    """A seat that can be stored, with its moment. Raises RecordError for one that names no agent or no sponsor."""
    if not (seat.agent and seat.sponsor):
        raise RecordError(
            f"A seat names an agent and a sponsor, not {seat.agent!r} and {seat.sponsor!r}.",
            hint="Say who answers for which agent.",
        )
    return seat if seat.at else replace(seat, at=now)
