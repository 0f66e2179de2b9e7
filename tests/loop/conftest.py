"""Runs of the loop over scripted models, with an entry list in memory."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest

from metier.domain.action import Action, Effect, Hands
from metier.domain.bounds import StopWhen
from metier.domain.call import HAND_BACK
from metier.domain.entry import Entry
from metier.domain.message import Answer, Request, ToolMessage, ToolSpec, UserMessage
from metier.domain.money import FREE, LlmPrice
from metier.domain.permits import Permits
from metier.domain.ports import Approver
from metier.domain.task import Ended, RunEnd
from metier.gate.approvers import Yes
from metier.gate.bounds import Bounds
from metier.gate.meter import Meter
from metier.gate.path import Path
from metier.loop.checks import Judge
from metier.loop.hand_back import hand_back_action
from metier.loop.loop import work
from metier.loop.run import Run
from metier.loop.talk import Talk
from metier.record import MemoryLog
from metier.testing import AgentScript, Says, ScriptedModel

ANYTHING: Mapping[str, Any] = {"type": "object"}


def act(name: str, answer: Any = "done", *, effects: Sequence[Effect] = ("reads",), polls: bool = False) -> Action:
    """An action that answers a value, or what a function of its arguments answers; it may be async."""

    async def body(arguments: Mapping[str, Any], _: Hands) -> Any:
        said = answer(arguments) if callable(answer) else answer
        return await said if isinstance(said, Awaitable) else said

    return Action(name, f"Does {name}.", ANYTHING, body, frozenset(effects), polls=polls)


@dataclass
class Job:
    """A job to be worked on, and what came of it."""

    actions: Sequence[Action] = ()
    result: Mapping[str, Any] | None = None
    """Schema of the result; none: words."""
    judge: Judge | None = None
    stop: StopWhen = StopWhen()
    price: LlmPrice = FREE
    budget: Decimal | None = None
    can_force: bool = True
    approver: Approver = Yes("test")
    log: MemoryLog = field(default_factory=lambda: MemoryLog("t"))
    seen: list[Request] = field(default_factory=list[Request])
    told: list[list[str]] = field(default_factory=list[list[str]])
    """What each request held, as texts; the messages of a request go on growing."""
    hear: Callable[[str], None] | None = None
    run: Run | None = None

    def make(self, *steps: Says, model: Any = None) -> Run:
        """The run of this job with a model that takes these steps."""
        script = AgentScript.of(*steps)

        def answer(request: Request) -> Answer:
            self.seen.append(request)
            self.told.append([message.text for message in request.messages])
            return script.answer(request)

        model = model or ScriptedModel(
            "test", answer, price=self.price, max_output_tokens=100, can_force=self.can_force
        )
        actions = {action.name: action for action in self.actions}
        if self.result is not None:
            actions[HAND_BACK] = hand_back_action(self.result, judge=self.judge, fits=self._fits)
        path = Path(task="t", actions=actions, log=self.log, permits=Permits.proposes(), approver=self.approver)
        talk = Talk(
            system="system", tools=[ToolSpec(one.name, one.description, one.parameters) for one in actions.values()]
        )
        talk.tell("the task")
        bounds = Bounds(self.stop, Meter(price=model.price, budget=self.budget))
        self.run = Run(model, talk, path, bounds, self.log, actions, typed=self.result is not None, hear=self.hear)
        return self.run

    def go(self, *steps: Says, model: Any = None) -> Ended:
        """Work on it to its end."""

        async def begin() -> Ended:
            ended = await work(self.make(*steps, model=model))
            assert isinstance(ended, Ended)
            return ended

        return asyncio.run(begin())

    def work(self) -> RunEnd:
        """Work on the run that was made."""
        assert self.run is not None
        return asyncio.run(work(self.run))

    @property
    def entries(self) -> list[Entry]:
        """What was noted."""
        return list(self.log.entries())

    @property
    def kinds(self) -> list[str]:
        """The kinds of what was noted."""
        return [entry.kind for entry in self.entries]

    def notes(self, kind: str) -> list[Entry]:
        """What was noted of one kind."""
        return [entry for entry in self.entries if entry.kind == kind]

    @property
    def answers(self) -> list[str]:
        """The answers that the model was given to its calls, in order."""
        messages = self.run.talk.messages if self.run else []
        return [message.text for message in messages if isinstance(message, ToolMessage)]

    @property
    def notices(self) -> list[str]:
        """What the model was told beside answers."""
        messages = self.run.talk.messages if self.run else []
        return [message.text for message in messages if isinstance(message, UserMessage)]

    def _fits(self, result: Any) -> None:
        assert self.run is not None
        self.run.best = result


@pytest.fixture
def job() -> Callable[..., Job]:
    """Makes a job."""
    return Job


def judging(answer: Callable[[Any], str | None]) -> Action:
    """A check of the app as an action."""
    return act("check", lambda given: answer(given["result"]))
