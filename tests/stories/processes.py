"""Processes of one machine that work on one record, each with a loop of its own, and that can freeze anywhere.

A frozen process does nothing until it is woken: its loop stands still, as under SIGSTOP. One that is killed never wakes.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from metier.app.metier import Metier
from metier.config import Settings
from metier.domain.action import Action, Effect, Hands
from metier.domain.bounds import StopWhen
from metier.domain.message import Answer, ModelMessage, Request, ToolCall
from metier.domain.money import LlmPrice, Usage
from metier.domain.permits import Permits
from metier.domain.skill import Job, SkillSpec
from metier.errors import MetierError
from metier.testing import ScriptedModel

NUMBER: Mapping[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
PRICE = LlmPrice(Decimal(1), Decimal(10))
EFFECTS: Mapping[str, frozenset[Effect]] = {
    "look": frozenset({"reads"}),
    "put": frozenset({"changes"}),
    "send": frozenset({"sends"}),
}
STOP = StopWhen(max_turns=40, stuck_after=40, same_call=40, same_call_new_answer=40)


@dataclass(slots=True)
class Town:
    """What all processes share: the record's file, and the world that they change."""

    folder: Path
    effects: Counter[str] = field(default_factory=Counter[str])
    """How often each call took effect, by its key."""

    @property
    def record(self) -> Path:
        """Where the record lies."""
        return self.folder / "record.sqlite"


class Process:
    """One process: an app, its loop, and the one task that it works on."""

    def __init__(self, town: Town, *, budget: Decimal = Decimal(1)) -> None:
        self.town = town
        self.runner = asyncio.Runner()
        # What is cut at its close has nobody left to tell.
        self.runner.get_loop().set_exception_handler(lambda *_: None)
        self.app = Metier(
            settings=Settings(project=str(town.folder), giver="Ada"),
            record=town.record,
            model=ScriptedModel("played", self._answer, price=PRICE, max_output_tokens=50),
            permits=Permits.changes_alone(),
            skills=[self._skill(budget)],
        )
        self.app.__enter__()
        self.task = ""
        self.work: asyncio.Future[Any] | None = None
        self.error: BaseException | None = None
        self._freezes_in = 0
        self._frozen: asyncio.Event | None = None
        self._woken: asyncio.Event | None = None

    def submit(self, plan: list[str], budget: Decimal) -> str:
        """Put a task on the record that takes these steps."""
        return self.runner.run(self.app.asubmit(self._skill(budget), input=json.dumps(plan)))

    def begin(self, task: str, work: Callable[[Metier], Awaitable[Any]], *, freezes_in: int) -> None:
        """Work on a task until that is done, or until it freezes at the n-th point, if n is no 0."""
        self.task, self._freezes_in = task, freezes_in
        self.runner.run(self._begin(work))

    def wake(self) -> None:
        """Go on from where it froze, to the end."""
        if self._woken is not None:
            self._woken.set()
        self.runner.run(self._go_on())

    @property
    def frozen(self) -> bool:
        """Whether it stands still in the middle."""
        return self.work is not None and not self.work.done()

    def close(self) -> None:
        """End it for good."""
        with suppress(MetierError):
            self.runner.close()
        with suppress(MetierError):
            self.app.close()

    async def _begin(self, work: Callable[[Metier], Awaitable[Any]]) -> None:
        self._frozen, self._woken = asyncio.Event(), asyncio.Event()
        self.work = asyncio.ensure_future(work(self.app))
        await self._go_on()

    async def _go_on(self) -> None:
        assert self.work is not None
        assert self._frozen is not None
        frozen = asyncio.ensure_future(self._frozen.wait())
        self._frozen.clear()
        await asyncio.wait({self.work, frozen}, return_when=asyncio.FIRST_COMPLETED)
        frozen.cancel()
        if not self.work.done():
            # What it noted is on the record by then: with less, the same steps would not always come to the same.
            self.app.tasks(limit=1)  # a look at the record writes what waits
        if self.work.done() and not self.work.cancelled():
            self.error = self.work.exception()

    async def _point(self) -> None:
        """A point at which it may freeze."""
        self._freezes_in -= 1
        if self._freezes_in == 0 and self._frozen is not None and self._woken is not None:
            self._frozen.set()
            await self._woken.wait()

    def _skill(self, budget: Decimal) -> SkillSpec:
        tools = [Action(name, name, NUMBER, self._body(name), effects) for name, effects in EFFECTS.items()]
        return SkillSpec("walk", "Walk.", job=Job(tools=tools, budget=budget, stop=STOP))

    def _body(self, name: str) -> Callable[[Mapping[str, Any], Hands], Awaitable[str]]:
        async def body(given: Mapping[str, Any], hands: Hands) -> str:
            await self._point()
            if name != "look":
                self.town.effects[hands.key] += 1
            await self._point()
            return f"{name} {given['n']}"

        return body

    async def _answer(self, request: Request) -> Answer:
        """The step of the plan that the request is at; the plan is the task's input."""
        await self._point()
        plan: list[str] = json.loads(request.messages[0].text.rpartition("Input: ")[2])
        place = sum(isinstance(message, ModelMessage) for message in request.messages)
        usage = Usage(input=100, output=10)
        if place >= len(plan):
            return Answer(ModelMessage("walked"), usage)
        names = plan[place].split("+")
        calls = tuple(ToolCall(f"s{place}.{nth}", name, {"n": nth}) for nth, name in enumerate(names))
        return Answer(ModelMessage("", calls), usage)
