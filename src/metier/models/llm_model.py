"""What is known of a model that an app lists?"""

from dataclasses import dataclass

from ..domain.money import LlmPrice
from ..domain.needs import Strength
from ..domain.ports import Client


@dataclass(frozen=True, slots=True)
class LlmModel:
    """A client with its name, price and limits (O59)."""

    name: str
    client: Client
    price: LlmPrice | None = None
    """None: unknown, and then nothing with a budget runs on it (O63)."""
    max_output_tokens: int = 4096
    """The most tokens that one answer may have."""
    scripted: bool = False
    """Whether a script answers in a model's place; the receipt says so."""
    can_force: bool = False
    """Whether it can be made to call one named tool."""
    vision: bool = False
    """Whether it can be shown pictures."""
    strength: Strength = "everyday"
    """What the app takes it for; a job may ask for a strong one."""
    context: int | None = None
    """The most tokens that one request holds; none: not known, and then it counts as enough."""
    tools: bool = True
    """Whether it can call tools."""
    fast: bool = False
    """Whether the app takes it for a fast one."""
    model: str = ""
    """What its provider calls it, if that is another name."""

    def __post_init__(self) -> None:
        if getattr(self.client, "scripted", False) is True:
            object.__setattr__(self, "scripted", True)
