"""Which three actions does a model use skills with?

`load_skill`, `read_skill_resource` and `run_skill_script`, each offered only when some skill has something for it
(M15-M17). Each stands for many: its arguments name the skill, and so what is judged and recorded is the action of that
skill, with the digest of its files. Names are looked up in what was listed and never made into paths.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..actions.scripts.action import script_action
from ..actions.scripts.arguments import arguments_of
from ..actions.scripts.limits import DEFAULT_LIMITS, ScriptLimits
from ..domain.action import HOUSE, Action, Body, Effect, Hands, Miss, Narrowed, Origin, Returned
from ..domain.near import near, there_is
from ..domain.skill import Kind, SkillFile, SkillSpec
from ..errors import GateError
from .digest import digest_again, digest_of
from .files import read_resource
from .loaded import loaded_text
from .resources import Resource, shown

_NAME = {"type": "string"}
LOAD_PARAMETERS: Mapping[str, Any] = {
    "type": "object",
    "properties": {"skill_name": _NAME},
    "required": ["skill_name"],
    "additionalProperties": False,
}
READ_PARAMETERS: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "skill_name": _NAME,
        "resource_name": _NAME,
        # Without a type, as for args: models that fill in everything send null.
        "lines": {"description": "Such as 120-240."},
        "section": {"description": "A heading."},
    },
    "required": ["skill_name", "resource_name"],
    "additionalProperties": False,
}
RUN_PARAMETERS: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "skill_name": _NAME,
        "script_name": _NAME,
        "args": {"description": "The script's arguments, a list of strings."},
    },
    "required": ["skill_name", "script_name"],
    "additionalProperties": False,
}
"""All three stand in every request of every task that has skills: each word in them is paid for again and again. What a name
means is said by its tool's description."""
LOADS = "Loads a skill's instructions."
READS = "Reads a skill's resource, named exactly as listed; of a long text, a part."
RUNS = "Runs a skill's script, named exactly as listed."

_LOADING: frozenset[Effect] = frozenset({"loads"})
_RUNNING: frozenset[Effect] = frozenset({"runs"})


class SkillTools:
    """The actions over the skills of one task."""

    def __init__(
        self, skills: Sequence[SkillSpec], *, scratch: Callable[[], str], limits: ScriptLimits = DEFAULT_LIMITS
    ) -> None:
        self._skills = {skill.name: skill for skill in skills if skill.guide is not None}
        self._scratch = scratch
        self._limits = limits
        self._used: dict[str, Origin] = {}

    def actions(self) -> tuple[Action, ...]:
        """The actions to offer: one that no skill has anything for is left out."""
        if not self._skills:
            return ()
        made = [Action("load_skill", LOADS, LOAD_PARAMETERS, _never, _LOADING, HOUSE, narrow=self._load)]
        if self._any("resource"):
            made.append(
                Action("read_skill_resource", READS, READ_PARAMETERS, _never, _LOADING, HOUSE, narrow=self._read)
            )
        if self._any("script"):
            made.append(Action("run_skill_script", RUNS, RUN_PARAMETERS, _never, _RUNNING, HOUSE, narrow=self._run))
        return tuple(made)

    def origin_of(self, skill: SkillSpec) -> Origin:
        """Where the skill's actions come from, with the digest of its files; taken once, when the skill is first used."""
        origin = self._used.get(skill.name)
        if origin is None:
            folder = skill.guide.folder if skill.guide else ""
            origin = Origin("skill", skill.name, skill.source, skill.version, digest_of(folder))
            self._used[skill.name] = origin
        return origin

    def _any(self, kind: Kind) -> bool:
        """Whether some skill has a file of this kind."""
        for skill in self._skills.values():
            for file in skill.guide.files if skill.guide else ():
                if file.kind == kind:
                    return True
        return False

    def _find(self, name: str) -> SkillSpec | Miss:
        found = self._skills.get(name)
        if found is not None:
            return found
        asked = name.casefold()
        for skill in self._skills.values():
            if skill.name.casefold() == asked:
                return skill
        reason = f"Skill {name!r} not found.{there_is(name, self._skills)}"
        return Miss("skill.missing", reason, near(name, self._skills))

    def _find_file(self, skill: SkillSpec, name: str, kind: Kind) -> SkillFile | Miss:
        files = [file for file in (skill.guide.files if skill.guide else ()) if file.kind == kind]
        for file in files:
            if file.name == name:
                return file
        asked = name.removeprefix("./").casefold()
        for file in files:
            if file.name.casefold() == asked:
                return file
        names = [file.name for file in files]
        reason = f"{kind.capitalize()} {name!r} not found in skill {skill.name!r}.{there_is(name, names)}"
        return Miss(f"{kind}.missing", reason, near(name, names))

    def _load(self, arguments: Mapping[str, Any]) -> Narrowed | Miss:
        skill = self._find(arguments["skill_name"])
        if isinstance(skill, Miss):
            return skill

        async def body(_: Mapping[str, Any], __: Hands) -> Returned:
            return Returned(text=loaded_text(skill))

        return Narrowed(self._loading(skill, skill.name, body), {})

    def _read(self, arguments: Mapping[str, Any]) -> Narrowed | Miss:
        skill = self._find(arguments["skill_name"])
        if isinstance(skill, Miss):
            return skill
        file = self._find_file(skill, arguments["resource_name"], "resource")
        if isinstance(file, Miss):
            return file
        part = _part_of(arguments)
        if isinstance(part, Miss):
            return part

        async def body(_: Mapping[str, Any], hands: Hands) -> Returned:
            read = read_resource(file, skill.guide.folder if skill.guide else "")
            if isinstance(read, Miss):
                return Returned(text=read.reason, ok=False, code=read.code)
            return shown(Resource(file.name, read, **part), keep=hands.keep)

        return Narrowed(self._loading(skill, f"{skill.name}/{file.name}", body), part)

    def _loading(self, skill: SkillSpec, name: str, body: Body) -> Action:
        origin = self.origin_of(skill)
        return Action(
            name,
            "",
            {},
            body,
            _LOADING,
            origin,
            words=lambda _: f"the text of {name} may be shown to the model",
            subject=f"texts of skill {skill.id}@{origin.digest}",
        )

    def _run(self, arguments: Mapping[str, Any]) -> Narrowed | Miss:
        skill = self._find(arguments["skill_name"])
        if isinstance(skill, Miss):
            return skill
        file = self._find_file(skill, arguments["script_name"], "script")
        if isinstance(file, Miss):
            return file
        given = arguments_of(arguments.get("args"))
        if isinstance(given, Miss):
            return given
        return Narrowed(self.script(skill, file), {"args": given})

    def script(self, skill: SkillSpec, file: SkillFile, *, scratch: Callable[[], str] | None = None) -> Action:
        """The action that runs one script of a skill, in the task's scratch folder or in another."""
        made = script_action(file, skill=self.origin_of(skill), scratch=scratch or self._scratch, limits=self._limits)
        folder = skill.guide.folder if skill.guide else ""
        return replace(made, digest_now=lambda: digest_again(folder))


def _part_of(arguments: Mapping[str, Any]) -> dict[str, str] | Miss:
    """Which part of a resource is asked for; null and nothing ask for none, and one line may be a number."""
    part: dict[str, str] = {}
    for name in ("lines", "section"):
        asked = arguments.get(name)
        if asked is None or asked == "":
            continue
        if isinstance(asked, bool) or not isinstance(asked, str | int):
            return Miss("resource.part", f"{name} must be a string, {_SUCH[name]}.")
        part[name] = str(asked)
    return part


_SUCH = {"lines": 'such as "120-240"', "section": "the text of a heading"}


async def _never(_: Mapping[str, Any], __: Hands) -> Returned:
    """Stands where a body must be: an action that stands for many is narrowed before anything is carried out."""
    raise GateError("An action that stands for many was to be carried out.", hint="Report this.")
