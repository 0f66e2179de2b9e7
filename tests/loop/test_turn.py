"""The calls of one answer: together, in order, and the result last."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from metier.domain.proposal import Proposal, Reply
from metier.errors import SkillInvalid
from metier.loop.checks import judge_by_action
from metier.loop.loop import work
from metier.testing import Says

from .conftest import Job, act, judging

Make = Callable[..., Job]
TOTAL = {"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"]}


def test_reads_really_overlap(job: Make) -> None:
    """Reading calls side by side run at the same time: each waits here until all have begun."""
    begun: list[int] = []
    all_begun = asyncio.Event()

    async def wait(given: Mapping[str, Any]) -> int:
        begun.append(given["n"])
        if len(begun) == 3:
            all_begun.set()
        await asyncio.wait_for(all_begun.wait(), 10)
        return int(given["n"])

    one = job([act("look", wait)])
    one.go(Says.many(*(Says.tool("look", {"n": n}) for n in range(3))), Says.text("so"))
    assert one.answers == ["0", "1", "2"]


def test_changes_go_one_after_another(job: Make) -> None:
    """Changing calls run in the model's order, each after the one before has ended."""
    steps: list[str] = []

    async def put(given: Mapping[str, Any]) -> None:
        steps.append(f"begin {given['n']}")
        for _ in range(3):
            await asyncio.sleep(0)
        steps.append(f"end {given['n']}")

    one = job([act("put", put, effects=("changes",))])
    one.go(Says.many(*(Says.tool("put", {"n": n}) for n in range(3))), Says.text("so"))
    assert steps == [f"{what} {n}" for n in range(3) for what in ("begin", "end")]


def test_reads_wait_for_changes_before_them(job: Make) -> None:
    """A read after a change sees what the change did; one before it does not."""
    world = ["old"]

    async def put(_: Mapping[str, Any]) -> None:
        await asyncio.sleep(0)
        world[0] = "new"

    one = job([act("put", put, effects=("changes",)), act("look", lambda _: world[0])])
    one.go(Says.many(Says.tool("look"), Says.tool("put"), Says.tool("look")), Says.text("so"))
    assert one.answers == ["old", "null", "new"]


@pytest.mark.parametrize("first", [True, False])
def test_result_is_judged_last(job: Make, first: bool) -> None:
    """Wherever hand_back stands, the other calls of the turn run before it (O37, case 059)."""
    saved: list[str] = []
    seen: list[list[str]] = []
    check = judging(lambda _: seen.append(list(saved)))
    one = job([act("save", lambda _: saved.append("n"), effects=("changes",))], TOTAL, judge_by_action(check, None))
    calls = [Says.hand_back({"total": 3}), Says.tool("save")]
    ended = one.go(Says.many(*(calls if first else calls[::-1])))
    assert (ended.state, seen) == ("Done", [["n"]])
    assert sorted(one.answers) == ["Accepted.", "null"]


def test_first_valid_result_counts(job: Make) -> None:
    """Of several results in a turn the first valid one counts; the others are refused on the record (O37)."""
    one = job(result=TOTAL)
    results: list[Any] = [{"total": "x"}, {"total": 1}, {"total": 2}]
    ended = one.go(Says.many(*map(Says.hand_back, results)))
    assert (ended.state, ended.result) == ("Done", {"total": 1})
    assert [entry.facts["code"] for entry in one.notes("SentBack")] == ["arguments.schema", "hand_back.again"]
    assert len(one.notes("HandedBack")) == 1


def test_result_beside_a_failure_comes_back(job: Make) -> None:
    """A result handed back beside a call that failed is not judged; it comes back with that reason (O37, case 059)."""
    one = job(result=TOTAL)
    ended = one.go(Says.many(Says.tool("save"), Says.hand_back({"total": 3})), Says.hand_back({"total": 3}))
    assert ended.state == "Done"
    assert one.answers[1].startswith("save did not succeed (Error: there is no 'save' here.")
    assert one.notes("SentBack")[0].facts["code"] == "hand_back.too_early"


def test_broken_check_runs_once(job: Make) -> None:
    """After a check that ended the job no other result of the turn is judged (O36, O37)."""
    runs: list[Any] = []

    def broken(result: Any) -> str:
        runs.append(result)
        raise ValueError("broken")

    one = job(result=TOTAL, judge=judge_by_action(judging(broken), None))
    ended = one.go(Says.many(Says.hand_back({"total": 1}), Says.hand_back({"total": 2})))
    assert (ended.reason, runs, len(one.answers)) == ("fault", [{"total": 1}], 2)


class Gone:
    """Nobody to ask."""

    async def answer(self, proposal: Proposal) -> Reply:
        """Nobody."""
        return Reply("nobody", "", "use --yes")


def test_end_leaves_nothing_unanswered(job: Make) -> None:
    """When a call ends the task, those after it are refused, not run, and each has its answer (O28)."""
    ran: list[str] = []
    put, say = (act(name, lambda _: ran.append("x"), effects=("changes",)) for name in ("put", "say"))
    one = job([put, say], TOTAL, approver=Gone())
    ended = one.go(Says.many(Says.tool("put"), Says.tool("say"), Says.hand_back({"total": 1})))
    assert (ended.state, ended.reason, ran) == ("Refused", "nobody_to_ask", [])
    assert len(one.answers) == 3
    assert [entry.facts["code"] for entry in one.notes("Refused")] == ["gate.nobody", "task.ended"]


def stopped(one: Job, *steps: Says) -> None:
    """Work on one answer with these calls, and stop once its action `wait` has begun; nothing may go on running."""

    async def go() -> None:
        begun = asyncio.Event()

        async def wait(_: Mapping[str, Any]) -> None:
            begun.set()
            await asyncio.Event().wait()

        one.actions = [*one.actions, act("wait", wait), act("push", wait, effects=("changes",))]
        task = asyncio.ensure_future(work(one.make(Says.many(*steps))))
        await begun.wait()
        task.cancel()
        await asyncio.wait([task])
        assert (task.cancelled(), len(asyncio.all_tasks())) == (True, 1)

    asyncio.run(go())


def test_cancelled_turn_tells_the_truth(job: Make) -> None:
    """After a cancel each call of the turn has one ending, and only those that never began are said not to have begun."""
    one = job([act("look"), act("put", effects=("changes",))], TOTAL)
    stopped(one, Says.tool("look"), Says.tool("push"), Says.tool("put"), Says.hand_back({"total": 1}))
    ends = [(entry.facts["call"], entry.facts["outcome"]) for entry in one.notes("ToolReturned")]
    assert ends == [("c1.1", "done"), ("c1.2", "stopped")]
    assert [entry.facts["call"] for entry in one.notes("Refused") + one.notes("SentBack")] == ["c1.3", "c1.4"]


def test_cancelled_reads_tell_the_truth(job: Make) -> None:
    """Of reads that run together, a cancelled one is stopped, a finished one is done, and none is said not to have begun."""
    one = job([act("look")])
    stopped(one, Says.tool("look"), Says.tool("wait"))
    ends = {entry.facts["call"]: entry.facts["outcome"] for entry in one.notes("ToolReturned")}
    assert (ends, one.notes("Refused")) == ({"c1.1": "done", "c1.2": "stopped"}, [])


def test_error_in_one_read_leaves_none_running(job: Make) -> None:
    """When one of several reads raises what ends the task, the others are stopped, and each has its end on the record."""

    def unreadable() -> str:
        raise SkillInvalid("The skill folder cannot be read.")

    async def wait(_: Mapping[str, Any]) -> None:
        await asyncio.Event().wait()

    bad = replace(act("bad"), digest_now=unreadable)
    one = job([bad, act("wait", wait)])

    async def go() -> None:
        with pytest.raises(SkillInvalid):
            await work(one.make(Says.many(Says.tool("wait"), Says.tool("bad"))))
        assert len(asyncio.all_tasks()) == 1
        assert [entry.facts["outcome"] for entry in one.notes("ToolReturned")] == ["stopped"]

    asyncio.run(go())
