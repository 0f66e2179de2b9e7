"""How does an agent choose one of several options?"""

import enum
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from ..domain.skill import Job, SkillSpec
from ..errors import InputInvalid

DECISION = "decision"
"""The name of a job that only chooses."""

CHOICE = "choice"
"""The one member of its result."""

Option = TypeVar("Option")


def options_by_name(options: Sequence[Option]) -> Mapping[str, Option]:
    """The options by the words that the model chooses from.

    Raises:
        InputInvalid: there are less than two, or two read alike.
    """
    named = {_words(one): one for one in options}
    if len(named) < len(options):
        raise InputInvalid("Two of the options read alike.", hint="Give options that differ in words.")
    if len(named) < 2:
        raise InputInvalid("There is nothing to decide: give at least two options.", hint="List what may be chosen.")
    return named


def decision(question: str, names: Sequence[str]) -> SkillSpec:
    """The job whose result is one of the options (O75)."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {CHOICE: {"enum": list(names)}},
        "required": [CHOICE],
        "additionalProperties": False,
    }
    return SkillSpec(DECISION, question, job=Job(hands_back=schema))


def is_decision(skill: SkillSpec) -> bool:
    """Whether it is no more than a decision."""
    return skill.name == DECISION and not skill.source and skill.guide is None and bool(options_in(skill))


def options_in(skill: SkillSpec) -> list[str]:
    """The words that a decision chooses from; none for another job."""
    members = ((skill.job.hands_back if skill.job else None) or {}).get("properties") or {}
    return list(members[CHOICE].get("enum", ())) if set(members) == {CHOICE} else []


def _words(option: object) -> str:
    return option.name if isinstance(option, enum.Enum) else str(option)
