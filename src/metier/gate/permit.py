"""What must be held to carry out a call, and what carries it out?

Only the gate makes a `Permit`, and `carry_out` is the only function in the house that runs an action's body; a test in
`tests/rules` holds both.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..domain.action import Action, Hands, Returned
from ..domain.call import Call


@dataclass(frozen=True, slots=True, eq=False)
class Permit:
    """The gate's word that one stored call may be carried out, once."""

    call: Call
    action: Action
    arguments: Mapping[str, Any]
    ground: str
    """`free`, `alone`, or `approved:` with the proposal's id."""
    rule: str = ""
    """The rule of the permits that decided (case 107)."""


async def carry_out(permit: Permit, hands: Hands) -> Returned:
    """Run the body of the permitted call."""
    answer = await permit.action.body(permit.arguments, hands)
    return answer if isinstance(answer, Returned) else Returned(answer)
