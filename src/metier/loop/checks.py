"""Who judges a result, and what do they say?

A skill's own script runs in a scratch folder of its own, with fresh copies of the files that the task was given, so that
nothing the job did can reach what the check reads. It is called with `--input input.json --result result.json` and
prints `{"accepted": true}`, or `{"accepted": false, "reason": "…"}`, and exits 0. Anything else is the check's own fault.
"""

import json
import os
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from ..domain.action import Action, Hands
from ..domain.call import Answered
from ..domain.compact import compact
from ..domain.task import Ended, RunEnd
from ..errors import MetierError

ARGUMENTS = ("--input", "input.json", "--result", "result.json")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check said of a result: nothing, a reason, or that the task ends because the check could not judge."""

    reason: str | None = None
    ended: RunEnd | None = None


Judge = Callable[[Any, Hands], Awaitable[Verdict]]
"""Judges one result, by calls inside the call that handed it back."""


def judge_by_action(check: Action, given: Any) -> Judge:
    """A judge that calls an action with the result and the input; it answers none, or the reason (O8)."""

    async def judge(result: Any, hands: Hands) -> Verdict:
        answered = await hands.call(check, {"result": result, "input": given})
        if not answered.ok:
            return _could_not(answered)
        return Verdict(None if answered.value is None else str(answered.value))

    return judge


def judge_by_script(
    script_in: Callable[[str], Action],
    given: Any,
    *,
    lay_out: Callable[[str], None],
    place: Callable[[], str] = tempfile.gettempdir,
) -> Judge:
    """A judge that runs a script of the skill.

    Args:
        script_in: makes the action that runs the script in a folder.
        given: the task's input.
        lay_out: puts fresh copies of the task's files into a folder.
        place: where the scratch folders of the script are made.
    """

    async def judge(result: Any, hands: Hands) -> Verdict:
        with tempfile.TemporaryDirectory(prefix="metier-check-", dir=place()) as folder:
            try:
                lay_out(folder)
            except MetierError as error:
                return Verdict(ended=Ended("Failed", "fault", str(error)))
            _write(folder, "input.json", given)
            _write(folder, "result.json", result)
            answered = await hands.call(script_in(folder), {"args": list(ARGUMENTS)})
        return _read(answered)

    return judge


def _write(folder: str, name: str, value: Any) -> None:
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        # With blanks, as scripts of the shell look for them; compact, where a number has more digits than a float keeps.
        try:
            json.dump(value, file, ensure_ascii=False)
        except TypeError:
            file.seek(0)
            file.truncate()
            file.write(compact(value))


def _read(answered: Answered) -> Verdict:
    if not answered.ok:
        return _could_not(answered)
    printed = answered.value.get("stdout") if isinstance(answered.value, dict) else None
    try:
        said = json.loads(printed) if isinstance(printed, str) else None
    except ValueError:
        said = None
    if not isinstance(said, dict) or not isinstance(said.get("accepted"), bool):
        return Verdict(ended=Ended("Failed", "fault", f"the check printed no verdict: {answered.text[:500]}"))
    if said["accepted"]:
        return Verdict()
    return Verdict(str(said.get("reason") or "the check did not accept it and gave no reason"))


def _could_not(answered: Answered) -> Verdict:
    """A check that did not judge ends the task: it is the app's fault or a person's no, never the model's (O36)."""
    if answered.ended is not None:
        return Verdict(ended=answered.ended)
    if answered.outcome == "refused":
        return Verdict(ended=Ended("Refused", "declined", f"the check may not run: {answered.text}"))
    return Verdict(ended=Ended("Failed", "fault", f"the check broke: {answered.text[:500]}"))
