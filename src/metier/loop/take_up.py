"""How does a run go on where an earlier one ended?

The conversation, the counters and the money are brought to where the entries left them. What the model was told is told
again word for word, so that the next request is the one that would have come. Nothing is asked and nothing is done here.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from ..domain.call import HAND_BACK, Answered
from ..domain.entry import Entry, Kind
from ..domain.message import ModelMessage, ToolCall
from ..domain.money import Usage
from ..errors import RecordBroken
from ..gate.past import help_call
from .loop import sent_back, take_help, tell_last
from .run import Run
from .turn import calls_of, tell_all

CUT = "cut by the end of its process: charged at its reservation"


def take_up(run: Run, entries: Iterable[Entry]) -> None:
    """Bring a run that has just been briefed to where the whole entries of its task end.

    A model call that has no answer is charged at its reservation, on the record too, and is sent again.

    Raises:
        RecordBroken: a call of an earlier turn has no answer on the record.
    """
    walk = Walk(run)
    for entry in entries:
        walk.take(entry)
    walk.end()


class Walk:
    """Walks over the entries of the earlier runs."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._reserved: Decimal | None = None
        self._turn = 0
        """The turn of the last model call."""

    def take(self, entry: Entry) -> None:
        """Bring the run past one entry."""
        facts, body, run = entry.facts, entry.body or {}, self._run
        match entry.kind:
            case "ModelCalled":
                self._take_request(facts)
            case "ModelAnswered":
                self._take_answer(facts, body)
            case "SentBack" if facts["call"] is None:
                run.pending = None
                sent_back(run, body["reason"])
            case "Failed":
                run.tried = 0  # its model could not be reached: a person lets it be tried again
            case "Helped":
                self._close_turn()
                take_help(run, body["reason"])
            case "Declined" if facts.get("call") == help_call(run.nth):
                run.helped = True
            case "Retried":
                run.try_again(facts["try"])
            case _:
                self._take_call(entry.kind, facts, body)

    def _take_call(self, kind: Kind, facts: Mapping[str, Any], body: Mapping[str, Any]) -> None:
        if kind == "ToolCalled" and facts["action"] == HAND_BACK:
            self._run.best = body["arguments"]
        elif kind == "ToolReturned" and "child" in facts:
            self._run.bounds.meter.charge(Decimal(facts["cost"]))

    def end(self) -> None:
        """Charge what was cut. The last answer is left to the run: not all of its calls may have come out."""
        if self._reserved is not None:
            facts = {"turn": self._turn, "ok": False, "unknown": True, "seconds": 0.0, "cost": str(self._reserved)}
            self._run.log.note("ModelAnswered", facts, {"error": CUT})
            self._run.bounds.meter.charge(self._reserved)

    def _take_request(self, facts: Mapping[str, Any]) -> None:
        run = self._run
        self._close_turn()
        run.talk.clear_past(run.bounds.stop.clear_results_past)
        if run.bounds.last_turn:
            tell_last(run)
        self._turn, self._reserved = facts["turn"], Decimal(facts["reserved"])
        run.tried += 1

    def _take_answer(self, facts: Mapping[str, Any], body: Mapping[str, Any]) -> None:
        run = self._run
        run.bounds.meter.charge(Decimal(facts["cost"]))
        self._reserved = None
        if not facts["ok"]:
            return
        # The turn counts once it has its answer: until then it is asked again, under the same number.
        run.bounds.turns = facts["turn"]
        run.tried, run.must_call = 0, None
        calls = tuple(ToolCall(call["id"], call["name"], call["arguments"]) for call in body["calls"])
        run.pending = ModelMessage(body["text"], calls)
        run.talk.said(run.pending, Usage(**facts["usage"]))

    def _close_turn(self) -> None:
        """Tell the model how the calls of its last answer came out: another request followed, so all of them did."""
        run = self._run
        if run.pending is not None:
            tell_all(run, run.pending.calls, self._answers(run.pending.calls))
            run.pending = None

    def _answers(self, asked: Sequence[ToolCall]) -> list[Answered]:
        calls = calls_of(self._run.bounds.turns, asked, nth=self._run.nth)
        answers = [self._run.path.past.answer(call) for call in calls]
        found = [answered for answered in answers if answered is not None]
        if len(found) < len(calls):
            task = self._run.log.task
            raise RecordBroken(f"A call of turn {self._run.bounds.turns} of task {task} has no answer on the record.")
        return found
