"""What does a form ask for, so that a skill can be run from what was typed?"""

from collections.abc import Mapping, Sequence
from typing import Any

from ..actions.forms import FormField, fields_of, json_of
from ..domain.compact import compact
from ..domain.skill import SkillSpec
from ..skills.job import Skill
from ..skills.job_spec import spec_of
from .agents.handed import handed_schema_of, input_from_handed
from .giving import path_members


def input_fields_of(skill: SkillSpec | Skill[Any, Any]) -> Sequence[FormField]:
    """What a form asks for: one field for each member of what the skill takes, or one line of text (O104-O106).

    Members that a given file fills are left out.

    Raises:
        SkillInvalid: the class does not say what it takes.
        ActionError: what it takes has no JSON Schema.
        InputInvalid: it takes a row and does not say how that is found (O108).
    """
    spec = spec_of(skill) if isinstance(skill, Skill) else skill
    takes = handed_schema_of(spec)
    filled = path_members(takes) if takes else []
    return tuple(field for field in fields_of(takes) if field.name not in filled)


def input_json_of(fields: Sequence[FormField], values: Mapping[str, str]) -> str:
    """The JSON that a skill takes, from what was typed into its form (O107).

    Raises:
        InputInvalid: something is missing, or is no number, no date or none of the choices; all of it is told at once.
    """
    return json_of(fields, values)


def input_of(skill: SkillSpec | Skill[Any, Any], values: Mapping[str, str]) -> str:
    """The input of a skill that the app itself runs, from what was typed into its form: what it takes, made of what it is handed.

    Raises:
        InputInvalid: as `input_json_of`, or what is handed does not fit.
    """
    spec = spec_of(skill) if isinstance(skill, Skill) else skill
    typed = input_json_of(input_fields_of(spec), values)
    if spec.job is None or spec.job.take_handed is None:
        return typed
    return compact(input_from_handed(spec, typed))
