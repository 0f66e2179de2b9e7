"""Which names are allowed and still make trouble elsewhere?"""

from collections.abc import Iterator

from ...domain.problem import Problem
from ..fields import one_name
from .document import Document

RESERVED = ("anthropic", "claude")
"""Words that one vendor's hosted service keeps for itself; the format does not."""


def name_problems(document: Document) -> Iterator[Problem]:
    """Notes on a name that not every client takes (specification, section 1.2)."""
    value = document.loaded.fields.get("name") if document.loaded else None
    name = one_name(value.strip()) if isinstance(value, str) else ""
    line = document.line("name")
    if not name.isascii():
        cause = f"not every client takes letters beyond a-z, as in {name!r}"
        yield Problem("name.unicode", document.file, cause, line, "use a-z, 0-9 and hyphens to be safe", "note")
    for word in RESERVED:
        if word in name.lower():
            cause = f"one hosted service takes no name that holds {word!r}"
            yield Problem("name.reserved", document.file, cause, line, "choose a name without it", "note")
