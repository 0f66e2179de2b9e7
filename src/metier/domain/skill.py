"""What is a skill, once it has been read?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .action import Action
from .bounds import StopWhen
from .money import Dollars
from .needs import ModelNeeds
from .permits import Permits
from .problem import Problem
from .retry import Retry

Kind = Literal["resource", "script"]


@dataclass(frozen=True, slots=True)
class SkillFile:
    """One file of a skill folder beside `SKILL.md`: its name as listed, and whether it is read or run."""

    name: str
    """Relative to the skill's folder, with forward slashes. Names are looked up, never made into paths."""
    path: str
    """Where it lies on this machine."""
    kind: Kind
    size: int
    """Bytes."""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """The head of a `SKILL.md` (specification, section 1.2)."""

    name: str
    description: str
    license: str | None = None
    compatibility: str | None = None
    allowed_tools: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    other: Mapping[str, Any] = field(default_factory=dict)
    """Top-level keys that the specification does not know, as they were written. They grant nothing."""


@dataclass(frozen=True, slots=True)
class Guide:
    """The face *knows*: instructions, resources and scripts, loaded only when needed."""

    folder: str
    frontmatter: Frontmatter
    files: tuple[SkillFile, ...] = ()

    @property
    def resources(self) -> tuple[SkillFile, ...]:
        """The files that can be read, in the order of their names."""
        return tuple(file for file in self.files if file.kind == "resource")

    @property
    def scripts(self) -> tuple[SkillFile, ...]:
        """The files that are offered to run, in the order of their names."""
        return tuple(file for file in self.files if file.kind == "script")


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """The face *promises*: an input, a result held to a schema and to a check, tools, bounds (O1-O14)."""

    takes: Mapping[str, Any] | None = None
    """JSON Schema of the input; none: text."""
    hands_back: Mapping[str, Any] | None = None
    """JSON Schema of the result; none: the model's last words are the result (O22)."""
    instructions: str = ""
    check: str | Action | None = None
    """A script of the skill by its listed name, or an action given `{"result": …, "input": …}` that answers none or a
    reason (O8)."""
    tools: Sequence[Action] = ()
    budget: Dollars | None = None
    brief: Callable[[Any], str] | None = None
    """What the model is shown of the input; none: the input itself (O7)."""
    needs: ModelNeeds = ModelNeeds()
    """What its model must be able to do, where the app lists several (O10)."""
    stop: StopWhen = StopWhen()
    misfit: Callable[[Any], Sequence[str]] | None = None
    """The reasons why a result that fits the schema is none all the same, such as the days of a date."""
    may: Permits | None = None
    """What this work may do; it narrows what its agent may, and never widens it (O17)."""
    version_of: Callable[[Any], str] | None = None
    """What the world of an input is just now, as a token that a yes is bound to (O18)."""
    names: Callable[[Any, str, Mapping[str, Any]], str] | None = None
    """The rows that a call touches, in plain words, from the input, the action's name and the arguments (O19)."""
    retry: Retry = Retry()
    """How often work that failed is tried again (O20)."""
    handed: Mapping[str, Any] | None = None
    """JSON Schema of what it is handed by a form or another agent; none: what it takes, or text (O76, O104)."""
    take_handed: Callable[[Any], Any] | None = None
    """Makes the input's JSON of what was handed; none: it is that already."""
    not_handed: str = ""
    """Why it cannot be handed from JSON; empty: it can (O108)."""


@dataclass(frozen=True, slots=True, eq=False)
class SkillSpec:
    """A named, versioned ability with up to three faces. Its identity is (source, name, digest)."""

    name: str
    description: str
    source: str = ""
    """The label of the source that it was found in."""
    version: str = ""
    guide: Guide | None = None
    job: Job | None = None
    problems: tuple[Problem, ...] = ()
    label: str = ""
    """Its name as people read it; the name itself if empty (O16)."""

    @property
    def id(self) -> str:
        """`source:name`, which always names this one skill; the bare name where it has no source."""
        return f"{self.source}:{self.name}" if self.source else self.name
