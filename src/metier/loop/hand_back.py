"""How is a result handed back and judged?

The schema is the action's own, so it is judged on the way in, and what the schema cannot say right after it. The check is
a call inside this one (O21-O26).
"""

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..domain.action import HOUSE, Action, Body, Hands, Miss, Narrowed, Returned
from ..domain.call import HAND_BACK
from ..domain.task import Ended, RunEnd
from .checks import Judge

DESCRIPTION = "Hand back the result and finish the job. A result that does not fit comes back with the reason."

Reasons = Callable[[Any], Sequence[str]]
"""Answers why a result that fits the schema is none all the same, such as a day that no month has; nothing if it is one."""


def hand_back_action(
    schema: Mapping[str, Any], *, judge: Judge | None, fits: Callable[[Any], None], misfit: Reasons | None = None
) -> Action:
    """The action that finishes a job.

    Args:
        schema: JSON Schema of the result, an object.
        judge: judges a result that fits; none accepts all that do.
        fits: is told each result that fits the schema, and has no reasons against it.
        misfit: finds the reasons that the schema cannot. If it breaks, the task ends: that is the app's fault (O36).
    """

    async def body(arguments: Mapping[str, Any], hands: Hands) -> Returned:
        fits(arguments)
        if judge is not None:
            verdict = await judge(arguments, hands)
            if verdict.ended is not None:
                return _not_judged(verdict.ended)
            if verdict.reason is not None:
                return Returned(text=verdict.reason, ok=False, code="check.not_accepted")
        return Returned(text="Accepted.")

    made = Action(HAND_BACK, DESCRIPTION, schema, body, effects=frozenset(), origin=HOUSE)
    return made if misfit is None else replace(made, narrow=_narrow(made, misfit))


def _narrow(made: Action, misfit: Reasons) -> Callable[[Mapping[str, Any]], Narrowed | Miss]:
    """Judges a result before its call begins, so that none with a reason against it is ever the best that the job had."""

    def narrow(arguments: Mapping[str, Any]) -> Narrowed | Miss:
        try:
            reasons = misfit(arguments)
        except Exception as error:  # noqa: BLE001 - the app's own code, such as a validator; it may raise what it likes
            told = "".join(traceback.format_exception_only(error)).strip()
            ended = Ended("Failed", "fault", f"the result could not be read: {told[:500]}")
            return Narrowed(replace(made, body=_ending(ended)), arguments)
        return Miss("arguments.schema", "; ".join(reasons)) if reasons else Narrowed(made, arguments)

    return narrow


def _ending(ended: Ended) -> Body:
    async def body(_: Mapping[str, Any], __: Hands) -> Returned:
        return _not_judged(ended)

    return body


def _not_judged(ended: RunEnd) -> Returned:
    # The model is told no more than this: what broke is not its business (O36).
    return Returned(text="The result could not be judged.", ok=False, code="check.stopped", ended=ended)
