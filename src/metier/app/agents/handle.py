"""How is an agent given work, and who may pause or stop it?

outcome = Agents.of(Estimator).do(EstimateRepair(), repair)
"""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from ...domain.outcome import Outcome
from ...domain.principal import SIGNED_IN, Principal, principal_of
from ...domain.receipt import Receipt
from ...domain.skill import SkillSpec
from ...errors import SetupError
from ...gate.approvers import approver_of
from ...skills.job import In, Out, Skill
from ...skills.job_types import input_json, result_of
from ..assigning import Asked
from ..assignment import Assignment
from ..current import current_app
from ..deciding import CHOICE, decision, options_by_name
from ..finding import free_task
from .agent import Agent, AnySkill
from .assigning import For, assign_to
from .finding import agent_of, listed_skill
from .handing import HandedWork
from .stream import Stream

if TYPE_CHECKING:
    from ...domain.seat import Seat
    from ..metier import Metier

T = TypeVar("T")
Option = TypeVar("Option")


class Agents:
    """The agents of the current app."""

    @staticmethod
    def of(agent: str | type[Agent]) -> "AgentHandle":
        """The handle by which an agent is given work (O74). It is looked up when it is first used."""
        return AgentHandle(agent)


class AgentHandle:
    """Gives one agent work, for whoever is signed in: an app lets them by its policy `uses_agents` (O70, O74, O75).

    Each way has a form for code without a loop (`do`) and one to await (`ado`). All of them take what `Metier.arun` takes as
    well: `files`, `approver`, `watch`, `hear`, `unpriced`. What must be asked waits on the record, if no approver is given.
    """

    def __init__(
        self, agent: str | type[Agent], app: "Metier | None" = None, *, person: Principal | None = None
    ) -> None:
        self._which = agent
        self._given_app = app
        self._person = person

    @property
    def agent(self) -> Agent:
        """The agent itself.

        Raises:
            SetupError: the app lists no such agent.
        """
        return agent_of(self._app.house.agents, self._which)

    @property
    def seat(self) -> "Seat | None":
        """Who answers for it, and whether it works."""
        return self._app.record.seat(self.agent.name)

    def for_(self, person: object) -> "AgentHandle":
        """The same agent, working for another person: their reading rights bind, and proposals go to them (O75)."""
        return AgentHandle(self._which, self._given_app, person=principal_of(self._app.house.known(person)))

    def do(self, skill: Skill[In, Out], given: In | None = None, **how: Any) -> Outcome[Out]:
        """Let it do one typed job, and answer how it came out; see `ado`."""
        return self._here(lambda: self.ado(skill, given, **how), "ado")

    async def ado(self, skill: Skill[In, Out], given: In | None = None, **how: Any) -> Outcome[Out]:
        """Let it do one typed job to its end, or until it waits, and answer how it came out (O33, O75).

        Args:
            skill: a job that it lists; its own declaration of that class counts.
            given: what the job takes.
            how: the rest of what `Metier.arun` takes.

        Raises:
            NotAllowed: nobody is signed in, they may not give work, or the agent has no seat or does not work.
            SkillMissing: it does not list the skill.
            and what `Metier.arun` does.
        """
        rows = self._app.house.rows
        listed = listed_skill(self.agent, skill)
        own = listed if isinstance(listed, Skill) else skill
        receipt = await self._run(self._spec(listed), input_json(own, given, rows), **how)
        return self._outcome(receipt, lambda result: result_of(own, result, rows))

    def run(self, skill: str | AnySkill, **how: Any) -> Receipt:
        """Let it do one of its skills, by name, with what a form or another agent would hand it; see `arun`."""
        return self._here(lambda: self.arun(skill, **how), "arun")

    async def arun(self, skill: str | AnySkill, *, input: Any = None, **how: Any) -> Receipt:  # noqa: A002 - as `Metier.arun`
        """Let it do one of its skills, by name, with what a form or another agent would hand it, and answer the receipt.

        Raises:
            InputInvalid: the input is no JSON or does not fit, or the skill cannot be handed (O108, O110).
            and what `ado` does.
        """
        return await self._run(self._spec(listed_skill(self.agent, skill)), input, handed=True, **how)

    def submit(self, skill: str | AnySkill, **how: Any) -> str:
        """Put work for it on the record, and answer the task's id; see `asubmit`."""
        return self._here(lambda: self.asubmit(skill, **how), "asubmit")

    async def asubmit(self, skill: str | AnySkill, *, input: Any = None, **how: Any) -> str:  # noqa: A002 - as `Metier.arun`
        """Put work for it on the record, ready for whoever works on it, and answer the task's id at once.

        Raises:
            what `arun` does.
        """
        one = self._assign(self._spec(listed_skill(self.agent, skill)), input, handed=True, **how)
        return await self._app.put(one)

    def ask(self, text: str, **how: Any) -> Outcome[str]:
        """Ask it something, and answer how it came out; see `aask`."""
        return self._here(lambda: self.aask(text, **how), "aask")

    async def aask(self, text: str, **how: Any) -> Outcome[str]:
        """Ask it something: it answers in words, with no job (O75)."""
        return self._outcome(await self._run(free_task(text), None, **how), str)

    def decide(self, question: str, options: Sequence[Option], **how: Any) -> Outcome[Option]:
        """Let it choose one of several options; see `adecide`."""
        return self._here(lambda: self.adecide(question, options, **how), "adecide")

    async def adecide(self, question: str, options: Sequence[Option], **how: Any) -> Outcome[Option]:
        """Let it choose one of several options, which is the outcome's result (O75).

        Args:
            question: what is to be decided.
            options: texts, members of an enumeration, or whatever reads differently as text.
            how: the rest of what `Metier.arun` takes.

        Raises:
            InputInvalid: there are less than two options, or two read alike.
        """
        named = options_by_name(options)
        receipt = await self._run(decision(question, list(named)), None, **how)
        return self._outcome(receipt, lambda result: named[result[CHOICE]])

    def stream(self, skill: Skill[In, Out], given: In | None = None, **how: Any) -> Stream[Out]:
        """Let it do one typed job, and follow it: entries and text as they come, the outcome last (O75)."""
        return Stream(lambda watch, hear: self.ado(skill, given, watch=watch, hear=hear, **how), self._here)

    def tool(self, skill: Skill[Any, Any]) -> HandedWork:
        """This agent's skill as a tool of another job: work is handed on, as a task of its own, from the same money (O76)."""
        return HandedWork(self._which, skill)

    def pause(self) -> "Seat":
        """Let it take no new work; what runs waits at its next step (O72). For whoever supervises agents."""
        return self._here(self.apause, "apause")

    async def apause(self) -> "Seat":
        """As `pause`."""
        return self._set("paused")

    def resume(self) -> "Seat":
        """Let it work again; what waited for that goes on with the next worker, or when it is resumed."""
        return self._here(self.aresume, "aresume")

    async def aresume(self) -> "Seat":
        """As `resume`."""
        return self._set("works")

    def stop(self) -> "Seat":
        """Stop it: what runs ends Stopped at its next step, and what it asked is withdrawn (O72)."""
        return self._here(self.astop, "astop")

    async def astop(self) -> "Seat":
        """As `stop`."""
        seat = self._set("stopped")
        await self._app.stop_all(self.agent.name, by=seat.by)
        return seat

    @property
    def _app(self) -> "Metier":
        return self._given_app or current_app()

    def _here(self, work: Callable[[], Coroutine[Any, Any, T]], asynchronous: str) -> T:
        return self._app.run_here(work, asynchronous)

    def _spec(self, listed: AnySkill | str) -> SkillSpec:
        return self._app.house.skill_of(listed)

    async def _run(self, spec: SkillSpec, value: Any, *, watch: Any = None, **how: Any) -> Receipt:
        return await self._app.work.begin(self._assign(spec, value, **how), watch)

    def _assign(
        self,
        spec: SkillSpec,
        value: Any,
        *,
        handed: bool = False,
        files: Sequence[Any] = (),
        approver: Any = None,
        hear: Callable[[str], None] | None = None,
        unpriced: bool = False,
    ) -> Assignment:
        app = self._app
        giver = app.doors.somebody()
        whom = For(giver, self._person or giver)
        ask = {} if approver is None else {"approver": approver_of(approver, cure="")}
        asked = Asked(value, files, None, unpriced)
        return assign_to(app.house, app.new_id(), self.agent, spec, asked, whom, handed=handed, hear=hear, **ask)

    def _outcome(self, receipt: Receipt, read: Callable[[Any], T]) -> Outcome[T]:
        waiting = self._app.record.proposals(task=receipt.id) if receipt.state == "Waiting" else ()
        return Outcome(read(receipt.result) if receipt.done else None, receipt, waiting)

    def _set(self, state: Any) -> "Seat":
        app, agent = self._app, self.agent
        app.doors.pass_("supervises_agents")
        seat = app.record.seat(agent.name)
        if seat is None:
            raise SetupError(f"The agent {agent.name} has no seat.", hint="Give it one with app.seat(AgentSeat(…)).")
        who = SIGNED_IN.get()
        seat = replace(seat, state=state, by=who.id if who else app.house.user)
        app.record.put_seat(seat)
        return seat
