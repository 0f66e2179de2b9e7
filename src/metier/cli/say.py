"""How does a line get to the person, and how does an error look?"""

import sys

from ..errors import MetierError


def say(text: str, *, error: bool = False) -> None:
    """Print a line on standard output, or on standard error, as those streams can carry it."""
    # click's own printing would put UTF-8 in the place of a stream that was made ASCII.
    stream = sys.stderr if error else sys.stdout
    stream.write(f"{text}\n")
    stream.flush()


def print_error(error: MetierError) -> None:
    """Print an error as two lines on standard error: what happened with its code, and what to do."""
    from .clean import clean

    say(f"error: {clean(error.message)} [{error.code}]", error=True)
    if error.hint:
        say(f"hint: {clean(error.hint)}", error=True)
