"""Which number does a command exit with?

0 done, 1 the task failed, 2 set-up or usage, 3 a skill, 4 a task or its input, 5 the gate, 6 an action, 7 the record,
8 the task was refused, 9 a record does not verify, 10 a check found errors, 11 the task waits,
12 a replayed request differs, 130 stopped.
"""

from collections.abc import Mapping

DONE = 0
FAILED = 1
USAGE = 2
REFUSED = 8
NOT_VERIFIED = 9
CHECKED_WITH_ERRORS = 10
WAITS = 11
DIFFERS = 12
STOPPED = 130

OF_STATE: Mapping[str, int] = {
    "Done": DONE,
    "Failed": FAILED,
    "Refused": REFUSED,
    "Stopped": STOPPED,
    "Waiting": WAITS,
    "Ready": WAITS,
    "Running": WAITS,
}
"""By the state that a task is in when a command leaves it. What has not ended waits for somebody."""
