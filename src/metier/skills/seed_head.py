"""What does the strict reading demand of a head that the tolerant one forgives?"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..domain.problem import Problem
from ..domain.skill import Frontmatter
from .fields import misspelt, not_text
from .frontmatter import Parts, starts_late
from .yaml_loader import Loaded

MUSTS = frozenset(
    {
        "compatibility.length",
        "description.length",
        "description.missing",
        "frontmatter.duplicate",
        "frontmatter.missing",
        "frontmatter.type",
        "metadata.form",
        "name.case",
        "name.directory",
        "name.form",
        "name.length",
        "name.missing",
    }
)
"""Findings that the tolerant reading forgives and the specification does not."""

_FORGIVEN = frozenset({"frontmatter.duplicate", "metadata.form"})
"""What the document forgives too: keys that it does not know (M11), and all of metadata (M12)."""


def strictly(problem: Problem) -> Problem:
    """A finding of the reading, by the document's level: what it demands is an error."""
    demanded = problem.code in MUSTS and problem.code not in _FORGIVEN
    return replace(problem, level="error") if demanded else problem


def as_the_document_says(
    front: Frontmatter, loaded: Loaded, *, parts: Parts, file: str, tell: Callable[[Problem], None]
) -> Frontmatter:
    """Answer the frontmatter with only what the document gives it; what is against the document is told.

    Names, descriptions and compatibility have been looked at before; `strictly` gives those findings their level.
    """
    late = starts_late(parts, file)
    if late:
        tell(late)
    for problem in _against(loaded, file, parts.head_line - 1):
        tell(problem)
    tools = loaded.fields.get("allowed-tools")
    skipped = {key for key, _ in not_text(loaded.fields.get("metadata"))}
    return replace(
        front,
        allowed_tools=tools.strip() or None if isinstance(tools, str) else None,
        metadata={key: value for key, value in front.metadata.items() if key not in skipped},
    )


def _against(loaded: Loaded, file: str, before: int) -> Iterator[Problem]:
    """Known keys in other letters (M9), a list or map for the tools (M10), and metadata that is skipped (M12)."""
    for key, meant in misspelt(loaded.fields):
        if key.lower() == meant:
            cause = f"{key!r} must be spelt {meant!r}"
            yield Problem("frontmatter.spelling", file, cause, loaded.lines[key] + before, f"write {meant}")
    if not isinstance(loaded.fields.get("allowed-tools", ""), str):
        cause = "allowed-tools must be text: names with spaces between them"
        line = loaded.lines["allowed-tools"] + before
        yield Problem("frontmatter.type", file, cause, line, "write `allowed-tools: Read Grep`")
    for _, wrong in not_text(loaded.fields.get("metadata")):
        line = loaded.lines["metadata"] + before
        cause = f"{wrong}; the entry is left out"
        yield Problem("metadata.form", file, cause, line, "write it as one text in quotes", "warning")
