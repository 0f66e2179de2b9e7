"""Which names are near the one that was asked for?"""

from collections.abc import Collection, Iterable

NEAR = 3
ALIKE = 0.6
LISTED = 5


def near(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Answer up to three of `names` that look like a name, the likeliest first, whatever their case."""
    import difflib  # noqa: PLC0415 - only a name that is missing needs it

    by_folded: dict[str, str] = {}
    for one in names:
        by_folded.setdefault(one.casefold(), one)
    close = difflib.get_close_matches(name.casefold(), by_folded, n=NEAR, cutoff=ALIKE)
    return tuple(by_folded[one] for one in close)


def there_is(name: str, names: Collection[str]) -> str:
    """A sentence that lists what there is, the nearest first; a model that guesses needs the real names (case 045)."""
    listed = dict.fromkeys((*near(name, names), *sorted(names)))
    if not listed:
        return ""
    more = f" and {len(listed) - LISTED} more" if len(listed) > LISTED else ""
    return f" There is: {', '.join(list(listed)[:LISTED])}{more}."
