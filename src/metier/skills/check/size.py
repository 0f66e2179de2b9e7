"""Is the text that a model loads as short as is advised?"""

from collections.abc import Iterator

from ...domain.problem import Problem
from .document import Document

LINES = 500
"""Lines of a body; fewer are advised (M13)."""
TOKENS = 5_000
"""Tokens of a body; fewer are advised (M14)."""
CHARACTERS_A_TOKEN = 4
"""An estimate: real skills have 4.1 characters a token."""


def size_problems(document: Document) -> Iterator[Problem]:
    """Warnings on a body that is empty, or longer than is advised."""
    body = document.parts.body.strip("\n")
    line = document.body_line
    if not body.strip():
        cause = "nothing stands below the frontmatter, so there is nothing to load"
        yield Problem("body.empty", document.file, cause, line, "write what to do, step by step", "warning")
        return
    cure = "move what is not always needed into references/"
    lines = body.count("\n") + 1
    if lines >= LINES:
        cause = f"the body has {lines:,} lines; under {LINES} are advised"
        yield Problem("body.lines", document.file, cause, line, cure, "warning")
    tokens = len(body) // CHARACTERS_A_TOKEN
    if tokens >= TOKENS:
        cause = (
            f"the body has about {tokens:,} tokens ({CHARACTERS_A_TOKEN} characters each); under {TOKENS:,} are advised"
        )
        yield Problem("body.tokens", document.file, cause, line, cure, "warning")
