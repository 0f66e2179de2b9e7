"""Is the work going in circles?

Equal means: the same action, the same arguments as canonical JSON, and the same answer (O52, O55; cases 073 and 074).
"""

from collections import deque
from collections.abc import Mapping
from typing import Any

from ..domain.compact import canonical

LONGEST_CIRCLE = 4
Arguments = Mapping[str, Any] | str
Seen = tuple[str, Arguments, str]
"""A call's action, arguments and answer."""


class Repeats:
    """Watches the calls of one run for circles of up to four calls, and for one call repeated with ever new answers."""

    def __init__(self, *, same_call: int, same_call_new_answer: int) -> None:
        self._times = same_call
        self._wide = same_call_new_answer
        self._seen: deque[Seen] = deque(maxlen=LONGEST_CIRCLE * same_call)
        self._in_a_row = 0
        self.found: str = ""
        """Why the run must stop, in words; empty while all is well."""

    def saw(self, action: str, arguments: Arguments, answer: str) -> None:
        """Count one call that was answered."""
        seen = self._seen
        again = bool(seen) and seen[-1][0] == action and _equal(seen[-1][1], arguments)
        self._in_a_row = self._in_a_row + 1 if again else 1
        seen.append((action, arguments, answer))
        circle = self._circle()
        if circle:
            self.found = f"the same {'call' if circle == 1 else f'{circle} calls'} {self._times} times"
        elif self._in_a_row >= self._wide:
            self.found = f"the same call {self._in_a_row} times, each with a new answer"

    def restart(self) -> None:
        """Count anew: somebody has helped the work on."""
        self._seen.clear()
        self._in_a_row = 0
        self.found = ""

    def _circle(self) -> int:
        """The length of the shortest circle that was just closed often enough, or 0."""
        seen, times = self._seen, self._times
        length = len(seen)
        if times == 1:
            return 1
        for size in range(1, LONGEST_CIRCLE + 1):
            if length < size * times:
                return 0
            if all(_same(seen[-1 - step], seen[-1 - step - size]) for step in range(size * (times - 1))):
                return size
        return 0


def _same(one: Seen, other: Seen) -> bool:
    return one[0] == other[0] and one[2] == other[2] and _equal(one[1], other[1])


def _equal(one: Arguments, other: Arguments) -> bool:
    """Whether two arguments are equal JSON. Python's own comparison is quick but takes 1 for true: it only rules out."""
    return one == other and canonical(one) == canonical(other)
