"""How does a line get to the person?"""

import sys


def say(text: str, *, error: bool = False) -> None:
    """Print a line on standard output, or on standard error, as those streams can carry it."""
    # click's own printing would put UTF-8 in the place of a stream that was made ASCII.
    stream = sys.stderr if error else sys.stdout
    stream.write(f"{text}\n")
    stream.flush()
