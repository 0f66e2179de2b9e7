"""What is a skill handed by a form or by another agent, and does it fit?

It is judged by the skill's handed schema before anything is spent (O76, O100-O110).
"""

from collections.abc import Mapping
from typing import Any

from ...actions.schema import check_for
from ...domain.exact import read_json
from ...domain.skill import SkillSpec
from ...errors import InputInvalid


def handed_schema_of(skill: SkillSpec) -> Mapping[str, Any] | None:
    """JSON Schema of what a skill is handed; none for text.

    Raises:
        InputInvalid: it takes a row and does not say how that is found (O108).
    """
    job = skill.job
    if job is None:
        return None
    if job.not_handed:
        raise InputInvalid(job.not_handed, hint="Give it from code, with `do`, or let the skill say how.")
    return job.handed if job.handed is not None else job.takes


def input_from_handed(skill: SkillSpec, handed: Any) -> Any:
    """The input of a skill from what it was handed: JSON text, or JSON data already.

    Raises:
        InputInvalid: it is no JSON, does not fit, or names what is not there.
    """
    schema = handed_schema_of(skill)
    if schema is None:
        return _words(skill, handed)
    value = _read(handed) if isinstance(handed, str) else {} if handed is None else handed
    if faults := check_for(schema)(value):
        raise InputInvalid(f"The input does not fit {skill.name}: {'; '.join(faults)}.", hint="Mend what is named.")
    take = skill.job.take_handed if skill.job else None
    return value if take is None else take(value)


def _words(skill: SkillSpec, handed: Any) -> str | None:
    """Text as it is; a JSON string is read, for that is what a form makes."""
    if handed is None or not isinstance(handed, str):
        if handed is None:
            return None
        raise InputInvalid(f"{skill.name} takes text, and was handed something else.", hint="Hand it a text.")
    if not handed.startswith('"'):
        return handed
    try:
        read = read_json(handed)
    except ValueError:
        return handed
    return read if isinstance(read, str) else handed


def _read(text: str) -> Any:
    try:
        return read_json(text)
    except ValueError as error:
        raise InputInvalid(f"The input is no JSON: {error}.", hint='Hand it JSON, such as {"id": "7"}.') from None
