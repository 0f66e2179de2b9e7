"""Which names are near the one that was asked for?"""

import difflib
from collections.abc import Iterable

MOST = 5


def near_names(name: str, names: Iterable[str]) -> str:
    """A sentence that lists the nearest names, or all where there are few; empty where there are none."""
    known = sorted(names)
    if not known:
        return ""
    near = difflib.get_close_matches(name, known, n=MOST, cutoff=0.4) or known[:MOST]
    more = f" (and {len(known) - len(near)} more)" if len(known) > len(near) else ""
    return f" There is: {', '.join(near)}{more}."
