"""What can be called, and what does calling it touch?"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from .call import Answered
from .task import Ended, Waits

if TYPE_CHECKING:
    # Declaring an action must not cost the import of messages and money.
    from .message import Picture

Effect = Literal["reads", "loads", "changes", "sends", "runs", "acts"]
"""What a call touches: it reads, loads outside text into the context, changes, sends, runs code that is not the app's,
or acts on an environment (design, section 3)."""

EFFECTS: tuple[Effect, ...] = ("reads", "loads", "changes", "sends", "runs", "acts")
UNDECLARED: frozenset[Effect] = frozenset({"changes", "sends"})
"""What an action that declares nothing is taken to do (O42)."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an action comes from; it decides what the action may do."""

    kind: Literal["house", "app", "skill"]
    name: str = ""
    source: str = ""
    version: str = ""
    digest: str = ""
    """The digest of the skill's files, empty for what is not a skill's."""


HOUSE = Origin("house")
APP = Origin("app")


@dataclass(frozen=True, slots=True)
class Returned:
    """What an action's body answered.

    A body may answer any JSON value instead, which is taken as `Returned(value)`.
    """

    value: Any = None
    """The answer as JSON data."""
    text: str | None = None
    """What the model is shown, if not the value's own text."""
    ok: bool = True
    code: str = ""
    """What kind of failure it was (`script.exit`, `action.raised`, …), empty when it is ok."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Small things for the record's entry: exit code, seconds, the confinement really used, digests of contents."""
    ended: Ended | Waits | None = None
    """Set when this answer ends the whole run."""
    pictures: "Sequence[Picture]" = ()
    """What a model that sees is shown beside the text. Each is kept as a content first: the entry holds its digest."""


class Hands(Protocol):
    """What a body is given beside its arguments: the call it serves, and the way to make calls of its own."""

    @property
    def call_id(self) -> str: ...

    @property
    def key(self) -> str:
        """`task:call`: the same at every try, for a service that takes an idempotency key."""
        ...

    async def call(self, action: "Action", arguments: Mapping[str, Any]) -> Answered:
        """Make a call inside this one, through the same path."""
        ...

    def keep(self, data: bytes) -> str:
        """Keep data whole as a content beside the record and answer its digest."""
        ...

    def keep_file(self, path: str) -> str:
        """Keep a file whole as a content beside the record, without reading it into memory, and answer its digest."""
        ...


Body = Callable[[Mapping[str, Any], Hands], Awaitable[Any]]

Settled = Returned | Literal["never_ran", "unknown"]
"""What became of a call whose end was lost: its answer, that it never took effect, or that this cannot be told."""

Settle = Callable[[Mapping[str, Any], str], Awaitable[Settled]]
"""Asks the world what became of a call, by its arguments and the key `task:call` that its body was given."""


@dataclass(frozen=True, slots=True)
class Miss:
    """The arguments name something that is not there. `near` holds the names that are, the likeliest first."""

    code: str
    reason: str
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """One callable: name, schema, effects, origin. Functions, scripts, resources and `hand_back` are all actions.

    Requirements: O38-O50.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON Schema of the arguments, an object."""
    body: Body
    effects: frozenset[Effect] = UNDECLARED
    origin: Origin = APP
    polls: bool = False
    """Whether it is meant to be called again and again with the same arguments (case 074)."""
    narrow: Callable[[Mapping[str, Any]], "Narrowed | Miss"] | None = None
    """For an action that stands for many (`run_skill_script`): which one do these arguments name?"""
    words: Callable[[Mapping[str, Any]], str] | None = None
    """The call in plain words, for the person who is asked; it follows "whether"."""
    subject: str = ""
    """What a yes may cover beyond one call, such as the scripts of one skill with its digest; empty: nothing."""
    kept: bool = False
    """Whether a yes to the subject is kept for later tasks."""
    confinement: str = ""
    """Under what confinement it runs, in plain words; empty for what runs no code of others."""
    settle: Settle | None = None
    """Is asked what became of a call that had begun when its process died; without it a person is asked."""
    digest_now: Callable[[], str] | None = None
    """Takes the digest of the skill's files anew; it must still be the origin's when the call is carried out."""


@dataclass(frozen=True, slots=True, eq=False)
class Narrowed:
    """The action that a call's arguments really name, with the arguments that are left for it."""

    action: Action
    arguments: Mapping[str, Any]
