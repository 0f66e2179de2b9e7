"""In what order are the calls of one answer taken?

Reading calls that stand side by side go together, changing ones one after another in the model's order, and `hand_back`
is judged last: a result that was claimed beside other calls was written without knowing how they came out (O37, case 059).
"""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import groupby

from ..domain.call import HAND_BACK, Answered, Call
from ..domain.message import ToolCall
from ..domain.task import Ended, RunEnd, Waits
from ..errors import MetierError
from ..gate.path import READING, Refusal
from .result import digest_of
from .run import Run

ENDED = Refusal("task.ended", "the task ended before this call began")
ANOTHER = Refusal("hand_back.again", "a result of this turn was judged already, and ended the job")

UNSEEN = "[You are not shown it: this model takes no pictures.]"


async def take_calls(run: Run, asked: Sequence[ToolCall]) -> RunEnd | None:
    """Take every call of one answer, answer each, and say if the job has ended, or waits with calls unanswered."""
    calls = calls_of(run.bounds.turns, asked, nth=run.nth)
    answers: dict[str, Answered] = {}
    try:
        await _take_all(run, calls, answers)
    except asyncio.CancelledError:
        never = [call for call in calls if not run.path.has_begun(call.id)]
        _answer_the_rest(run, never, answers, Refusal("cancelled", "the task was stopped before this call began"))
        raise
    ended = _end_of(run, answers)
    if isinstance(ended, Waits):
        return ended
    tell_all(run, asked, [answers[call.id] for call in calls])
    return ended


def calls_of(turn: int, asked: Sequence[ToolCall], *, nth: int = 1) -> list[Call]:
    """The calls of one answer, with the ids that they have on the record: those of a later try begin with its number."""
    start = f"c{turn}" if nth == 1 else f"r{nth}.c{turn}"
    return [Call(f"{start}.{place}", one.name, one.arguments, turn) for place, one in enumerate(asked, 1)]


def tell_all(run: Run, asked: Sequence[ToolCall], answers: Sequence[Answered]) -> None:
    """Give the model the answers to all calls of one answer, and count them."""
    for one, answered in zip(asked, answers, strict=True):
        _tell(run, one, answered)
        action = run.actions.get(answered.call.action)
        run.bounds.saw(answered, polls=action is not None and action.polls)


def _tell(run: Run, asked: ToolCall, answered: Answered) -> None:
    """Give the model its answer; pictures go only to one that sees, and another is told so."""
    text, pictures = answered.text, answered.pictures
    if pictures and not run.model.vision:
        text, pictures = f"{text}\n{UNSEEN}", ()
    run.talk.answer(asked.id, asked.name, text, ok=answered.ok, pictures=pictures)


async def _take_all(run: Run, calls: Sequence[Call], answers: dict[str, Answered]) -> None:
    backs = [call for call in calls if call.action == HAND_BACK]
    if not backs:
        return await _take_others(run, calls, answers)
    await _take_others(run, [call for call in calls if call.action != HAND_BACK], answers)
    if not any(answered.ended for answered in answers.values()):
        await _take_results(run, backs, answers)
    return _close(run, backs, answers)


async def _take_others(run: Run, calls: Sequence[Call], answers: dict[str, Answered]) -> None:
    if len(calls) == 1:
        answers[calls[0].id] = await run.path.take(calls[0])
        return None
    for together in _in_groups(run, calls):
        taken = await _take_together(run, together)
        answers.update((answered.call.id, answered) for answered in taken)
        if any(answered.ended for answered in taken):
            return _close(run, calls, answers)
    return None


def _close(run: Run, calls: Sequence[Call], answers: dict[str, Answered]) -> None:
    """After an end: refuse the calls that are left. While somebody is waited for, they keep for later."""
    if any(isinstance(answered.ended, Ended) for answered in answers.values()):
        for waiting in [call_id for call_id, answered in answers.items() if isinstance(answered.ended, Waits)]:
            del answers[waiting]
    if not any(isinstance(answered.ended, Waits) for answered in answers.values()):
        _answer_the_rest(run, calls, answers, ENDED)


async def _take_together(run: Run, calls: Sequence[Call]) -> Sequence[Answered]:
    if len(calls) == 1:
        return [await run.path.take(calls[0])]
    try:
        # One that cannot be taken stops the others: none is left running behind the task's end.
        async with asyncio.TaskGroup() as group:
            taken = [group.create_task(run.path.take(call)) for call in calls]
    except* MetierError as errors:
        raise errors.exceptions[0] from None
    return [one.result() for one in taken]


def _in_groups(run: Run, calls: Sequence[Call]) -> Iterator[list[Call]]:
    """Runs of reading calls as one group each, every other call as a group of its own."""
    for reading, group in groupby(calls, key=lambda call: _reads(run, call)):
        if reading:
            yield list(group)
        else:
            for call in group:
                yield [call]


def _reads(run: Run, call: Call) -> bool:
    action = run.actions.get(call.action)
    return action is None or action.effects <= READING


async def _take_results(run: Run, backs: Sequence[Call], answers: dict[str, Answered]) -> None:
    failed = next((answered for answered in answers.values() if not answered.ok), None)
    over = False
    for call in backs:
        if failed is not None:
            reason = f"{failed.call.action} did not succeed ({failed.text}). Look at that, then hand back again."
            answers[call.id] = run.path.refuse(call, Refusal("hand_back.too_early", reason))
        elif over:
            answers[call.id] = run.path.refuse(call, ANOTHER)
        else:
            answers[call.id] = await run.path.take(call)
            over = answers[call.id].ok or answers[call.id].ended is not None
            if answers[call.id].ok and not run.path.past.handed_back:
                run.log.note("HandedBack", {"call": call.id, "result": digest_of(run.best)}, {"result": run.best})


def _answer_the_rest(run: Run, calls: Sequence[Call], answers: dict[str, Answered], refusal: Refusal) -> None:
    for call in calls:
        if call.id not in answers:
            answers[call.id] = run.path.refuse(call, refusal)


def _end_of(run: Run, answers: dict[str, Answered]) -> RunEnd | None:
    for answered in answers.values():
        if answered.ended is not None:
            return answered.ended
        if answered.call.action == HAND_BACK and answered.ok:
            return Ended("Done", "handed_back", result=run.best)
    return None
