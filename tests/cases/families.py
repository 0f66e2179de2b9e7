"""How do two agents play a case in which one hands work to the other?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from metier.actions.function import action
from metier.actions.info import Actions
from metier.app.agents.agent import Agent
from metier.app.agents.handle import Agents
from metier.app.agents.seat import AgentSeat
from metier.app.agents.setup import AgentsSetup
from metier.app.metier import Metier
from metier.domain.bounds import StopWhen
from metier.domain.entry import Entry
from metier.domain.message import Answer, Request
from metier.domain.money import FREE, LlmPrice
from metier.domain.receipt import Receipt
from metier.skills.job import Skill
from metier.testing import AgentScript, Says, ScriptedModel

from .playing import RECORD


@dataclass(frozen=True)
class Question:
    """What the helper is handed."""

    q: str


@action(query=True)
def look(q: int) -> str:
    """Look."""
    return f"seen {q}"


class Help(Skill[Question, str]):
    """Answer a question."""

    tools = (Actions.of(look),)
    stop = StopWhen(max_turns=3)


class Helper(Agent):
    """The agent that work is handed to."""

    skills = (Help(),)


HELPER = Agents.of(Helper).tool(Help())
"""The helper's work, as a tool of the other agent."""


class Work(Skill[str, str]):
    """Do the work, with somebody's help."""

    tools = (HELPER,)
    stop = StopWhen(max_turns=50)


class Worker(Agent):
    """The agent that hands work on."""

    skills = (Work(),)


def handed(arguments: Mapping[str, Any]) -> Says:
    """The step that hands work on."""
    return Says.tool(HELPER.action, arguments)


@dataclass(frozen=True, slots=True)
class Family:
    """What came of the work: its receipt, and those of the tasks below it."""

    receipt: Receipt
    children: Sequence[Receipt]
    entries: Mapping[str, Sequence[Entry]]
    """The entries of each task, by its id."""
    answers: Sequence[str]
    """What the outer model was answered by its calls."""


@dataclass(slots=True)
class Household:
    """Plays the work of two agents with one scripted model, which tells them apart by their tools."""

    folder: Path
    outer: Sequence[Says]
    inner: Sequence[Says]
    price: LlmPrice = FREE
    max_output_tokens: int = 100
    seen: list[Request] = field(default_factory=list[Request])

    def play(self, *, budget: Decimal | None = None, later: bool = False) -> Family:
        """Do the work once.

        Args:
            budget: the most dollars that all of it may cost.
            later: whether it is put on the record first, and worked on from there.
        """
        self.seen.clear()
        model = ScriptedModel("case", self._answer(), price=self.price, max_output_tokens=self.max_output_tokens)
        setup = AgentsSetup(agents=[Worker(), Helper()], uses_agents=lambda _: True, ceiling=budget)
        with Metier(project=self.folder, record=self.folder / RECORD, model=model, agents=setup) as app:
            for agent in (Worker, Helper):
                app.seat(AgentSeat(agent, sponsor="Ada"))
            with app.as_("Ada"):
                worker = Agents.of(Worker)
                if later:
                    receipt = app.resume(worker.submit(Work(), input="the work"))
                else:
                    receipt = worker.do(Work(), "the work").receipt
            children = [app.record.receipt(one.id) for one in app.record.children(receipt.id)]
            tasks = [receipt.id, *(one.id for one in children)]
            entries = {one: list(app.record.entries(one, whole=True)) for one in tasks}
        return Family(receipt, children, entries, [one.text for one in self.seen[-1].messages if one.role == "tool"])

    def _answer(self) -> Callable[[Request], Answer]:
        scripts = {True: AgentScript.of(*self.outer), False: AgentScript.of(*self.inner)}

        def answer(request: Request) -> Answer:
            outer = any(tool.name == HELPER.action for tool in request.tools)
            if outer:
                self.seen.append(request)
            return scripts[outer].answer(request)

        return answer
