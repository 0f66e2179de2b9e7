"""What does the folder of a case say, and what does its adapter report?"""

import json
import os
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

HERE = Path(__file__).parent
KINDS = (
    "output", "script", "loop",
    "frontmatter", "encoding", "name", "case", "paths", "usage", "cancel", "record", "store", "approval", "concurrency",
    "context", "schema",
)  # fmt: skip
OUTCOMES = ("ok", "stop", "error", "warn", "deny")


@dataclass(frozen=True, slots=True)
class Case:
    """One case as its folder tells it."""

    id: str
    slug: str
    kind: str
    outcome: str
    values: Mapping[str, Any]
    folder: Path
    setup: Sequence[Mapping[str, str]] = ()
    """What no checkout keeps as it is, such as links and odd names: steps that make it."""
    sha256: Mapping[str, str] = field(default_factory=dict[str, str])
    """The digests of files whose bytes matter."""

    def skill(self, name: str) -> str:
        """The folder of a skill that the case brings."""
        return str(self.folder / "in" / name)

    def read(self, name: str) -> Any:
        """A file of the case, as JSON or TOML data."""
        text = (self.folder / "in" / name).read_text(encoding="utf-8")
        return tomllib.loads(text) if name.endswith(".toml") else json.loads(text)

    def laid_out(self, folder: Path) -> Path:
        """Lay the case's input out in a folder, as its setup says, and answer the folder."""
        shutil.copytree(self.folder / "in", folder / "in")
        for step in self.setup:
            _made(step, folder)
        return folder


def _made(step: Mapping[str, str], folder: Path) -> None:
    place = folder / step["to"]
    place.parent.mkdir(parents=True, exist_ok=True)
    match step["op"]:
        case "copy":
            shutil.copyfile(folder / step["from"], place)
        case "symlink":
            os.symlink(step["target"], place)
        case "mkdir":
            place.mkdir()
        case other:
            raise ValueError(f"a setup step {other!r} is not known")


@dataclass(frozen=True, slots=True)
class Happened:
    """What an adapter saw: the outcome in the words of the cases, every value that the case names, and further facts."""

    outcome: str
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Adapter(Protocol):
    """A module that turns the call of one case into ours."""

    @property
    def EXPECTED(self) -> Mapping[str, Any]:
        """The facts that the case's `expect` asks for, beside its outcome and values."""
        ...

    def happens(self, case: Case, folder: Path) -> Happened:
        """Make the call, in an empty folder, and tell what happened."""
        ...


def case_at(folder: Path) -> Case:
    """The case in a folder."""
    told = tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))
    return Case(
        told["id"],
        told["slug"],
        told["kind"],
        told["outcome"],
        told.get("values", {}),
        folder,
        told.get("setup", ()),
        told.get("sha256", {}),
    )


def cases_in(folder: Path) -> list[Case]:
    """Every case whose folder lies in a folder, in the order of their ids."""
    return [case_at(path.parent) for path in sorted(folder.glob("[0-9]*/case.toml"))]
