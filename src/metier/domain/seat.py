"""Who answers for an agent, and does it work?"""

from dataclasses import dataclass
from typing import Literal

SeatState = Literal["works", "paused", "stopped"]


@dataclass(frozen=True, slots=True)
class Seat:
    """A stored row: who answers for an agent, and whether it works, is paused or stopped (O68, O72, O126)."""

    agent: str
    """The agent by the text of its name."""
    sponsor: str
    """Who answers for it, as the record names persons."""
    state: SeatState = "works"
    by: str = ""
    """Who last said so."""
    at: int = 0
    """When, in nanoseconds since the epoch."""
