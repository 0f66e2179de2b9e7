"""What must a model be able to do for a job?"""

from dataclasses import dataclass
from typing import Literal

from .money import Dollars

Strength = Literal["everyday", "strong"]


@dataclass(frozen=True, slots=True)
class ModelNeeds:
    """What a job asks of its model; the app's router decides from it (O10, O61). The defaults ask for nothing."""

    strength: Strength = "everyday"
    """`strong` is met only by a strong model, `everyday` by any."""
    context: int = 0
    """The tokens that one request must be able to hold."""
    vision: bool = False
    """Whether it must be able to see pictures."""
    tools: bool = False
    """Whether it must be able to call tools."""
    fast: bool = False
    """Whether it must be one of those that the app calls fast."""
    max_price: Dollars | None = None
    """The most dollars that a million tokens may cost, of its dearest kind; an unknown price does not meet it."""
    name: str = ""
    """The one listed model that it must be."""
