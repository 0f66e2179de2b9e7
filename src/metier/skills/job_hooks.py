"""How does the house call what a job's class overrides?

Each member that is overridden becomes a function of JSON data; one that is not is none. Rows are looked up for it in a unit
of work that only reads.
"""

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..actions.misfit import Misfit
from ..actions.rows import Rows
from ..actions.written import written
from ..domain.action import APP, Action, Hands
from ..domain.compact import compact
from .job import Skill
from .job_types import Types, in_back, read_back

ANYTHING: Mapping[str, Any] = {"type": "object"}


def overrides(skill: Skill[Any, Any], member: str) -> bool:
    """Whether a job's class says something of its own."""
    return getattr(type(skill), member) is not getattr(Skill, member)


def check_of(skill: Skill[Any, Any], types: Types, rows: Rows) -> Action | None:
    """The action that judges a result; none where the class does not override `check`."""
    if not overrides(skill, "check"):
        return None
    back = types.back

    def judge(result: Any) -> Any:
        with rows.reading():
            read = result if back is None else back.read(in_back(back, result), rows=rows)
            return read.text if isinstance(read, Misfit) else skill.check(read)

    async def body(arguments: Mapping[str, Any], _: Hands) -> Any:
        said = await asyncio.to_thread(judge, arguments["result"])
        return await said if inspect.isawaitable(said) else said

    return Action(f"{skill.name}.check", "Judges a result.", ANYTHING, body, frozenset(), APP)


def brief_of(skill: Skill[Any, Any], types: Types, rows: Rows) -> Callable[[Any], str] | None:
    """What the model is shown of an input: what the class says, or the columns of a row (O14)."""
    if overrides(skill, "brief"):
        return _of_input(skill.brief, types, rows)
    if not types.row:
        return None
    return _of_input(lambda row: f"Input: {compact(written(dict(rows.told(row))))}", types, rows)


def version_of_of(skill: Skill[Any, Any], types: Types, rows: Rows) -> Callable[[Any], str] | None:
    """What the world of an input is just now (O18)."""
    return _of_input(skill.version_of, types, rows) if overrides(skill, "version_of") else None


def names_of(skill: Skill[Any, Any], types: Types, rows: Rows) -> Callable[[Any, str, Mapping[str, Any]], str] | None:
    """What a call touches, in plain words (O19)."""
    if not overrides(skill, "names"):
        return None

    def names(given: Any, action: str, arguments: Mapping[str, Any]) -> str:
        with rows.reading():
            return skill.names(types.input(given, rows), action, arguments)

    return names


def misfit_of(types: Types, rows: Rows) -> Callable[[Any], Sequence[str]] | None:
    """What is wrong with a result that fits the schema, such as the days of a date, or an id of no row."""
    back = types.back
    if back is None:
        return None

    def misfit(result: Any) -> Sequence[str]:
        read = read_back(back, result, rows)
        return read.faults if isinstance(read, Misfit) else ()

    return misfit


def take_handed_of(skill: Skill[Any, Any], types: Types, rows: Rows) -> Callable[[Any], Any] | None:
    """Makes an input, as it stands on the record, of what was handed: what is wrong with it is told before anything is spent."""
    if overrides(skill, "handed"):

        def take(given: Any) -> Any:
            with rows.reading():
                return types.written(skill.handed(given), rows)

        return take
    if types.takes is None:
        return None

    def look(given: Any) -> Any:
        with rows.reading():
            types.input(given, rows)
        return given

    return look


def _of_input(call: Callable[[Any], str], types: Types, rows: Rows) -> Callable[[Any], str]:
    def called(given: Any) -> str:
        with rows.reading():
            return call(types.input(given, rows))

    return called
