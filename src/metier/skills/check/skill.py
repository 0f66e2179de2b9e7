"""What is wrong with one skill, for its author?"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
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


MOST_OF_A_KIND = 50
"""Problems with one code in one file that are told."""


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
    ordered = sorted(dict.fromkeys(problems), key=lambda one: (one.file != own, one.file, one.line or 0))
    return tuple(_bounded(ordered))


def _bounded(problems: list[Problem]) -> Iterator[Problem]:
    """The problems, of one kind in one file only so many; the last of them says how many more there are."""
    counts = Counter((one.file, one.code) for one in problems)
    told: Counter[tuple[str, str]] = Counter()
    for one in problems:
        kind = (one.file, one.code)
        told[kind] += 1
        if told[kind] == MOST_OF_A_KIND < counts[kind]:
            more = counts[kind] - MOST_OF_A_KIND
            yield replace(one, cause=f"{one.cause}; {more:,} more of this kind follow in the file")
        elif told[kind] <= MOST_OF_A_KIND:
            yield one
