"""What is wrong with one skill, for its author?"""

from collections.abc import Callable, Iterable
from typing import Final

from ...domain.problem import Problem
from ..reader import read_skill
from .document import Document, read_document
from .hidden import hidden_problems
from .keys import key_problems, mark_problems
from .links import link_problems
from .mentions import mention_problems
from .names import name_problems
from .scripts import script_problems
from .size import size_problems
from .strict import judged

Rule = Callable[[Document], Iterable[Problem]]

RULES: Final[tuple[Rule, ...]] = (
    mark_problems,
    key_problems,
    name_problems,
    size_problems,
    link_problems,
    mention_problems,
    script_problems,
    hidden_problems,
)
"""Each group of rules; every one sees the whole skill."""


def check_skill(folder: str) -> tuple[Problem, ...]:
    """Hold a skill folder to the specification and answer all that is wrong with it, in the order of files and lines.

    Errors break a must of the format, or keep the skill from working; warnings go against its advice; notes tell what
    other clients may not take. No content of the folder raises.
    """
    reading = read_skill(folder)
    document = read_document(folder)
    problems = [*judged(reading.problems, document)]
    if document is not None:
        problems += document.problems
        for rule in RULES:
            problems += rule(document)
    own = document.file if document else ""
    return tuple(sorted(dict.fromkeys(problems), key=lambda one: (one.file != own, one.file, one.line or 0)))
