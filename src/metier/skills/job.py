"""How is a typed job written down in Python?

class EstimateRepair(Skill[Repair, Estimate]):
    \"\"\"Estimate one repair.\"\"\"

    instructions = "Look up the parts first."
    tools = [Actions.of(parts_for), Actions.of(note_repair)]

    def check(self, result: Estimate) -> str | None:
        return "An estimate takes some time." if result.hours <= 0 else None
"""

from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_args, get_origin

from ..domain.bounds import StopWhen
from ..domain.needs import ModelNeeds
from ..domain.permits import Permits
from ..domain.retry import Retry
from ..errors import SkillInvalid
from .hand_on import ById

if TYPE_CHECKING:
    from ..actions.info import Tool
    from ..domain.money import Dollars

In = TypeVar("In")
Out = TypeVar("Out")


class Skill(Generic[In, Out]):
    """A job that an agent can be given: what it takes, what it hands back, and how (O1-O20).

    Every member has a default; a skill need only say what it changes. Each may be an attribute or a property.

    `In` and `Out` are a dataclass, a pydantic model, a TypedDict, an annotated class, or `str`: text in, or words out. Either
    may be a stored row as well; it travels by its id.
    """

    description: str = ""
    """What the job is; the model is told, and a catalogue shows it. The class's first line of documentation if empty."""
    label: str = ""
    """Its name as people read it; the class name in words if empty (O16)."""
    instructions: str = ""
    """How to do it; the model is told."""
    tools: "Sequence[Tool]" = ()
    """The app's actions that it may use, each named with `Actions.of`; no others (O6, O45)."""
    budget: "Dollars | None" = None
    """The most dollars that one task may cost, in the place of the app's limit."""
    needs: ModelNeeds = ModelNeeds()
    """What the app's model router decides from."""
    stop: StopWhen = StopWhen()
    """When it stops."""
    version: str = ""
    """Written on every receipt; "1" and a short hash of all that is declared if empty (O14)."""

    may: Permits | None = None
    """What this work may do; it narrows what its agent may, and never widens it (O17)."""
    retry: Retry = Retry()
    """How often work that failed is tried again (O20)."""
    handed_schema: "Mapping[str, Any] | ById | None" = None
    """What a form or another agent hands it: a JSON Schema, or `HandOn.by_id(…)` for a stored row; what it takes if none."""

    @property
    def name(self) -> str:
        """The name of its class (O15)."""
        return type(self).__name__

    def handed(self, given: Any) -> In:
        """What it takes, made of what it was handed as JSON data by `handed_schema`."""
        del given
        raise NotImplementedError  # not called: `spec_of` sees that it is not overridden

    def version_of(self, given: In) -> str:
        """What the world of an input is just now, as a token: a yes holds only as long as it is the same (O18, O83)."""
        del given
        raise NotImplementedError  # as above

    def names(self, given: In, action: str, arguments: Mapping[str, Any]) -> str:
        """The rows that a call touches, in plain words, for the person who is asked (O19)."""
        del given, action, arguments
        raise NotImplementedError  # as above

    def brief(self, given: In) -> str:
        """What the model is shown of the input: its JSON, or the text itself."""
        del given
        raise NotImplementedError  # not called: `spec_of` sees that it is not overridden

    def check(self, result: Out) -> str | Awaitable[str | None] | None:
        """None when a result fits; otherwise the reason, which the model is told word for word (O8, O25)."""
        del result
        return None


def types_of(skill: type[Skill[Any, Any]]) -> tuple[Any, Any]:
    """What a skill takes and what it hands back.

    Raises:
        SkillInvalid: the class does not say.
    """
    for base in skill.__mro__:
        for parent in getattr(base, "__orig_bases__", ()):
            args = get_args(parent)
            if get_origin(parent) is Skill and not any(isinstance(arg, TypeVar) for arg in args):
                return args[0], args[1]
    raise SkillInvalid(
        f"{skill.__qualname__} does not say what it takes and hands back.",
        hint=f"Write class {skill.__name__}(Skill[Input, Result]).",
    )
