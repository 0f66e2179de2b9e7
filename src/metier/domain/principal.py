"""Who acts, and by whose rights?

A principal is a person or an agent: an account with rights. Who is signed in, and by whose rights the work that runs now may
read and act, are variables of the context: threads and tasks that begin inside see them too.
"""

from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Principal:
    """A person or an agent, as the record names it and as the app knows it."""

    id: str
    """What names it on the record: an e-mail address or a name."""
    name: str = ""
    """As people read it."""
    who: object = None
    """What the app knows it as: a stored row, any value with an `email`, or the name itself."""

    def __str__(self) -> str:
        return self.name or self.id


@dataclass(frozen=True, slots=True)
class Rights:
    """By whose rights the work that runs now is done (O73)."""

    acts: Principal
    """Changes are made by this one's rights."""
    reads: tuple[Principal, ...]
    """What is read must be readable by every one of these: the agent, and the person for whom it works."""


SIGNED_IN: ContextVar[Principal | None] = ContextVar("metier_signed_in", default=None)
"""Who is signed in here; none: nobody, as in the app's own set-up (O120, O125)."""

RIGHTS: ContextVar[Rights | None] = ContextVar("metier_rights", default=None)
"""By whose rights the work runs that runs now; none: by the app's own."""


def principal_of(who: object) -> Principal:
    """The principal that a value of the app stands for: one already, a name, or whatever has an `email` or a `name`.

    Raises:
        TypeError: the value says no name.
    """
    if isinstance(who, Principal):
        return who
    if isinstance(who, str):
        found = who
    else:
        found = getattr(who, "email", None) or getattr(who, "name", None) or ""
    if not isinstance(found, str) or not found.strip():
        raise TypeError(f"{who!r} is nobody: a person has an `email` or a `name`, or is a text")
    shown = getattr(who, "display_name", None) or getattr(who, "name", None) or ""
    return Principal(found, shown if isinstance(shown, str) else "", who)
