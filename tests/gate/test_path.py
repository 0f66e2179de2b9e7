"""The one path of every call: what stops it, what is noted, and what the model is told."""

import asyncio
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import pytest

from metier.domain.action import Action, Hands, Miss, Narrowed, Origin, Returned
from metier.domain.call import HAND_BACK, Call
from metier.domain.permits import Permits
from metier.domain.task import Ended
from metier.gate.approvers import Nobody, Yes
from metier.gate.path import Path
from metier.record import MemoryLog

from .conftest import ANYTHING, Desk

Make = Callable[..., Desk]
NUMBER = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}


def test_call_begins_and_ends(desk: Make) -> None:
    """A call that may be done is begun on the record, carried out once, ended on the record, and answered (O92)."""
    one = desk("reads", answer={"a": "ü"})
    answered = one.take({"q": 1})
    assert (answered.outcome, answered.ok, answered.text, answered.value) == ("done", True, '{"a":"ü"}', {"a": "ü"})
    begin, end = one.entries
    assert (begin.kind, begin.body, one.ran) == ("ToolCalled", {"arguments": {"q": 1}}, [{"q": 1}])
    assert (begin.facts["permit"], begin.facts["effects"], begin.facts["turn"]) == ("alone", ["reads"], 1)
    assert (end.kind, end.facts["call"], end.facts["outcome"]) == ("ToolReturned", "c1.1", "done")


def test_unknown_action_never_runs(desk: Make) -> None:
    """An action that is not the task's is refused on the record, with the names that are near (O45)."""
    one = desk("reads")
    answered = one.take(action="akt")
    assert (answered.outcome, answered.code) == ("refused", "action.unknown")
    assert answered.text == "Error: there is no 'akt' here. There is: act."
    assert (one.kinds, one.ran) == (["Refused"], [])


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ({"n": "1"}, "arguments.schema", 'n: expected number, got string "1"'),
        ({}, "arguments.schema", "n"),
        ('{"n": 1', "arguments.json", 'the arguments are no JSON object: {"n": 1'),
        ("x" * 900, "arguments.json", "x" * 200),
    ],
)
def test_wrong_arguments_come_back(desk: Make, arguments: Any, code: str, said: str) -> None:
    """Arguments that do not fit, or are no JSON, come back with the reason and run nothing (O48)."""
    one = desk("reads", parameters=NUMBER)
    answered = one.take(arguments)
    assert (answered.outcome, answered.code, one.ran, one.kinds) == ("refused", code, [], ["Refused"])
    assert said in answered.text
    assert len(answered.text) < 300
    assert one.entries[0].body == {"arguments": arguments, "reason": answered.text.removeprefix("Error: ")}


def test_never_is_refused(desk: Make) -> None:
    """What may never be done is refused by its rule, and nobody is asked (O77)."""
    one = desk("changes", permits=Permits.reads_only(), said=True)
    answered = one.take()
    assert (answered.code, answered.text) == ("gate.never", "Refused: act may never be done here")
    assert (one.kinds, one.ran, one.asked) == (["Refused"], [], [])
    assert one.entries[0].facts["rule"] == "reads_only (changes)"


def test_free_call_needs_no_permit(desk: Make) -> None:
    """What touches nothing is done under any permits (O80)."""
    assert desk(permits=Permits.reads_only()).take().ok


def test_raising_tells_the_kind_only(desk: Make) -> None:
    """The model sees what kind of exception it was; the record has its text (M72)."""

    def fail(_: Mapping[str, Any], __: Hands) -> Any:
        raise ValueError("the password is swordfish")

    one = desk("reads", answer=fail)
    answered = one.take()
    assert (answered.outcome, answered.code, answered.text) == ("failed", "action.raised", "act failed: ValueError")
    end = one.entries[-1]
    assert (end.facts["outcome"], end.facts["error"]) == ("failed", "ValueError: the password is swordfish")


@pytest.mark.parametrize("value", [float("nan"), {"a": {1, 2}}, [object()], {"a": Decimal("NaN")}])
def test_answer_that_is_no_json_fails(desk: Make, value: Any) -> None:
    """An answer that is no JSON is a failure, never a printed object (case 065)."""
    one = desk("reads", answer=value)
    answered = one.take()
    assert (answered.outcome, answered.code, answered.value) == ("failed", "output.not_json", None)
    assert "object at" not in answered.text


def test_answer_in_words_is_shown_as_it_is(desk: Make) -> None:
    """A text is shown as it is, and what an action says beside its value is shown instead of it."""
    assert desk("reads", answer="plain").take().text == "plain"
    answered = desk("reads", answer=Returned({"n": 1}, text="one")).take()
    assert (answered.text, answered.value) == ("one", {"n": 1})


def test_failed_answer_is_no_success(desk: Make) -> None:
    """An action that says that it failed is not done, and its facts are on the record."""
    one = desk("reads", answer=Returned(text="no", ok=False, code="x.y", facts={"exit": 3}))
    answered = one.take()
    assert (answered.outcome, answered.code, answered.text) == ("failed", "x.y", "no")
    assert (one.entries[-1].facts["exit"], one.entries[-1].facts["code"]) == (3, "x.y")


def test_narrowing_judges_what_is_meant(desk: Make) -> None:
    """A call of an action that stands for many is judged and recorded as what its arguments name."""
    real = desk("changes", permits=Permits.reads_only())
    one = desk("reads", narrow=lambda given: Narrowed(real.action, {"only": given["n"]}), said=True)
    assert one.take({"n": 1}).ok
    (proposal,) = one.asked
    assert (proposal.action, proposal.arguments, proposal.effects) == ("act", {"only": 1}, ("changes",))
    assert (real.ran, one.ran) == ([{"only": 1}], [])


def test_miss_is_told_with_near_names(desk: Make) -> None:
    """Arguments that name nothing are refused with what is there (case 045)."""
    one = desk("reads", narrow=lambda _: Miss("script.missing", "Script 'a' not found. There is: b.", ("b",)))
    answered = one.take({"n": 1})
    assert (answered.code, answered.text) == ("script.missing", "Error: Script 'a' not found. There is: b.")


def test_changed_files_end_the_task(desk: Make) -> None:
    """When a skill's files are no longer those that were approved, nothing runs and the task ends (O83)."""
    now = ["d1"]

    def approve(_: object) -> bool:
        now[0] = "d2"
        return True

    one = desk("runs", origin=Origin("skill", "s", digest="d1"), digest_now=lambda: now[0], said=approve)
    answered = one.take()
    assert (answered.code, one.ran) == ("skill.changed", [])
    assert isinstance(answered.ended, Ended)
    assert (answered.ended.state, answered.ended.reason) == ("Refused", "changed")
    assert one.kinds == ["Proposed", "Approved", "Refused"]


def test_skill_is_named_at_the_begin(desk: Make) -> None:
    """The begin of a call of a skill's action names the skill with the digest of its files (O90)."""
    one = desk("reads", origin=Origin("skill", "s", "src", "2", "d1"))
    one.take()
    assert one.entries[0].facts["skill"] == {"source": "src", "name": "s", "version": "2", "digest": "d1"}


def test_calls_inside_a_call_go_the_same_way(desk: Make) -> None:
    """A call that a body makes is asked for, recorded with its parent, and numbered under it."""
    inner = desk("changes", answer="inner")

    class Outer:
        async def __call__(self, _: Mapping[str, Any], hands: Hands) -> str:
            assert hands.call_id == "c1.1"
            return (await hands.call(inner.action, {"n": 1})).text

    log = MemoryLog("t")
    outer = Action("outer", "", ANYTHING, Outer(), frozenset({"reads"}))
    path = Path(task="t", actions={"outer": outer}, log=log, permits=Permits.proposes(), approver=Yes("Ada"))
    assert asyncio.run(path.take(Call("c1.1", "outer", {}, 1))).text == "inner"
    assert [(one.kind, one.facts.get("call")) for one in log.entries()][:2] == [
        ("ToolCalled", "c1.1"),
        ("Proposed", "c1.1.1"),
    ]
    begin = next(one for one in log.entries() if one.facts.get("call") == "c1.1.1" and one.kind == "ToolCalled")
    assert (begin.facts["parent"], begin.facts["permit"]) == ("c1.1", "approved:t.p1")


def test_bodies_may_keep_contents(desk: Make) -> None:
    """A body can keep data and files beside the record and gets their digests."""
    one = desk("reads", answer=lambda _, hands: hands.keep(b"abc"))
    assert one.take().text == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    kept = desk("reads", answer=lambda _, hands: hands.keep_file(__file__))
    assert len(kept.take().text) == 64


def handing_back(returned: Returned) -> tuple[str, list[str]]:
    """How a `hand_back` that answers so comes out, and the kinds that it noted."""

    async def body(_: Mapping[str, Any], __: Hands) -> Returned:
        return returned

    log = MemoryLog("t")
    action = Action(HAND_BACK, "", NUMBER, body, frozenset())
    path = Path(task="t", actions={HAND_BACK: action}, log=log, permits=Permits.reads_only(), approver=Nobody(""))
    answered = asyncio.run(path.take(Call("c1.1", HAND_BACK, {"n": 1}, 1)))
    return answered.outcome, [one.kind for one in log.entries()]


def test_hand_back_is_sent_back() -> None:
    """A result that is not accepted is sent back, on the record, and needs no permit for it (O26, O80)."""
    assert handing_back(Returned(text="wrong", ok=False)) == ("sent_back", ["ToolCalled", "ToolReturned", "SentBack"])
    assert handing_back(Returned(text="fine")) == ("done", ["ToolCalled", "ToolReturned"])


def test_hand_back_that_ends_is_not_sent_back() -> None:
    """A result that could not be judged ends the task; it is not the model's to mend (O36)."""
    ended = Ended("Failed", "fault", "the check broke")
    assert handing_back(Returned(ok=False, ended=ended)) == ("failed", ["ToolCalled", "ToolReturned"])


def test_wrong_shape_is_sent_back_plainly(desk: Make) -> None:
    """A result of the wrong shape comes back with the bare reason (O24, case 061)."""
    action = desk().action
    log = MemoryLog("t")
    schema = {"type": "object", "properties": {"done": {"type": "boolean"}}}
    actions = {HAND_BACK: Action(HAND_BACK, "", schema, action.body, frozenset())}
    path = Path(task="t", actions=actions, log=log, permits=Permits.proposes(), approver=Nobody(""))
    answered = asyncio.run(path.take(Call("c1.1", HAND_BACK, {"done": "yes"}, 1)))
    assert (answered.outcome, answered.text) == ("sent_back", 'done: expected boolean, got string "yes"')
    assert [one.kind for one in log.entries()] == ["SentBack"]
