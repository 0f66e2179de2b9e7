"""How is one script of a skill called?"""

import asyncio
import os
import shlex
import shutil
import stat
import tempfile
from collections.abc import Callable, Mapping
from typing import Any

from ...domain.action import Action, Hands, Miss, Origin, Returned, Settled
from ...domain.skill import SkillFile
from ...errors import ActionError
from .arguments import arguments_of
from .confinement import UNCONFINED
from .cut import cut
from .environment import KEY, without_compiled
from .interpreter import command_for, find_uv, python_with_packages
from .leftover import end_left
from .limits import DEFAULT_LIMITS, ScriptLimits
from .pep723 import Needs, needs_of
from .run import ScriptEnded, run_script

PARAMETERS: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "args": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Command-line arguments, one string each.",
        }
    },
    "additionalProperties": False,
}
"""What every script takes (case 038)."""

_PACKAGES = 8
"""So many packages are named to the person who is asked."""
_LONGEST_PACKAGE = 60

_CODES = {
    "exited": "script.exit",
    "timed_out": "script.timeout",
    "output_limit": "script.output",
    "signalled": "script.signal",
}


def script_action(
    file: SkillFile, *, skill: Origin, scratch: Callable[[], str], limits: ScriptLimits = DEFAULT_LIMITS
) -> Action:
    """The action that runs one script of a skill in the folder that `scratch` answers.

    A script that fails is an answer, not an error: the model reads how it ended.
    """

    async def body(arguments: Mapping[str, Any], hands: Hands) -> Returned:
        place = scratch()
        # Beside the scratch folder: should this process be killed, it is removed with it.
        try:
            outputs = tempfile.mkdtemp(prefix="metier-", dir=os.path.dirname(place))
        except OSError as error:
            return Returned(
                text=f"The folder {place!r} cannot be used: {error.strerror}.", ok=False, code="script.start"
            )
        try:
            command = await _command(file, arguments.get("args"), outputs)
            if isinstance(command, Miss):
                return Returned(text=command.reason, ok=False, code=command.code)
            unseen = without_compiled(_folder(file), place)
            env = {**unseen, KEY: hands.key}
            ended = await run_script(command, scratch=place, outputs=outputs, limits=limits, env=env)
            return _returned(ended, limits, hands)
        except ActionError as error:
            return Returned(text=str(error), ok=False, code="script.start")
        finally:
            shutil.rmtree(outputs, ignore_errors=True)

    return Action(
        name=f"{skill.name}/{file.name}",
        description=file.description or f"Runs the script {file.name} of the skill {skill.name}.",
        parameters=PARAMETERS,
        body=body,
        effects=frozenset({"runs"}),
        origin=skill,
        words=lambda arguments: _words(file, skill, arguments.get("args")),
        subject=f"scripts of skill {_id(skill)}@{skill.digest}",
        confinement=UNCONFINED,
        settle=_settle,
    )


async def _settle(_: Mapping[str, Any], key: str) -> Settled:
    """What a script did before its metier died is not known; but it must not go on doing it."""
    await asyncio.to_thread(end_left, key)
    return "unknown"


def _id(skill: Origin) -> str:
    return f"{skill.source}:{skill.name}" if skill.source else skill.name


def _words(file: SkillFile, skill: Origin, args: object) -> str:
    arguments = arguments_of(args)
    given = f"with {shlex.join(arguments)}" if isinstance(arguments, list) and arguments else "without arguments"
    return f"the script {file.name} of the skill {_id(skill)} may run {given}{_packages(file)}"


def _packages(file: SkillFile) -> str:
    """What a person is told of the packages that come with a yes; none of their words can break the sentence."""
    needs = needs_of(file.path) if _is_python(file.path) else Needs()
    if isinstance(needs, Miss) or not needs.dependencies:
        return ""
    named = [shlex.quote(" ".join(one.split())[:_LONGEST_PACKAGE]) for one in needs.dependencies]
    more = f" and {len(named) - _PACKAGES} more" if len(named) > _PACKAGES else ""
    return f", with packages that uv gets for it: {', '.join(named[:_PACKAGES])}{more}"


def _is_python(path: str) -> bool:
    return path.lower().endswith(".py")


def _whole(file: SkillFile) -> str:
    return os.path.abspath(file.path)


def _folder(file: SkillFile) -> str:
    """The skill's own folder."""
    path = _whole(file)
    return path.removesuffix(f"/{file.name}") if path.endswith(f"/{file.name}") else os.path.dirname(path)


async def _command(file: SkillFile, args: object, outputs: str) -> list[str] | Miss:
    """The whole command, or what stands against it. Only uv starts to find out, and only for a script that names packages."""
    arguments = arguments_of(args)
    if isinstance(arguments, Miss):
        return arguments
    if not _stands(file):
        return Miss("script.missing", f"The script {file.name!r} is no longer a plain file in its skill's folder.")
    command = await _started_by(_whole(file), outputs)
    return command if isinstance(command, Miss) else [*command, *arguments]


async def _started_by(path: str, outputs: str) -> list[str] | Miss:
    needs = needs_of(path) if _is_python(path) else Needs()
    if isinstance(needs, Miss):
        return needs
    if needs.nothing:
        return command_for(path)
    python = await python_with_packages(path, uv=find_uv(), outputs=outputs)
    return python if isinstance(python, Miss) else command_for(path, python=python)


def _stands(file: SkillFile) -> bool:
    """Whether the script is a regular file in its skill's folder, reached through no link inside it."""
    path = os.path.abspath(file.path)
    folder = _folder(file)
    inside = os.path.join(os.path.realpath(folder), os.path.relpath(path, folder))
    try:
        return os.path.realpath(path) == inside and stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def _returned(ended: ScriptEnded, limits: ScriptLimits, hands: Hands) -> Returned:
    outputs = {"stdout": ended.stdout, "stderr": ended.stderr}
    contents = {name: hands.keep_file(output.path) for name, output in outputs.items() if output.length}
    seen = cut(ended, limit=limits.shown, contents=contents)
    whole = {"stdout": seen.stdout, "stderr": seen.stderr or None}
    ok = ended.ended == "exited" and ended.exit == 0
    return Returned(
        value={"exit": ended.exit, **{name: text for name, text in whole.items() if text is not None}},
        text=seen.text,
        ok=ok,
        code="" if ok else _CODES[ended.ended],
        facts={
            "exit": ended.exit,
            "seconds": round(ended.seconds, 6),
            "left": ended.left,
            "confinement": UNCONFINED,
            **{name: {"digest": digest, "length": outputs[name].length} for name, digest in contents.items()},
        },
    )
