"""What is a task given, and does it fit?

The input is judged before anything is spent. Files are copied, so that nothing a job does can touch the person's own.
"""

import hashlib
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..actions.schema import check_for
from ..domain.exact import read_json
from ..domain.skill import Job
from ..domain.task import GivenFile
from ..errors import InputInvalid, TaskError
from .folders import Folders

CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Given:
    """A task's input and the files that come with it, with the path that each was taken from."""

    input: Any
    files: Mapping[str, str]


def take_in(job: Job, value: Any, files: Sequence[str]) -> Given:
    """The input with the names of the files filled in.

    A member of the input whose schema says `"format": "path"` takes a file, in the order of the schema.

    Raises:
        InputInvalid: a file is missing or given twice, a member is missing, or the input does not fit what is taken.
    """
    named = _named(files)
    if job.takes is None:
        if value is not None and not isinstance(value, str):
            raise InputInvalid("This skill takes text, and was given something else.", hint="Give a text.")
        return Given(_with_names(value, named), named)
    value = {} if value is None else _as_taken(job.takes, value)
    if isinstance(value, dict):
        value = _fill(job.takes, dict(value), list(named))
    if faults := check_for(job.takes)(value):
        raise InputInvalid(f"The input does not fit: {'; '.join(faults)}.", hint=_how(job.takes))
    return Given(value, named)


def _as_taken(schema: Mapping[str, Any], value: Any) -> Any:
    """A text read as JSON, where the schema takes no such text."""
    if not isinstance(value, str) or not check_for(schema)(value):
        return value
    try:
        return read_json(value)
    except ValueError as error:
        if value.lstrip().startswith(("{", "[")):
            raise InputInvalid(
                f"The input looks like JSON and is none: {error}.", hint="Mend it, or give a file that holds it."
            ) from None
        return value


def _named(files: Sequence[str]) -> dict[str, str]:
    named: dict[str, str] = {}
    for file in files:
        path = os.path.abspath(file)
        if not os.path.isfile(path):
            raise InputInvalid(f"There is no file {file!r}.", hint="Check its name and the folder you are in.")
        name = os.path.basename(path)
        if name in named:
            raise InputInvalid(f"Two files are called {name!r}.", hint="Rename one of them.")
        named[name] = path
    return named


def _with_names(value: str | None, named: Mapping[str, str]) -> str | None:
    if not named:
        return value
    listed = f"Files in the scripts' folder: {', '.join(named)}"
    return f"{value}\n\n{listed}" if value else listed


def path_members(schema: Mapping[str, Any]) -> list[str]:
    """The members of an input that take a file, in the schema's order."""
    members = schema.get("properties") or {}
    return [name for name, one in members.items() if isinstance(one, dict) and one.get("format") == "path"]


def _fill(schema: Mapping[str, Any], value: dict[str, Any], names: list[str]) -> dict[str, Any]:
    for member in path_members(schema):
        if member in value:
            if value[member] not in names:
                raise InputInvalid(
                    f"The input names the file {value[member]!r}, which was not given.",
                    hint=f"Give it with --file {value[member]}.",
                )
        elif names:
            value[member] = names.pop(0)
    return value


def _how(schema: Mapping[str, Any]) -> str:
    members = path_members(schema)
    return (
        f"Give {members[0]} with --file PATH." if members else "`metier show` with the skill's name shows its schema."
    )


def copy_in(given: Given, folder: str) -> list[GivenFile]:
    """Copy the given files into a folder, and say what each of them is."""
    copied = []
    for name, path in given.files.items():
        target = os.path.join(folder, name)
        try:
            shutil.copyfile(path, target)
        except OSError as error:
            raise InputInvalid(f"{path} cannot be read: {error.strerror}.", hint="Mend its permissions.") from error
        os.chmod(target, 0o400)
        copied.append(GivenFile(name, file_digest(target), os.path.getsize(target)))
    return copied


def lay_out(files: Sequence[GivenFile], source: str, folder: str) -> None:
    """Put fresh copies of the given files into a folder.

    Raises:
        TaskError: a kept copy is no longer what was given.
    """
    for file in files:
        kept, target = os.path.join(source, file.name), os.path.join(folder, file.name)
        shutil.copyfile(kept, target)
        if file_digest(target) != file.digest:
            raise TaskError(
                f"The kept copy of {file.name!r} was changed while the task ran.", hint="Give the task again."
            )


def put_back(files: Sequence[GivenFile], folders: Folders, content_path: Callable[[str], str]) -> None:
    """Make the task's folders whole again for another run: what is still there stays as its scripts left it."""
    if not files:
        return
    for file in files:
        kept = os.path.join(folders.given, file.name)
        if not os.path.isfile(kept) or file_digest(kept) != file.digest:
            shutil.copyfile(content_path(file.digest), kept)
            os.chmod(kept, 0o400)
        target = os.path.join(folders.scratch, file.name)
        if not os.path.lexists(target):
            shutil.copyfile(kept, target)


def file_digest(path: str) -> str:
    """The SHA-256 of a file, read in parts."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
