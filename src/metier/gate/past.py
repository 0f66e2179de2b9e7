"""What became of the calls of a task that is taken up again?

A call that has come out is never made anew: its answer is the one on the record. What was begun and has no end is kept
apart, and so is what was asked of a person (design, section 3).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from ..domain.call import Answered, Call
from ..domain.entry import Entry, Kind
from ..domain.message import Picture
from ..domain.proposal import Reply
from ..domain.task import Ended

_CAME = {"done": "done", "failed": "failed", "sent_back": "sent_back", "unknown": "unknown"}
"""What the end of a call says of its answer. What was stopped has failed, as the model sees it."""

LEAD = {"gate.": "Refused"}
"""How an answer to a refused call begins, by the start of its code: what was not allowed reads unlike what was wrong."""

STALE = "gate.stale"
"""The code of a call whose yes came when its world had moved."""

HELP = "help"
"""What stands in the place of a call and an action where help is asked for."""


def help_call(nth: int) -> str:
    """What stands in the place of a call where the nth try of a task asks for help: each may once."""
    return HELP if nth == 1 else f"r{nth}.{HELP}"


NOWHERE = Call("", "", {}, 0)


@dataclass(frozen=True, slots=True)
class Put:
    """A proposal that is on the record, with the answer that is on the entries, if there is one."""

    id: str
    subject: str
    reply: Reply | None = None
    version: str = ""
    """What the work's world was when it was proposed; empty where no skill says so."""
    names: str = ""
    """The rows that it touches, in plain words."""


@dataclass(frozen=True, slots=True)
class Late:
    """The end of a call that came from a process that had lost the task: as it was noted, and what it says."""

    entry: Entry
    says: Answered


@dataclass(slots=True)
class Past:
    """What the entries of a task say of its calls."""

    answers: dict[str, Answered] = field(default_factory=dict)
    """How each call came out that did, by its id."""
    begun: dict[str, int] = field(default_factory=dict)
    """How often each call was begun."""
    open: set[str] = field(default_factory=set)
    """The calls whose last begin has no end."""
    arguments: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """With what each was begun."""
    late: dict[str, Late] = field(default_factory=dict)
    """Late ends that settled nothing yet."""
    used: dict[str, int] = field(default_factory=dict)
    """How many late ends of each call have settled one of its begins."""
    proposals: dict[tuple[str, bool], Put] = field(default_factory=dict)
    """What was asked of each call, and whether it was asked because its end is unknown."""
    asked: int = 0
    """How many proposals there were."""
    handed_back: bool = False
    """Whether an accepted result is on the record."""

    def renew(self, call: str, version: str) -> None:
        """Bind the yes to a call to the world in which somebody said that it is to be made again."""
        put = self.proposals.get((call, False))
        if put is not None:
            self.proposals[call, False] = replace(put, version=version)

    def answer(self, call: Call) -> Answered | None:
        """How this call came out, if it did."""
        known = self.answers.get(call.id)
        return None if known is None else replace(known, call=call)


def past_of(entries: Iterable[Entry], late: Iterable[Entry], *, content: Callable[[str], bytes]) -> Past:
    """What became of the calls, by the whole entries of the task.

    Args:
        entries: in their order, with whole bodies.
        late: what came from processes that had lost the task.
        content: reads a content of the record by its digest.
    """
    past = Past()
    for entry in entries:
        _take(past, entry, content)
    for entry in late:
        call = entry.facts.get("call", "")
        if entry.kind != "ToolReturned":
            continue
        if past.used.get(call, 0) > 0:
            past.used[call] -= 1
        else:
            past.late[call] = Late(entry, came_out(entry.facts, entry.body or {}, content))
    return past


def came_out(facts: Mapping[str, Any], body: Mapping[str, Any], content: Callable[[str], bytes]) -> Answered:
    """The answer that an end on the record stands for."""
    pictures = tuple(
        Picture(one["media_type"], content(one["digest"]), one["digest"]) for one in facts.get("pictures", ())
    )
    outcome = cast("Any", _CAME.get(facts["outcome"], "failed"))
    ended = _ended(facts, body.get("ends", ""))
    return Answered(NOWHERE, outcome, facts["code"], body.get("text", ""), body.get("value"), ended, pictures)


def refusal_text(code: str, reason: str, *, sent_back: bool) -> str:
    """What the model is told of a call that was stopped before anything ran."""
    return reason if sent_back else f"{LEAD.get(code[:5], 'Error')}: {reason}"


def _take(past: Past, entry: Entry, content: Callable[[str], bytes]) -> None:
    facts, body = entry.facts, entry.body or {}
    match entry.kind:
        case "ToolCalled":
            past.begun[facts["call"]] = past.begun.get(facts["call"], 0) + 1
            past.open.add(facts["call"])
            past.arguments[facts["call"]] = body.get("arguments", {})
        case "ToolReturned":
            _take_end(past, facts, body, content)
        case "Refused" | "SentBack":
            _take_refusal(past, facts, body.get("reason", ""), sent_back=entry.kind == "SentBack")
        case _:
            _take_rare(past, entry.kind, facts, body)


def _take_rare(past: Past, kind: Kind, facts: Mapping[str, Any], body: Mapping[str, Any]) -> None:
    match kind:
        case "Proposed" | "AskedForHelp":
            past.asked += 1
            key = (facts["call"], bool(facts.get("unknown")))
            told = {"version": facts.get("version", ""), "names": body.get("names", "")}
            past.proposals[key] = Put(facts["proposal"], facts.get("subject", ""), **told)
        case "Approved" | "Declined" | "Helped":
            _take_reply(past, facts, body)
        case "Stale" if facts["call"] not in past.answers:
            text = refusal_text(STALE, body.get("reason", ""), sent_back=False)
            past.answers[facts["call"]] = Answered(NOWHERE, "refused", STALE, text)
        case "HandedBack":
            past.handed_back = True
        case "Stopped":
            # Whatever waited for an answer was withdrawn with the end, and is asked anew.
            past.proposals = {key: put for key, put in past.proposals.items() if put.reply is not None}
        case _:
            pass


def _take_end(past: Past, facts: Mapping[str, Any], body: Mapping[str, Any], content: Callable[[str], bytes]) -> None:
    call = facts["call"]
    past.open.discard(call)
    if facts.get("settled") == "late":
        past.used[call] = past.used.get(call, 0) + 1
    if facts.get("again"):
        # Settled, and made anew: should that be cut too, it is settled anew, by another answer.
        again = past.proposals.pop((call, True), None)
        if again is not None and again.id == facts["settled"]:
            past.renew(call, again.version)
        return
    past.answers[call] = came_out(facts, body, content)


def _take_refusal(past: Past, facts: Mapping[str, Any], reason: str, *, sent_back: bool) -> None:
    call = facts.get("call")
    if call is None or call in past.answers:
        return  # words that were sent back; or the end of the call says it all
    text = refusal_text(facts["code"], reason, sent_back=sent_back)
    outcome: Any = "sent_back" if sent_back else "refused"
    past.answers[call] = Answered(NOWHERE, outcome, facts["code"], text, ended=_ended(facts, reason))


def _take_reply(past: Past, facts: Mapping[str, Any], body: Mapping[str, Any]) -> None:
    reply = Reply(facts["answer"], facts["by"], body.get("reason", ""), facts["covers"], body.get("arguments"))
    for key, put in past.proposals.items():
        if put.id == facts["proposal"]:
            past.proposals[key] = replace(put, reply=reply)


def _ended(facts: Mapping[str, Any], text: str) -> Ended | None:
    ends = facts.get("ends")
    return None if ends is None else Ended(ends["state"], ends["reason"], text)
