"""Which job does a skill folder's `skill.toml` declare?

A restriction that cannot be read means no run: every fault here is an error, and the skill is not loaded.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal, InvalidOperation
from typing import Any

from ..domain.action import Miss
from ..domain.bounds import StopWhen
from ..domain.problem import Problem
from ..domain.skill import Job
from .files import list_files
from .inside import read_inside
from .skill_toml import FILE, WORDS, Toml, read_toml

_TOP = frozenset({"version", "job"})
_JOB = frozenset({"takes", "hands_back", "check", "instructions", "budget", "stop"})
_STOP = frozenset(one.name for one in fields(StopWhen))
LARGEST_SCHEMA = 1024 * 1024
"""Bytes of a schema's file."""


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """What a `skill.toml` declares. With problems it declares nothing that may be used."""

    job: Job | None = None
    version: str = ""
    problems: tuple[Problem, ...] = ()


def read_declared(folder: str, *, file: str = FILE) -> Declared:
    """Read a folder's `skill.toml`; no content of it raises. `file` is its name in problems.

    A file without a table `[job]` declares no job.
    """
    toml = read_toml(folder, file=file)
    if isinstance(toml, Problem):
        return Declared(problems=(toml,))
    reading = _Reading(folder, toml)
    version = reading.text("version", toml.tables)
    reading.known(toml.tables, _TOP)
    job = reading.job() if "job" in toml.tables else None
    if reading.problems:
        return Declared(problems=tuple(reading.problems))
    return Declared(job, version)


@dataclass(slots=True)
class _Reading:
    folder: str
    toml: Toml
    problems: list[Problem] = field(default_factory=list[Problem])

    def fault(self, code: str, key: str, cause: str, cure: str = "", *, table: str = "") -> None:
        self.problems.append(Problem(code, self.toml.file, cause, self.toml.line(key, table=table), cure))

    def known(self, table: Mapping[str, Any], names: Iterable[str], *, path: str = "") -> None:
        for key in table:
            if key not in names:
                cure = f"the keys here are {', '.join(sorted(names))}"
                self.fault("declared.key", key, f"{key!r} is no key of {path or 'the file'}", cure, table=path)

    def text(self, key: str, table: Mapping[str, Any], *, path: str = "") -> str:
        value = table.get(key, "")
        if isinstance(value, str):
            return value
        self.fault("declared.key", key, f"{key} must be text", "quote it", table=path)
        return ""

    def job(self) -> Job:
        if not isinstance(self.toml.tables["job"], dict):
            self.fault("declared.key", "job", "job must be a table", "write [job]")
            return Job()
        job = self.toml.job
        self.known(job, _JOB, path="job")
        return Job(
            takes=self.schema("takes"),
            hands_back=self.schema("hands_back"),
            instructions=self.text("instructions", job, path="job"),
            check=self.check(),
            budget=self.budget(),
            stop=self.stop(),
        )

    def schema(self, key: str) -> Mapping[str, Any] | None:
        name = self.toml.job.get(key, WORDS)
        if name == WORDS:
            return None
        if not isinstance(name, str):
            self.fault(
                "declared.schema", key, f'{key} must be "{WORDS}" or the name of a JSON Schema file', table="job"
            )
            return None
        data = read_inside(self.folder, name, most=LARGEST_SCHEMA)
        cause = data.reason if isinstance(data, Miss) else _no_schema(data)
        if isinstance(data, Miss) or cause:
            self.fault("declared.schema", key, f"{key}: {cause}", table="job")
            return None
        schema: Mapping[str, Any] = json.loads(data)
        return schema

    def check(self) -> str | None:
        name = self.toml.job.get("check")
        if name is None:
            return None
        listed = list_files(self.folder, leave_out=self.toml.schema_names).files
        scripts = [file.name for file in listed if file.kind == "script"]
        if isinstance(name, str) and name in scripts:
            return name
        cure = f"the scripts are {', '.join(scripts)}" if scripts else "the folder has no scripts"
        self.fault("declared.check", "check", f"{name!r} is no script of this skill", cure, table="job")
        return None

    def budget(self) -> Decimal | None:
        value = self.toml.job.get("budget")
        if value is None:
            return None
        try:
            amount = Decimal(value) if isinstance(value, str | int | Decimal) and value is not True else Decimal("NaN")
        except InvalidOperation:
            amount = Decimal("NaN")
        if amount.is_finite() and amount >= 0 and not isinstance(value, bool):
            return amount
        cause = f"{value!s} is no amount in dollars"
        self.fault("declared.budget", "budget", cause, 'write it as "0.50"', table="job")
        return None

    def stop(self) -> StopWhen:
        table = self.toml.job.get("stop", {})
        if not isinstance(table, dict):
            self.fault("declared.stop", "stop", "stop must be a table", "write [job.stop]", table="job")
            return StopWhen()
        self.known(table, _STOP, path="job.stop")
        limits = {key: value for key, value in table.items() if key in _STOP}
        seconds = limits.get("max_seconds", 1)
        if isinstance(seconds, int | Decimal) and not isinstance(seconds, bool) and Decimal(seconds).is_finite():
            if "max_seconds" in limits:
                limits["max_seconds"] = float(seconds)
            try:
                return StopWhen(**limits)
            except ValueError as error:
                cause = str(error)
        else:
            cause = f"max_seconds must be a number of seconds, not {seconds!r}"
        self.fault("declared.stop", cause.partition(" ")[0], cause, table="job.stop")
        return StopWhen()


def _no_schema(data: bytes) -> str:
    """Why some bytes are no JSON Schema that a result can be held to; empty when they are one."""
    import jsonschema_rs  # noqa: PLC0415 - a megabyte of code that only a declared schema needs

    try:
        schema = json.loads(data)
    except (ValueError, RecursionError) as error:
        return f"the file is no JSON: {error}"
    if not isinstance(schema, dict):
        return "the schema must be a JSON object"
    try:
        jsonschema_rs.validator_for(schema, offline=True)
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        return f"this is no JSON Schema: {str(error).partition(chr(10))[0]}"
    return ""
