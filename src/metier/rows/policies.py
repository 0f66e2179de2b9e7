"""How is a yes or a no about a person written down, and put together with others (O119)?

@policy
def is_mechanic(user: Person) -> bool:
    return any_(RoleGrant, member=user, role=ShopRole.MECHANIC)

uses_agents = is_mechanic | is_manager
"""

from collections.abc import Callable
from typing import Any

from ..errors import ActionError

Ask = Callable[[Any], bool]


class Policy:
    """A named yes or no about a person. Join them with `|`, `&` and `~`."""

    def __init__(self, ask: Ask, name: str) -> None:
        self._ask = ask
        self.__name__ = name

    def __call__(self, user: Any) -> bool:
        """What it says of somebody.

        Raises:
            ActionError: it says neither yes nor no, as a function does that forgets to return.
        """
        return decided(self._ask(user), self.__name__)

    def __or__(self, other: "Policy") -> "Policy":
        return Policy(lambda user: self(user) or other(user), f"({self.__name__} or {other.__name__})")

    def __and__(self, other: "Policy") -> "Policy":
        return Policy(lambda user: self(user) and other(user), f"({self.__name__} and {other.__name__})")

    def __invert__(self) -> "Policy":
        return Policy(lambda user: not self(user), f"(not {self.__name__})")

    def __repr__(self) -> str:
        return f"<policy {self.__name__}>"


def policy(ask: Ask) -> Policy:
    """Make a function of a person a policy, by the function's name."""
    return Policy(ask, getattr(ask, "__name__", "policy"))


def decided(answer: object, name: str) -> bool:
    """What a policy answered, if it is a yes or a no. All else would be guessing.

    Raises:
        ActionError: it is neither.
    """
    if isinstance(answer, bool):
        return answer
    raise ActionError(f"The policy {name} answered {answer!r}.", hint="Let it answer True or False.")


nobody = Policy(lambda _: False, "nobody")
"""Says no to everybody: what an app's setup does not answer is answered so (O71)."""
