"""When does a job stop?"""

from dataclasses import dataclass

STUCK_AFTER = 3
"""The failures in a row that stop a job, where nobody says otherwise (O29)."""


@dataclass(frozen=True, slots=True)
class StopWhen:
    """The limits of a job (O11, O51-O56). The tightest wins."""

    max_turns: int = 20
    """The most model calls. One turn before it the model is told to finish."""
    same_call: int = 3
    """So many equal calls with equal answers, in a row or in a circle of up to four calls, stop the job."""
    same_call_new_answer: int = 10
    """So many equal calls in a row stop the job even when each answer is new."""
    clear_results_past: int = 12
    """So many results of calls are kept whole in what the model is sent; of older ones one line is left (O53, O94)."""
    stuck_after: int | None = None
    """So many failures in a row (a result sent back, a refused call, a tool's error) stop the job; none: as the app's
    agents have it, else 3 (O29)."""
    max_seconds: float | None = None
    """How long one run may take, in seconds; none: no limit."""

    def __post_init__(self) -> None:
        for name in ("max_turns", "same_call", "same_call_new_answer", "clear_results_past", "stuck_after"):
            value = getattr(self, name)
            if name == "stuck_after" and value is None:
                continue
            if type(value) is not int or value < 1:
                raise ValueError(f"{name} must be a whole number of at least 1, not {value!r}")
        if self.max_seconds is not None and not self.max_seconds > 0:
            raise ValueError(f"max_seconds must be more than 0, not {self.max_seconds!r}")
