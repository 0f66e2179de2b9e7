"""What became of the calls of a task that is taken up again."""

from collections.abc import Mapping
from typing import Any

import pytest

from metier.domain.call import Answered, Call
from metier.domain.entry import Entry, Kind
from metier.domain.message import Picture
from metier.domain.proposal import Reply
from metier.domain.task import Ended
from metier.gate.past import Past, Put, past_of, refusal_text

CALL = Call("c1.1", "act", {"n": 1}, 1)
BEGIN: tuple[Kind, Mapping[str, Any], Mapping[str, Any]] = ("ToolCalled", {"call": "c1.1"}, {"arguments": {"n": 2}})


def entry(kind: Kind, facts: Mapping[str, Any], body: Mapping[str, Any] | None = None) -> Entry:
    """An entry as the record gives it."""
    return Entry("t", 1, kind, 0, facts, body, "")


def end(outcome: str, **more: Any) -> Entry:
    """The end of the one call."""
    text = more.pop("text", "it acted")
    facts = {"call": "c1.1", "outcome": outcome, "code": "", **more}
    return entry("ToolReturned", facts, {"text": text, "value": 7, "ends": "no more"})


def past(*entries: Entry, late: tuple[Entry, ...] = ()) -> Past:
    """What these entries say."""
    return past_of(entries, late, content=lambda digest: digest.encode())


@pytest.mark.parametrize(
    ("outcome", "came"),
    [("done", "done"), ("failed", "failed"), ("sent_back", "sent_back"), ("unknown", "unknown"), ("stopped", "failed")],
)
def test_end_is_the_answer(outcome: str, came: str) -> None:
    """A call that came out is answered from its end; what was stopped has failed, as the model sees it."""
    answered = past(entry(*BEGIN), end(outcome)).answer(CALL)
    assert answered is not None
    assert (answered.call, answered.outcome, answered.text, answered.value) == (CALL, came, "it acted", 7)


def test_begin_alone_is_no_answer() -> None:
    """A call that was begun has no answer, and what it was begun with is known."""
    found = past(entry(*BEGIN))
    assert (found.answer(CALL), found.begun, found.arguments) == (None, {"c1.1": 1}, {"c1.1": {"n": 2}})


def test_end_tells_what_it_ended() -> None:
    """An end of the run that a call brought comes back with it, and so do its pictures."""
    ends = {"state": "Refused", "reason": "declined"}
    pictures = [{"media_type": "image/png", "digest": "d1", "length": 2}]
    answered = past(entry(*BEGIN), end("failed", ends=ends, pictures=pictures)).answer(CALL)
    assert answered is not None
    assert answered.ended == Ended("Refused", "declined", "no more")
    assert answered.pictures == (Picture("image/png", b"d1", "d1"),)


@pytest.mark.parametrize(
    ("kind", "code", "outcome", "text"),
    [
        ("Refused", "gate.never", "refused", "Refused: no"),
        ("Refused", "arguments.schema", "refused", "Error: no"),
        ("SentBack", "hand_back.too_early", "sent_back", "no"),
    ],
)
def test_refusal_is_the_answer(kind: Kind, code: str, outcome: str, text: str) -> None:
    """A call that was stopped before anything ran is answered as it was then, word for word."""
    answered = past(entry(kind, {"call": "c1.1", "code": code}, {"reason": "no"})).answer(CALL)
    assert answered == Answered(CALL, outcome, code, text)  # type: ignore[arg-type]  # a word of the parameters
    assert refusal_text(code, "no", sent_back=kind == "SentBack") == text


def test_end_goes_before_what_was_sent_back() -> None:
    """The note that a result was sent back adds nothing to the end of its call; words that were sent back are no call."""
    found = past(
        entry(*BEGIN),
        end("sent_back", text="The total is 6."),
        entry("SentBack", {"call": "c1.1", "code": "check.not_accepted"}, {"reason": "other"}),
        entry("SentBack", {"call": None, "code": "answer.words"}, {"reason": "words"}),
    )
    assert [answered.text for answered in found.answers.values()] == ["The total is 6."]


def put(proposal: str = "t.p1", **more: Any) -> Entry:
    """A proposal about the one call."""
    return entry("Proposed", {"proposal": proposal, "call": "c1.1", "subject": "scripts", **more}, {"arguments": {}})


def said(answer: str, proposal: str = "t.p1", **body: Any) -> Entry:
    """An answer to it."""
    kind: Kind = "Approved" if answer == "yes" else "Declined"
    return entry(kind, {"proposal": proposal, "by": "Ada", "answer": answer, "covers": "call"}, {"reason": "", **body})


def test_answers_stay_with_their_proposals() -> None:
    """What was asked keeps its answer, edited arguments too; what was asked of an unknown call is kept apart."""
    found = past(put(), said("yes", arguments={"n": 3}), put("t.p2", unknown=True), said("no", "t.p2"))
    assert found.proposals == {
        ("c1.1", False): Put("t.p1", "scripts", Reply("yes", "Ada", arguments={"n": 3})),
        ("c1.1", True): Put("t.p2", "scripts", Reply("no", "Ada")),
    }
    assert found.asked == 2


def test_stop_withdraws_what_waits() -> None:
    """A proposal without an answer is asked anew after a stop, under a new number; an answered one keeps its answer."""
    stopped = entry("Stopped", {"ended": "Stopped", "reason": "cancelled"})
    assert (past(put(), stopped).proposals, past(put(), stopped).asked) == ({}, 1)
    assert past(put(), said("yes"), stopped).proposals[("c1.1", False)].reply == Reply("yes", "Ada")


def test_late_end_settles_once() -> None:
    """An end that came late is kept until it has settled a begin; each settles one."""
    late = (end("done"), entry("Resumed", {}), end("failed"))
    assert past(entry(*BEGIN), late=late).late["c1.1"].entry.facts["outcome"] == "failed"
    settled = past(entry(*BEGIN), end("done", settled="late"), late=late[:1])
    assert (settled.late, settled.answers["c1.1"].outcome) == ({}, "done")


def test_yes_to_an_unknown_holds_once() -> None:
    """When a call that was made again is cut again, somebody is asked again: the earlier answer is spent."""
    again = end("unknown", again=True, settled="t.p1")
    found = past(entry(*BEGIN), put(unknown=True), said("yes"), again, entry(*BEGIN))
    assert (found.proposals, found.begun) == ({}, {"c1.1": 2})


def test_result_is_handed_back_once() -> None:
    """Whether an accepted result is on the record is known."""
    assert past(entry("HandedBack", {"call": "c1.1", "result": "d"})).handed_back
    assert not past(entry(*BEGIN)).handed_back
