"""How is a result handed back and judged?

The schema is the action's own, so it is judged on the way in. The check is a call inside this one (O21-O26).
"""

from collections.abc import Callable, Mapping
from typing import Any

from ..domain.action import HOUSE, Action, Hands, Returned
from ..domain.call import HAND_BACK
from .checks import Judge

DESCRIPTION = "Hand back the result and finish the job. A result that does not fit comes back with the reason."


def hand_back_action(schema: Mapping[str, Any], *, judge: Judge | None, fits: Callable[[Any], None]) -> Action:
    """The action that finishes a job.

    Args:
        schema: JSON Schema of the result, an object.
        judge: judges a result that fits the schema; none accepts all that do.
        fits: is told each result that fits the schema.
    """

    async def body(arguments: Mapping[str, Any], hands: Hands) -> Returned:
        fits(arguments)
        if judge is not None:
            verdict = await judge(arguments, hands)
            if verdict.ended is not None:
                # The model is told no more than this: what broke is not its business (O36).
                return Returned(
                    text="The result could not be judged.", ok=False, code="check.stopped", ended=verdict.ended
                )
            if verdict.reason is not None:
                return Returned(text=verdict.reason, ok=False, code="check.not_accepted")
        return Returned(text="Accepted.")

    return Action(HAND_BACK, DESCRIPTION, schema, body, effects=frozenset(), origin=HOUSE)
