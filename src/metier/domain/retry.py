"""When is work that failed tried again?"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

AGAIN: frozenset[str] = frozenset({"max_turns", "model", "repeats", "seconds", "stuck"})
"""The reasons for which another try may come out otherwise. No money and a fault of the app's own stay what they are."""

NEVER: frozenset[str] = frozenset({"budget", "spend_off"})
"""The reasons for which nothing is tried again, whatever is asked for: the tries share the money."""


@dataclass(frozen=True, slots=True)
class Retry:
    """How often a task that failed is tried again: a new try of the same task, out of the same budget (O20)."""

    times: int = 0
    """The tries beside the first one."""
    wait: float = 0.0
    """Seconds before each of them. The task waits on the record, and holds nothing while it does."""
    when: Callable[[str], bool] | Collection[str] = AGAIN
    """The reasons for which it is tried again, or a function of the reason that says so. No money is never one."""

    def __post_init__(self) -> None:
        if type(self.times) is not int or self.times < 0:
            raise ValueError(f"times must be a whole number of at least 0, not {self.times!r}")
        if not self.wait >= 0:
            raise ValueError(f"wait must be 0 seconds or more, not {self.wait!r}")

    def again(self, reason: str, *, tried: int) -> bool:
        """Whether a try that failed for a reason is followed by another one.

        Args:
            reason: why the last try ended, as a word.
            tried: the tries so far, that one among them.
        """
        if tried > self.times or reason in NEVER:
            return False
        return self.when(reason) if callable(self.when) else reason in self.when
