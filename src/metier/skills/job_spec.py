"""How does a job's class become a skill of the house?

Its types become schemas, its check an action, and all that it declares one value. Importing this imports pydantic only for
types that are no text.
"""

import hashlib
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from ..actions.declared import in_words
from ..actions.rows import NO_ROWS, Rows
from ..domain.action import Action
from ..domain.compact import compact
from ..domain.skill import Job, SkillSpec
from ..errors import SkillInvalid
from .hand_on import ById
from .job import Skill
from .job_hooks import brief_of, check_of, misfit_of, names_of, overrides, take_handed_of, version_of_of
from .job_types import Types, by_id, json_types


def spec_of(skill: Skill[Any, Any], *, rows: Rows = NO_ROWS) -> SkillSpec:
    """The skill that a job's class declares.

    Args:
        skill: an instance of the job's class.
        rows: the app's stored rows; what its actions are held by.

    Raises:
        SkillInvalid: the class does not say what it takes, hands back what is no object, or is handed what it cannot take.
        ActionError: a type has no JSON Schema, or two tools have one name.
    """
    from ..actions.info import Actions  # noqa: PLC0415 - what only lists a job needs no actions made

    return _spec(skill, [info.made(rows) for info in Actions.by_name(skill.tools).values()], rows)


def face_of(skill: Skill[Any, Any]) -> SkillSpec:
    """The skill as others see it who hand it work: all but its tools. Two skills may so be handed work by each other.

    Raises:
        what `spec_of` does.
    """
    return _spec(skill, [], NO_ROWS)


def _spec(skill: Skill[Any, Any], tools: Sequence[Action], rows: Rows) -> SkillSpec:
    cls = type(skill)
    types = json_types(cls)
    description = skill.description or first_line(cls)
    handed, not_handed = _handed(skill, types)
    job = Job(
        takes=types.schema,
        hands_back=None if types.back_schema is None else _object(cls, types.back_schema),
        instructions=skill.instructions,
        check=check_of(skill, types, rows),
        tools=tools,
        budget=skill.budget,
        needs=skill.needs,
        stop=skill.stop,
        brief=brief_of(skill, types, rows),
        misfit=misfit_of(types, rows),
        may=skill.may,
        version_of=version_of_of(skill, types, rows),
        names=names_of(skill, types, rows),
        retry=skill.retry,
        handed=handed,
        take_handed=take_handed_of(skill, types, rows),
        not_handed=not_handed,
    )
    version = skill.version or _version(description, job)
    label = skill.label or in_words(cls.__name__)
    return SkillSpec(cls.__name__, description, source=cls.__module__, version=version, job=job, label=label)


def first_line(cls: type) -> str:
    """The first line of a class's own documentation."""
    return (inspect.cleandoc(cls.__doc__) if cls.__doc__ else "").split("\n")[0]


def _handed(skill: Skill[Any, Any], types: Types) -> tuple[Mapping[str, Any] | None, str]:
    """What a job is handed, and why it cannot be, if it cannot (O108)."""
    said = skill.handed_schema
    if isinstance(said, ById):
        if not types.row:
            raise SkillInvalid(
                f"{skill.name} is handed by the id of a row, and takes none.", hint="Leave handed_schema out."
            )
        return by_id(said.label), ""
    if said is not None and not overrides(skill, "handed"):
        raise SkillInvalid(
            f"{skill.name} says what it is handed, and not what to make of it.", hint="Write its `handed(self, given)`."
        )
    if said is None and types.row and not overrides(skill, "handed"):
        kind = getattr(types.takes.kind if types.takes else None, "__name__", "What it takes")
        return None, (
            f"{kind} is a stored row, and {skill.name} does not say how to find it:"
            ' set handed_schema = HandOn.by_id("…").'
        )
    return said, ""


def _object(cls: type, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    if schema.get("type") != "object" and "$ref" not in schema:
        raise SkillInvalid(
            f"{cls.__qualname__} hands back what is no object.", hint="Make a class of it, with the value as a member."
        )
    return schema


def _version(description: str, job: Job) -> str:
    tools = [[tool.name, tool.description, tool.parameters] for tool in job.tools]
    declared = compact([description, job.instructions, job.takes, job.hands_back, tools])
    return f"1-{hashlib.sha256(declared.encode()).hexdigest()[:8]}"
