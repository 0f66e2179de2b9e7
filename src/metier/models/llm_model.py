"""What is known of a model that an app lists?"""

from dataclasses import dataclass

from ..domain.money import LlmPrice
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
