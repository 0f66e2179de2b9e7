"""How does a job's class become a skill of the house?

Its types become schemas, its check an action, and all that it declares one value. Importing this imports pydantic only for
types that are no text.
"""

import asyncio
import hashlib
import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ..domain.action import APP, Action, Hands
from ..domain.compact import compact
from ..domain.skill import Job, SkillSpec
from ..errors import InputInvalid, SkillInvalid
from .job import Skill, types_of

if TYPE_CHECKING:
    from ..actions.types import JsonType

Types = tuple["JsonType[Any] | None", "JsonType[Any] | None"]
_TYPES: "WeakKeyDictionary[type, Types]" = WeakKeyDictionary()
"""The types of each class, made once, for as long as the class is there."""

ANYTHING: Mapping[str, Any] = {"type": "object"}


def spec_of(skill: Skill[Any, Any]) -> SkillSpec:
    """The skill that a job's class declares.

    Raises:
        SkillInvalid: the class does not say what it takes, or hands back what is no object.
        ActionError: a type has no JSON Schema, or two tools have one name.
    """
    from ..actions.function import action_of  # noqa: PLC0415 - what only lists a job needs no actions made
    from ..actions.info import Actions  # noqa: PLC0415 - as above

    cls = type(skill)
    takes, back = json_types(cls)
    tools = [action_of(info) for info in Actions.by_name(skill.tools).values()]
    description = skill.description or first_line(cls)
    job = Job(
        takes=None if takes is None else takes.schema,
        hands_back=None if back is None else _object(cls, back.schema),
        instructions=skill.instructions,
        check=_check_of(skill, back),
        tools=tools,
        budget=skill.budget,
        needs=skill.needs,
        stop=skill.stop,
        brief=_brief_of(skill, takes),
    )
    version = skill.version or _version(description, job)
    return SkillSpec(cls.__name__, description, source=cls.__module__, version=version, job=job)


def json_types(cls: type[Skill[Any, Any]]) -> "Types":
    """What a skill takes and hands back, each with its JSON side; none for text."""
    found = _TYPES.get(cls)
    if found is None:
        takes, back = types_of(cls)
        found = _TYPES[cls] = (_json_type(takes), _json_type(back))
    return found


def first_line(cls: type) -> str:
    """The first line of a class's own documentation."""
    return (inspect.cleandoc(cls.__doc__) if cls.__doc__ else "").split("\n")[0]


def input_json(skill: Skill[Any, Any], value: Any) -> Any:
    """An input as JSON data: an instance of what the skill takes, or JSON data already.

    Raises:
        InputInvalid: it cannot be written as what the skill takes.
    """
    takes, _ = json_types(type(skill))
    if takes is None or value is None or isinstance(value, dict | list | str | int | float | bool):
        return value
    try:
        return takes.write(value)
    except (TypeError, ValueError, AttributeError) as error:
        raise InputInvalid(
            f"The input is no {getattr(takes.kind, '__name__', takes.kind)}: {error}.",
            hint=f"Give what {type(skill).__name__} takes.",
        ) from error


def result_of(skill: Skill[Any, Any], result: Any) -> Any:
    """A result as an instance of what the skill hands back; as it is where that is text."""
    _, back = json_types(type(skill))
    return result if back is None or result is None else back.read(result)


def _json_type(kind: Any) -> "JsonType[Any] | None":
    if kind is str:
        return None
    from ..actions.types import json_type  # noqa: PLC0415 - pydantic: 100 ms, only for what is no text

    found: JsonType[Any] = json_type(kind)
    return found


def _object(cls: type, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    if schema.get("type") != "object" and "$ref" not in schema:
        raise SkillInvalid(
            f"{cls.__qualname__} hands back what is no object.", hint="Make a class of it, with the value as a member."
        )
    return schema


def _check_of(skill: Skill[Any, Any], back: "JsonType[Any] | None") -> Action | None:
    """The action that judges a result; none where the class does not override `check`."""
    if type(skill).check is Skill.check:
        return None

    async def body(arguments: Mapping[str, Any], _: Hands) -> Any:
        result = arguments["result"]
        said = await asyncio.to_thread(skill.check, result if back is None else back.read(result))
        return await said if inspect.isawaitable(said) else said

    return Action(f"{type(skill).__name__}.check", "Judges a result.", ANYTHING, body, frozenset(), APP)


def _brief_of(skill: Skill[Any, Any], takes: "JsonType[Any] | None") -> Callable[[Any], str] | None:
    if type(skill).brief is Skill.brief:
        return None
    return lambda given: skill.brief(given if takes is None else takes.read(given))


def _version(description: str, job: Job) -> str:
    tools = [[tool.name, tool.description, tool.parameters] for tool in job.tools]
    declared = compact([description, job.instructions, job.takes, job.hands_back, tools])
    return f"1-{hashlib.sha256(declared.encode()).hexdigest()[:8]}"
