"""What is left of every limit of a run, and has one been hit?"""

import time

from ..domain.bounds import STUCK_AFTER, StopWhen
from ..domain.call import Answered
from ..domain.task import Ended
from .meter import Meter
from .repeats import Repeats
from .stuck import Stuck


class Bounds:
    """Every limit of one run. The first one that is hit ends it."""

    def __init__(self, stop: StopWhen, meter: Meter) -> None:
        self.stop = stop
        self.meter = meter
        self.turns = 0
        """The model calls that were begun."""
        self.stuck = Stuck(stop.stuck_after or STUCK_AFTER)
        self.repeats = Repeats(same_call=stop.same_call, same_call_new_answer=stop.same_call_new_answer)
        self._until = None if stop.max_seconds is None else time.monotonic() + stop.max_seconds

    @property
    def last_turn(self) -> bool:
        """Whether the turn that comes is the last one."""
        return self.turns == self.stop.max_turns - 1

    @property
    def seconds_left(self) -> float | None:
        """What is left of the time, in seconds, 0 at the least; none without a limit."""
        return None if self._until is None else max(0.0, self._until - time.monotonic())

    def hit(self) -> Ended | None:
        """The end that a limit makes, if one has been hit."""
        if found := self.stuck.found:
            return Ended("Failed", "stuck", f"stuck: {found}. {' | '.join(self.stuck.reasons)}")
        if self.repeats.found:
            return Ended("Failed", "repeats", f"going in circles: {self.repeats.found}")
        if self.turns >= self.stop.max_turns:
            return Ended("Failed", "max_turns", f"max turns ({self.stop.max_turns})")
        if self._until is not None and time.monotonic() >= self._until:
            return self.out_of_time()
        return None

    def restart(self) -> None:
        """Count failures and repeats anew: somebody has helped the work on (O31)."""
        self.stuck.restart()
        self.repeats.restart()

    def out_of_time(self) -> Ended:
        """The end that the limit of time makes."""
        return Ended("Failed", "seconds", f"out of time ({self.stop.max_seconds} s)")

    def saw(self, answered: Answered, *, polls: bool) -> None:
        """Count one call that was answered."""
        self.stuck.saw(answered)
        if not polls:
            self.repeats.saw(answered.call.action, answered.call.arguments, answered.text)
