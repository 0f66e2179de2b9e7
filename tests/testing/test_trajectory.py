"""The record of a task, as a test asks for it."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from metier import Metier, Permits, StopWhen
from metier.domain.action import Action, Hands, Returned
from metier.domain.message import Request, ToolMessage
from metier.domain.skill import Job, SkillSpec
from metier.errors import SetupError
from metier.testing import AgentScript, Says, ScriptedModel, Trajectory

TEXT = {"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": False}


async def _look(arguments: object, hands: Hands) -> Returned:
    del hands
    return Returned(text=f"{arguments} " * 40)


LOOK = Action("look", "Looks.", TEXT, _look, frozenset({"reads"}))
DROP = Action("drop", "Drops.", TEXT, _look, frozenset({"changes"}))
SPEC = SkillSpec("looking", "Looks.", job=Job(tools=[LOOK, DROP], stop=StopWhen(clear_results_past=1, max_turns=4)))
STEPS = AgentScript.of(
    Says.tool("look", {"n": 1}),
    Says.many(Says.tool("look", {"n": 2}), Says.tool("drop")),
    Says.text(""),
    Says.text("so"),
)


def app(seen: list[Request], record: Path | bool) -> Metier:
    """An app whose scripted model keeps what it is sent."""

    def answer(request: Request) -> object:
        seen.append(replace(request, messages=tuple(request.messages)))
        return STEPS.answer(request)

    permits = Permits.reads_only()
    return Metier(model=ScriptedModel("test", answer), record=record, permits=permits)  # type: ignore[arg-type]  # any answer


def test_kinds_and_calls(tmp_path: Path) -> None:
    """The kinds stand in their order; a call that was refused is no call (O46, O114)."""
    with app([], tmp_path / "r.sqlite") as one:
        receipt = one.run(SPEC)
        assert receipt.done
        assert Trajectory.kinds(receipt)[:3] == ["Given", "Briefed", "ModelCalled"]
        assert [(call.action, call.arguments) for call in Trajectory.calls("last")] == [
            ("look", {"n": 1}),
            ("look", {"n": 2}),
        ]
        assert (Trajectory.called(receipt, LOOK), Trajectory.called(receipt.id, "drop")) == (True, False)


@pytest.mark.parametrize("stored", [True, False])
def test_requests_are_what_was_sent(stored: bool, tmp_path: Path) -> None:
    """Each request is made anew as it was: cleared results, refusals, words sent back and the last turn's notice (O53, O94, O114)."""
    seen: list[Request] = []
    with app(seen, tmp_path / "r.sqlite" if stored else False) as one:
        sent = Trajectory.requests(one.run(SPEC))
    assert sent == seen
    results = [message.text for message in sent[-1].messages if isinstance(message, ToolMessage)]
    assert [text[:8] for text in results] == ["[cleared", "[cleared", "Refused:"]


def test_apps_do_not_mix() -> None:
    """Inside two blocks the inner app is meant, and the outer one again after it; outside of all an error says so."""
    with app([], record=False) as outer:
        with app([], record=False) as inner:
            task = inner.run(SPEC)
            assert Trajectory.kinds(task)
        assert outer.tasks() == []
        mine = outer.run(SPEC)
        assert Trajectory.calls(mine)
    with pytest.raises(SetupError, match="No app is open here"):
        Trajectory.kinds(task)


def test_threads_and_tasks_see_the_app() -> None:
    """What begins inside an app's block belongs to it: tasks, and threads with their context."""

    async def inside() -> None:
        async with app([], record=False) as one:
            receipt = await one.arun(SPEC)
            kinds = await asyncio.to_thread(Trajectory.kinds, receipt)
            assert kinds == await asyncio.create_task(_kinds(receipt.id))

    asyncio.run(inside())


async def _kinds(task: str) -> list[str]:
    return Trajectory.kinds(task)
