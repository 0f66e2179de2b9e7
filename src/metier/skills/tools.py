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
from ..domain.action import HOUSE, Action, Hands, Miss, Narrowed, Origin, Returned
from ..domain.near import near, there_is
from ..domain.skill import Kind, SkillFile, SkillSpec
from ..errors import GateError
from .digest import digest_again, digest_of
from .files import read_resource
from .loaded import loaded_text
from .resources import Resource, shown

_NAME = {"type": "string", "minLength": 1}
_PART = {"type": ["string", "null"], "default": None}
LOAD_PARAMETERS: Mapping[str, Any] = {
    "type": "object",
    "properties": {"skill_name": {**_NAME, "description": "The name of the skill to load."}},
    "required": ["skill_name"],
    "additionalProperties": False,
}
READ_PARAMETERS: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "skill_name": {**_NAME, "description": "The name of the skill."},
        "resource_name": {**_NAME, "description": "The resource's name, exactly as listed."},
        "lines": {**_PART, "description": 'Of a long text: only these lines, such as "120-240".'},
        "section": {**_PART, "description": "Of a long Markdown text: only the section below this heading."},
    },
    "required": ["skill_name", "resource_name"],
    "additionalProperties": False,
}
RUN_PARAMETERS: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "skill_name": {**_NAME, "description": "The name of the skill."},
        "script_name": {**_NAME, "description": "The script's name, exactly as listed, with its folder."},
        "args": {"description": "The script's arguments, a list of strings.", "default": None},
    },
    "required": ["skill_name", "script_name"],
    "additionalProperties": False,
}


class SkillTools:
    """The actions over the skills of one task."""

    def __init__(
        self, skills: Sequence[SkillSpec], *, scratch: Callable[[], str], limits: ScriptLimits = DEFAULT_LIMITS
    ) -> None:
        self._skills = {skill.name: skill for skill in skills if skill.guide is not None}
        self._by_case = {name.casefold(): name for name in self._skills}
        self._scratch = scratch
        self._limits = limits
        self._used: dict[str, Origin] = {}

    def actions(self) -> tuple[Action, ...]:
        """The actions to offer: one that no skill has anything for is left out."""
        if not self._skills:
            return ()
        made = [
            self._tool("load_skill", "Loads the full instructions for a specific skill.", LOAD_PARAMETERS, self._load)
        ]
        guides = [skill.guide for skill in self._skills.values() if skill.guide is not None]
        if any(guide.resources for guide in guides):
            told = "Reads a resource associated with a skill, such as references, assets, or dynamic data."
            made.append(self._tool("read_skill_resource", told, READ_PARAMETERS, self._read))
        if any(guide.scripts for guide in guides):
            told = "Runs a script associated with a skill."
            made.append(self._tool("run_skill_script", told, RUN_PARAMETERS, self._run))
        return tuple(made)

    def origin_of(self, skill: SkillSpec) -> Origin:
        """Where the skill's actions come from, with the digest of its files; taken once, when the skill is first used."""
        origin = self._used.get(skill.name)
        if origin is None:
            folder = skill.guide.folder if skill.guide else ""
            origin = Origin("skill", skill.name, skill.source, skill.version, digest_of(folder))
            self._used[skill.name] = origin
        return origin

    @staticmethod
    def _tool(
        name: str, told: str, parameters: Mapping[str, Any], narrow: Callable[[Mapping[str, Any]], Any]
    ) -> Action:
        effects = frozenset({"runs" if name == "run_skill_script" else "loads"})
        return Action(name, told, parameters, _never, effects, HOUSE, narrow=narrow)  # type: ignore[arg-type]  # a set of literals

    def _find(self, name: str) -> SkillSpec | Miss:
        skill = self._skills.get(name) or self._skills.get(self._by_case.get(name.casefold(), ""))
        if skill is not None:
            return skill
        return Miss(
            "skill.missing", f"Skill {name!r} not found.{there_is(name, self._skills)}", near(name, self._skills)
        )

    def _find_file(self, skill: SkillSpec, name: str, kind: Kind) -> SkillFile | Miss:
        files = skill.guide.files if skill.guide else ()
        names = [file.name for file in files if file.kind == kind]
        asked = name.removeprefix("./").casefold()
        for file in files:
            if file.kind == kind and file.name.casefold() == asked:
                return file
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
        part: dict[str, str] = {name: arguments[name] for name in ("lines", "section") if arguments.get(name)}

        async def body(_: Mapping[str, Any], hands: Hands) -> Returned:
            read = read_resource(file, skill.guide.folder if skill.guide else "")
            if isinstance(read, Miss):
                return Returned(text=read.reason, ok=False, code=read.code)
            return shown(Resource(file.name, read, **part), keep=hands.keep)

        return Narrowed(self._loading(skill, f"{skill.name}/{file.name}", body), part)

    def _loading(self, skill: SkillSpec, name: str, body: Any) -> Action:
        return Action(
            name,
            "",
            {},
            body,
            frozenset({"loads"}),
            self.origin_of(skill),
            words=lambda _: f"the text of {name} may be shown to the model",
            subject=f"texts of skill {skill.id}@{self.origin_of(skill).digest}",
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


async def _never(_: Mapping[str, Any], __: Hands) -> Returned:
    """Stands where a body must be: an action that stands for many is narrowed before anything is carried out."""
    raise GateError("An action that stands for many was to be carried out.", hint="Report this.")
