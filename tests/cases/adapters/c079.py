"""Does a task that is stopped, wherever it is, leave its books in order?"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from metier.actions.function import action, action_of
from metier.app.metier import Metier
from metier.domain.entry import Entry
from metier.domain.message import Answer, Request
from metier.domain.money import Usage
from metier.domain.permits import Permits
from metier.domain.proposal import Proposal
from metier.domain.skill import Job, SkillSpec
from metier.testing import AgentScript, Says, ScriptedModel

from ..case import Case, Happened

POINTS = {
    "before model": ("Briefed", 1),
    "in model stream": ("model", 1),
    "after model, before tool": ("ModelAnswered", 1),
    "in tool": ("tool", 1),
    "after tool 1 of 2": ("ToolReturned", 1),
    "after tools, before model": ("ToolReturned", 2),
    "while pending": ("approver", 1),
}
"""The points of the case as we know them: the n-th entry of a kind, or the n-th time that somebody is waited for."""
STEPS = (
    Says.many(Says.tool("put", {"n": 1}), Says.tool("put", {"n": 2})).tokens(70, 20),
    Says.text("done").tokens(90, 5),
)
NEVER, CUT, DONE = "never ran", "cut", "done"
EXPECTED = {
    "before model": [],
    "in model stream": [],
    "after model, before tool": [NEVER, NEVER],
    "in tool": [CUT, NEVER],
    "after tool 1 of 2": [DONE, NEVER],
    "after tools, before model": [DONE, DONE],
    "while pending": [NEVER, NEVER],
    "books in disorder": [],
    "points of the sweep": True,
}


@dataclass(slots=True)
class Stopping:
    """Runs one task and stops it at a point; everything that can wait does so at least for a moment."""

    kind: str
    nth: int
    ran: list[int] = field(default_factory=list[int])
    passed: int = 0
    work: "asyncio.Future[Any] | None" = None

    async def waits(self, who: str) -> None:
        """Somebody is waited for: for ever, if that is the point."""
        await asyncio.sleep(0)
        if self._is_point(who):
            self._stop()
            await asyncio.Event().wait()

    def watch(self, entry: Entry) -> None:
        """Stop when the n-th entry of the kind, or of any kind, is written."""
        if self._is_point(entry.kind):
            self._stop()

    def _is_point(self, what: str) -> bool:
        self.passed += what == self.kind or (not self.kind and what[0].isupper())
        return self.passed == self.nth and (what == self.kind or not self.kind)

    def _stop(self) -> None:
        self.nth = 0
        if self.work is not None:
            self.work.cancel()

    def model(self) -> ScriptedModel:
        """The model of the case's turn; it is waited for."""
        script = AgentScript.of(*STEPS)

        async def answer(request: Request) -> Answer:
            await self.waits("model")
            return script.answer(request)

        return ScriptedModel("case", answer)

    def job(self) -> SkillSpec:
        """A job with one tool, which is waited for."""

        @action(changes=True)
        async def put(n: int) -> str:
            """Put."""
            await self.waits("tool")
            self.ran.append(n)
            return f"put {n}"

        return SkillSpec("job", "Put both.", job=Job(tools=[action_of(put)]))

    async def approve(self, _: Proposal) -> bool:
        """Say yes, after a while."""
        await self.waits("approver")
        return True


def happens(case: Case, folder: Path) -> Happened:
    """Stop at each point of the case; then at every entry of a task, with and without a person to ask."""
    points: Sequence[str] = case.read("points.toml")["points"]
    facts: dict[str, Any] = {point: _stopped(folder, *POINTS[point]).ends for point in points}
    swept = [_stopped(folder, "", nth, permits=permits) for permits in (ASKING, FREE) for nth in range(2, 14)]
    every = [*swept, *(_stopped(folder, *POINTS[point]) for point in points)]
    facts["books in disorder"] = [stopped.disorder for stopped in every if stopped.disorder]
    facts["points of the sweep"] = sum(stopped.was_stopped for stopped in swept) >= 15
    return Happened("ok" if not facts["books in disorder"] else "error", facts=facts)


ASKING, FREE = Permits.proposes(), Permits.changes_alone()


@dataclass(frozen=True, slots=True)
class Stopped:
    """What the record says of a task that was stopped, or had ended before."""

    was_stopped: bool
    ends: list[str]
    """How the tool's calls came out, in their order."""
    disorder: str
    """What is wrong with the record; empty: nothing."""


def _stopped(folder: Path, kind: str, nth: int, *, permits: Permits = ASKING) -> Stopped:
    stopping = Stopping(kind, nth)

    async def go() -> Stopped:
        async with Metier(project=folder, record=False, model=stopping.model(), permits=permits) as app:
            stopping.work = asyncio.ensure_future(_run(app, stopping))
            await asyncio.wait([stopping.work])
            (first,) = app.tasks()
            entries = list(app.record.entries(first.id))
            wrong = _disorder(app, first.id, entries)
            was_stopped = first.state == "Stopped"
            if was_stopped:
                # It is gone on with, without another word to the model; and the app can do other tasks.
                again = await app.aresume(first.id, approver=stopping.approve)
                wrong = wrong or ("" if again.done and len(stopping.ran) <= 2 else "the stopped task cannot go on")
            other = await _run(app, Stopping("", 0))
            return Stopped(was_stopped, _ends(entries), wrong or ("" if other.done else "the next run fails"))

    return asyncio.run(go())


def _run(app: Metier, stopping: Stopping) -> Awaitable[Any]:
    """One task; the model of the app is that of the first one, which waits no more."""
    approve: Callable[[Proposal], Awaitable[bool]] = stopping.approve
    return app.arun(stopping.job(), approver=approve, watch=stopping.watch, hear=lambda _: None)


def _ends(entries: Sequence[Entry]) -> list[str]:
    words = {"never_ran": NEVER, "stopped": CUT, "done": DONE}
    ends = {str(one.facts["call"]): words[one.facts["outcome"]] for one in entries if one.kind == "ToolReturned"}
    ends |= {str(one.facts["call"]): NEVER for one in entries if one.kind == "Refused"}
    return [ends[call] for call in sorted(ends)]


def _disorder(app: Metier, task: str, entries: Sequence[Entry]) -> str:
    """The first thing that the record of a task has wrong: an open call, tokens uncounted, an end too many or too few."""
    said = [call["id"] for one in entries if one.kind == "ModelAnswered" for call in (one.body or {}).get("calls", ())]
    used = sum((Usage(**one.facts["usage"]) for one in entries if "usage" in one.facts), Usage())
    kinds = [one.kind for one in entries]
    receipt = app.receipt(task)
    wrong = {
        "a call without its end": len(_ends(entries)) != len(said),
        "a model call without its end": kinds.count("ModelCalled") != kinds.count("ModelAnswered"),
        "tokens uncounted": receipt.usage != used or (bool(said) and used.sent < 70),
        "no end, or more than one": sum("ended" in one.facts for one in entries) != 1
        or "ended" not in entries[-1].facts,
        "another outcome": (receipt.state, receipt.reason) not in (("Stopped", "cancelled"), ("Done", "answered")),
        "a broken chain": not app.verify(task).ok,
    }
    return ", ".join(what for what, is_so in wrong.items() if is_so)
