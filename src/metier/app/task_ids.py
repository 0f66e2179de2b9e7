"""What is a new task called?"""

import secrets
import time
from collections.abc import Callable

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""No letter that reads like another one or like a digit."""


def dated_id(clock: Callable[[], int]) -> str:
    """An id by the day in UTC and ten letters by chance.

    Args:
        clock: nanoseconds since the epoch.
    """
    day = time.strftime("%Y%m%d", time.gmtime(clock() / 1e9))
    return f"{day}-{''.join(_ALPHABET[byte % len(_ALPHABET)] for byte in secrets.token_bytes(10))}"
