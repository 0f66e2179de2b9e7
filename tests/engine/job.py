"""The job that is killed at every point: everything that a task can do is in it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import asdict, replace
from typing import Any

from metier.app.metier import Metier
from metier.config import Settings
from metier.domain.action import Action, Effect, Hands, Returned, Settled
from metier.domain.message import Answer, Request, TextPiece
from metier.domain.money import LlmPrice
from metier.domain.permits import Permits
from metier.domain.skill import Job
from metier.testing import AgentScript, Says, ScriptedModel

from .world import World

NUMBER: Mapping[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
READ = {"skill_name": "kill", "resource_name": "references/notes.md"}
STEPS = (
    Says.many(Says.text("I look at both."), Says.tool("look", {"n": 1}), Says.tool("look", {"n": 2})),
    Says.tool("put", {"n": 1}),
    Says.many(Says.tool("put", {"n": 2}), Says.tool("read_skill_resource", READ), Says.tool("put", {"n": 3})),
    Says.many(Says.tool("send", {"n": 1}), Says.tool("pay", {"n": 1})),
    Says.tool("run_skill_script", {"skill_name": "kill", "script_name": "scripts/go.sh"}),
    Says.hand_back({"total": 1}),
    Says.hand_back({"total": 6}),
)
SCRIPT = AgentScript.of(*(step.tokens(100 * place, 10) for place, step in enumerate(STEPS, 1)))
PRICE = LlmPrice(input="3", output="15")  # type: ignore[arg-type]  # it reads texts as exact decimals
SLOW = 0.004
"""Seconds that the model takes: long enough for its begin to be written."""


class Client(ScriptedModel):
    """A model that takes a moment, and tells what it was sent and when."""

    def __init__(self, world: World) -> None:
        super().__init__("played", self._said, price=PRICE, max_output_tokens=100)
        self._world = world

    async def stream(self, request: Request) -> AsyncIterator[TextPiece | Answer]:
        """Its words one by one, then nothing for a moment."""
        answer = await self.whole(request)
        for word in (answer.message.text or "hm").split(" "):
            yield TextPiece(word)
            await asyncio.sleep(0)
        self._world.event("model has spoken")
        yield answer

    async def _said(self, request: Request) -> Answer:
        self._world.asked([asdict(message) for message in request.messages] + [request.system, request.must_call])
        await asyncio.sleep(SLOW)
        self._world.event("model was asked")
        return SCRIPT.answer(request)


def tools(world: World) -> list[Action]:
    """What the job can call: something to read, and three that change the world."""

    async def look(given: Mapping[str, Any], _: Hands) -> str:
        world.event("look")
        return f"saw {given['n']}"

    def acting(name: str) -> Callable[[Mapping[str, Any], Hands], Any]:
        async def act(given: Mapping[str, Any], hands: Hands) -> str:
            world.act(hands.key, f"{name} {given['n']}")
            return f"{name}: {given['n']}"

        return act

    async def settle(given: Mapping[str, Any], key: str) -> Settled:
        paid = (key, f"pay {given['n']}") in world.effects
        return Returned(f"pay: {given['n']}") if paid else "never_ran"

    effects: dict[str, frozenset[Effect]] = {
        "put": frozenset({"changes"}),
        "send": frozenset({"sends"}),
        "pay": frozenset({"changes"}),
    }
    reading = Action("look", "Looks.", NUMBER, look, frozenset({"reads"}))
    changing = [
        Action(name, f"Does {name}.", NUMBER, acting(name), effect, settle=settle if name == "pay" else None)
        for name, effect in effects.items()
    ]
    return [reading, *changing]


def house(world: World) -> tuple[Metier, Any]:
    """The program that works on the job, given nothing but its folder; and its skill."""
    settings = Settings(project=str(world.folder), giver="Ada")
    permits = Permits.proposes().alone("put", "pay")
    app = Metier(settings=settings, record=world.record, skills=[world.skills], model=Client(world), permits=permits)
    found = app.find("kill")
    skill = replace(found, job=replace(found.job or Job(), tools=tools(world)))
    again = Metier(
        settings=settings, record=world.record, skills=[world.skills, skill], model=Client(world), permits=permits
    )
    return again, skill
