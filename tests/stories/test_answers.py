"""A person answers: here, in another process, before, while and after somebody else is asked."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from metier.app.metier import Metier
from metier.config import Settings
from metier.domain.action import Action, Hands
from metier.domain.ports import Approver
from metier.domain.proposal import Proposal, Reply
from metier.domain.skill import Job, SkillSpec
from metier.gate.approvers import Later, Yes
from metier.testing import AgentScript, Says, ScriptedModel

STEPS = (Says.many(Says.tool("send", {"n": 1}), Says.tool("send", {"n": 2})), Says.text("sent"))


class Desk:
    """Somebody who never answers, and keeps whether they were let go."""

    def __init__(self) -> None:
        self.asked: list[Proposal] = []
        self.open = 0

    async def answer(self, proposal: Proposal) -> Reply:
        """Think for ever."""
        self.asked.append(proposal)
        self.open += 1
        try:
            await asyncio.Event().wait()
        finally:
            self.open -= 1
        return Reply("no", "desk")


class Post:
    """One record, and the jobs that send from it."""

    def __init__(self, folder: Path, *, subject: str = "") -> None:
        self.folder, self.subject = folder, subject
        self.sent: list[int] = []

    @property
    def skill(self) -> SkillSpec:
        """A job that sends twice."""

        async def send(given: Mapping[str, Any], _: Hands) -> str:
            self.sent.append(given["n"])
            return "sent"

        one = Action("send", "Sends.", {"type": "object"}, send, frozenset({"sends"}), subject=self.subject)
        return SkillSpec("post", "Send both.", job=Job(tools=[one]))

    def process(self) -> Metier:
        """One more process."""
        settings = Settings(project=str(self.folder), giver="Ada")
        model = ScriptedModel("played", AgentScript.of(*STEPS).answer)
        return Metier(settings=settings, record=self.folder / "record.sqlite", model=model, skills=[self.skill])

    def runs(self, *approvers: Approver | None) -> Sequence[str]:
        """The states of a task after runs with these approvers, each in a process of its own."""
        states: list[str] = []
        with self.process() as app:
            task = app.submit(self.skill)
        for approver in approvers:
            with self.process() as app:
                states.append(app.resume(task, approver=approver).state)
        return states

    def answer_all(self, reply: Reply) -> None:
        """Answer what waits, from one more process."""
        with self.process() as app:
            for stored in app.proposals():
                app.answer(stored.proposal.id, reply)


def test_answer_comes_while_somebody_is_asked(tmp_path: Path) -> None:
    """An answer from another process counts while somebody is asked here, who is then asked no more (O84)."""
    post, desk = Post(tmp_path), Desk()

    async def story() -> Any:
        async with post.process() as here, post.process() as there:
            run = asyncio.ensure_future(here.arun(post.skill, approver=desk))
            while not run.done():
                for stored in there.proposals():
                    edited = {"n": stored.proposal.arguments["n"] + 10}
                    there.answer(stored.proposal.id, Reply("yes", "Eve", arguments=edited))
                await asyncio.sleep(0.02)
            return run.result()

    receipt = asyncio.run(story())
    assert (receipt.state, post.sent, len(desk.asked), desk.open) == ("Done", [11, 12], 2, 0)
    assert [row["by"] for row in receipt.approvals] == ["Eve", "Eve"]


def test_answers_are_for_one_call(tmp_path: Path) -> None:
    """A yes to one call is none to the next, in the same run or a later one."""
    post = Post(tmp_path)
    with post.process() as app:
        task = app.submit(post.skill)
    for sent in ([], [1], [1, 2]):
        with post.process() as app:
            app.resume(task)
        assert post.sent == sent
        post.answer_all(Reply("yes", "Ada"))


def test_wide_yes_holds_over_runs(tmp_path: Path) -> None:
    """A yes to the subject, from another process, covers what comes under it in later runs too."""
    post = Post(tmp_path, subject="letters")
    with post.process() as app:
        task = app.submit(post.skill)
        assert app.resume(task).state == "Waiting"
    post.answer_all(Reply("yes", "Ada", covers="subject"))
    with post.process() as app:
        receipt = app.resume(task)
    assert (receipt.state, post.sent, receipt.calls.proposed) == ("Done", [1, 2], 1)


def test_waiting_for_somebody_else_is_asked_here(tmp_path: Path) -> None:
    """A proposal that waits on the record is put to whoever goes on with the task, and is noted once."""
    post = Post(tmp_path)
    assert post.runs(None, None, Later(), Yes("Ada")) == ["Waiting", "Waiting", "Waiting", "Done"]
    with post.process() as app:
        assert app.receipt("last").calls.proposed == 2


def test_no_is_told_in_a_later_run(tmp_path: Path) -> None:
    """A no from another process, with its reason, reaches the model when the task goes on (O87)."""
    post = Post(tmp_path)
    with post.process() as app:
        task = app.submit(post.skill)
        app.resume(task)
    post.answer_all(Reply("no", "Ada", "not today"))
    with post.process() as app:
        receipt = app.resume(task, approver=Yes("Eve"))
        texts = [(one.body or {})["reason"] for one in app.record.entries(task, whole=True) if one.kind == "Refused"]
    assert (receipt.state, post.sent, texts) == ("Done", [2], ["Ada said no to send: not today"])
