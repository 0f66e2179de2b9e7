"""How is a job worked on? This is the walk; start here.

Ask the model. Take its calls through the gate, each answered before the model is asked again. Go on until it hands back
a result that the check accepts (or, where words are the result, answers without a call), or a limit is hit.
"""

import asyncio

from ..domain.call import HAND_BACK
from ..domain.message import ModelMessage
from ..domain.task import Ended, RunEnd, Waits
from .ask import ask_model
from .run import Run
from .turn import take_calls

LAST_TURN = "This is your last turn. Finish now with what you have."
LAST_TURN_TYPED = f"This is your last turn. Finish now: call {HAND_BACK} with what you have."
HAND_BACK_NOW = f"Words are not the result of this job. Call {HAND_BACK} with the result now."
NO_WORDS = "Your answer was empty. Answer in words, or call a tool."


async def work(run: Run) -> RunEnd:
    """Work until the job ends or waits, within its limit of time."""
    try:
        async with asyncio.timeout(run.bounds.seconds_left):
            ended = await _walk(run)
    except TimeoutError:
        ended = run.bounds.out_of_time()
    if isinstance(ended, Waits):
        return ended
    if ended.result is None and run.best is not None:
        # A job that ends at a limit still shows the best it had.
        return Ended(ended.state, ended.reason, ended.text, run.best)
    return ended


async def _walk(run: Run) -> RunEnd:
    answer, run.pending = run.pending, None
    while True:
        if answer is None:
            hit = run.bounds.hit()
            if hit is not None and (ended := await _helped(run, hit)) is not None:
                return ended
            if run.halt is not None and (halted := run.halt()) is not None:
                return halted
            _make_ready(run)
            asked = await ask_model(run)
            if not isinstance(asked, ModelMessage):
                return asked
            answer = asked
        if ended := await take_calls(run, answer.calls) if answer.calls else _take_words(run, answer):
            return ended
        answer = None


def _make_ready(run: Run) -> None:
    """Bring the conversation into the form that the next request has."""
    if gone := run.talk.clear_past(run.bounds.stop.clear_results_past):
        run.log.note("Cleared", {"turn": run.bounds.turns + 1, "results": gone})
    if run.bounds.last_turn:
        tell_last(run)


async def _helped(run: Run, ended: Ended) -> RunEnd | None:
    """The end, unless the job is stuck and somebody helps it on: once, and as a wait that outlives this process (O27-O32)."""
    if ended.reason != "stuck" or run.helped:
        return ended
    reply = await run.path.help(ended.text, run.nth)
    if reply is not None and reply.answer == "later":
        return Waits("person", reply.reason)
    run.helped = True
    if reply is None:
        return ended
    take_help(run, reply.reason)
    return run.bounds.hit()


def take_help(run: Run, text: str) -> None:
    """Tell the model what helps it on, and count its failures anew."""
    run.helped = True
    run.talk.tell(text)
    run.bounds.restart()


def tell_last(run: Run) -> None:
    """Tell the model that its last turn has come, unless an earlier run did."""
    if not run.told_last:
        run.told_last = True
        run.talk.tell(LAST_TURN_TYPED if run.typed else LAST_TURN)


def _take_words(run: Run, message: ModelMessage) -> Ended | None:
    """Words end a job that answers in words; a typed job asks for its result (O22, case 063)."""
    if not run.typed and message.text.strip():
        return Ended("Done", "answered", result=message.text)
    reason = HAND_BACK_NOW if run.typed else NO_WORDS
    run.log.note("SentBack", {"call": None, "turn": run.bounds.turns, "code": "answer.words"}, {"reason": reason})
    sent_back(run, reason)
    return None


def sent_back(run: Run, reason: str) -> None:
    """Tell the model why its words were no result."""
    run.bounds.stuck.failed(HAND_BACK, "answer.words", reason)
    run.talk.tell(reason)
    if run.typed and run.model.can_force:
        run.must_call = HAND_BACK
