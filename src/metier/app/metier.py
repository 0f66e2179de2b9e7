"""What does a program hold to give work to agents?

with Metier(model=model) as app:
    receipt = app.run("expense-report", files=["expenses.csv"], approver=approver)
"""

import asyncio
import os
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import copy_context
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from ..config import Settings, load_settings
from ..domain.outcome import Outcome
from ..domain.permits import Permits
from ..domain.ports import Approver, Model, Person, Watcher
from ..domain.receipt import Receipt
from ..domain.skill import SkillSpec
from ..engine.in_process import AT_ONCE, InProcess
from ..errors import SetupError
from ..gate.approvers import Answering, approver_of
from ..models.llm_setup import LlmSetup
from ..record import Record, open_record
from ..skills.catalogue import Catalogue
from ..skills.job import In, Out, Skill
from ..skills.job_types import result_of
from .agents.agent import Agent
from .agents.doors import Doors
from .agents.handle import AgentHandle
from .agents.seat import AgentSeat, take_seat
from .agents.setup import AgentsSetup
from .assigning import LATER, Asked, Meant, assign
from .assignment import Assignment
from .background import Background
from .current import enter, leave, signed_in
from .finding import catalogue_of
from .forms import input_of
from .going_on_from import copy_to
from .house import house_of
from .reading import Reading
from .stopping import stop_agent, stop_family
from .task_ids import dated_id
from .work import Work

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from ..domain.principal import Principal
    from ..domain.seat import Seat
    from ..rows.app_rows import AppRows

Answer = TypeVar("Answer")

NOBODY = "Give an approver: metier never runs code or changes things without somebody's yes."


class Metier(Reading):
    """The house, wired: skills, a model, permits and a record. Use it as a context manager, sync or async.

    Args:
        project: the folder to look from for `metier.toml`, upwards; the working folder if none.
        model: a model, or the name of one as in the settings; what the settings say if none.
        llm: the models that the app lists; each job gets the one that its needs ask for.
        skills: folders to look for skills in, beside those of the settings; and skills as values, declared in code.
        record: the record's file; what the settings say if none; False keeps no record.
        permits: what is done alone, proposed or never; `Permits.proposes()` if none.
        rows: the app's stored rows: an engine of SQLAlchemy, or `metier.rows.AppRows`.
        agents: the app's agents, their limits, and who may give them work.
        settings: settings made beforehand; no file or variable is read then.
        person: who sits at the terminal, for the model `me`.
        clock: nanoseconds since the epoch.
        new_id: makes the ids of tasks.
    """

    def __init__(
        self,
        *,
        project: str | os.PathLike[str] | None = None,
        model: Model | str | None = None,
        llm: LlmSetup | None = None,
        skills: Sequence[str | os.PathLike[str] | SkillSpec | Skill[Any, Any]] = (),
        record: str | os.PathLike[str] | bool | None = None,
        permits: Permits | None = None,
        rows: "Engine | AppRows | None" = None,
        agents: AgentsSetup | None = None,
        settings: Settings | None = None,
        person: Person | None = None,
        clock: Callable[[], int] = time.time_ns,
        new_id: Callable[[], str] | None = None,
    ) -> None:
        base = settings or load_settings(None if project is None else os.fspath(project))
        self._house = house_of(
            base, skills=skills, model=model, llm=llm, permits=permits, person=person, rows=rows, agents=agents
        )
        self.settings = self._house.settings
        self._clock = clock
        self.new_id = new_id or partial(dated_id, clock)
        self._record_at = self.settings.record_path if record is None or record is True else record
        self._record: Record | None = None
        self._runner: asyncio.Runner | None = None
        self._work: Work | None = None
        self._engine: InProcess | None = None
        self._background: Background | None = None
        self.doors = Doors(self._house.agents, self._house.answers)

    def __enter__(self) -> Self:
        self._open()
        enter(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_open(self) -> bool:
        """Whether it is between its opening and `close`."""
        return self._record is not None

    def close(self) -> None:
        """Close the record and the loop of the sync forms."""
        leave(self)
        if self._background is not None:
            self._background.close()
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.close()
        record, self._record, self._work, self._background = self._record, None, None, None
        if record is not None:
            record.close()

    def run(self, skill: Meant, **how: Any) -> Receipt:
        """Do one task to its end, or until it waits, and answer its receipt. Takes what `arun` takes.

        Raises:
            SetupError: called where a loop runs already; await `arun` there.
        """
        return self.run_here(lambda: self.arun(skill, **how), "arun")

    def submit(self, skill: Meant, **how: Any) -> str:
        """Put one task on the record for whoever works on it, and answer its id. Takes what `asubmit` takes."""
        return self.run_here(lambda: self.asubmit(skill, **how), "asubmit")

    def resume(self, task: str, **how: Any) -> Receipt:
        """Go on with a task that was left, and answer its receipt. Takes what `aresume` takes."""
        return self.run_here(lambda: self.aresume(task, **how), "aresume")

    def replay_from(self, task: str, step: int, *, model: str = "", **how: Any) -> Receipt:
        """Go on from one of a task's steps with another model, as a new task; see `areplay_from`."""
        return self.run_here(lambda: self.areplay_from(task, step, model=model, **how), "areplay_from")

    def stop(self, task: str, *, by: str = "") -> Receipt:
        """Stop a task, wherever it runs, and answer its receipt; see `astop`."""
        return self.run_here(lambda: self.astop(task, by=by), "astop")

    def run_here(self, work: Callable[[], Coroutine[Any, Any, Answer]], asynchronous: str) -> Answer:
        """Run a coroutine to its end on this app's own loop."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            self.record  # noqa: B018 - says clearly that the app is not open
            if self._runner is None:
                self._runner = asyncio.Runner()
            # In the caller's context: who is signed in there gives the work.
            return self._runner.run(work(), context=copy_context())
        raise SetupError(
            f"`{asynchronous[1:]}` was called where a loop runs already.", hint=f"Write `await app.{asynchronous}(…)`."
        )

    async def arun(
        self,
        skill: Meant,
        *,
        input: Any = None,  # noqa: A002 - the word that the requirements and the command line use
        files: Sequence[str | os.PathLike[str]] = (),
        offered: Sequence[SkillSpec] | None = None,
        approver: Approver | Answering | None = None,
        cure: str = NOBODY,
        watch: Watcher | None = None,
        hear: Callable[[str], None] | None = None,
        unpriced: bool = False,
    ) -> Receipt:
        """Do one task to its end, or until it waits for somebody, and answer its receipt.

        Args:
            skill: a skill's name or folder, a skill as a value, or a task in free words: what holds a space.
            input: the typed input, or text.
            files: files that the job's scripts get copies of.
            offered: the skills that the model is told of; the skill itself if none, every skill for free words.
            approver: answers proposals; nobody if none. `metier.gate.approvers.Later` leaves them on the record.
            cure: what would serve, told when there is nobody to ask.
            watch: is told of each entry as it is written.
            hear: is told the model's text as it comes.
            unpriced: whether a model without a known price may run.

        Raises:
            SkillError: there is no such skill, or it cannot be used.
            InputInvalid: the input or a file does not fit what the skill takes.
            SetupError: no model is set, or a setting is wrong.
            RecordError: the record cannot be opened or written.
            LeaseLost: another process took the task over, for this one was not heard of for too long.
        """
        who = approver_of(approver, cure=cure)
        given = Asked(input, files, offered, unpriced)
        one = assign(self._house, self.new_id(), skill, given, approver=who, hear=hear)
        return await self.work.begin(one, watch)

    def do(self, skill: Skill[In, Out], given: In | None = None, **how: Any) -> Outcome[Out]:
        """Do one typed job and answer how it came out; see `ado`."""
        return self.run_here(lambda: self.ado(skill, given, **how), "ado")

    async def ado(self, skill: Skill[In, Out], given: In | None = None, **how: Any) -> Outcome[Out]:
        """Do one typed job to its end, or until it waits, and answer how it came out, with its result typed (O33).

        Args:
            skill: an instance of the job's class.
            given: what it takes.
            how: the rest of what `arun` takes.

        Raises:
            what `arun` does.
        """
        receipt = await self.arun(skill, input=given, **how)
        waiting = self.record.proposals(task=receipt.id) if receipt.state == "Waiting" else ()
        return Outcome(result_of(skill, receipt.result, self._house.rows) if receipt.done else None, receipt, waiting)

    async def asubmit(
        self,
        skill: Meant,
        *,
        input: Any = None,  # noqa: A002 - the word that the requirements and the command line use
        files: Sequence[str | os.PathLike[str]] = (),
        offered: Sequence[SkillSpec] | None = None,
        unpriced: bool = False,
    ) -> str:
        """Put one task on the record and answer its id at once. It begins with the next worker, or is resumed.

        Takes and raises what `arun` does; whatever must be asked waits on the record.
        """
        one = assign(self._house, self.new_id(), skill, Asked(input, files, offered, unpriced))
        return await self.put(one)

    async def put(self, one: Assignment) -> str:
        """Put an assignment on the record, ready for whoever works on it, and answer its task's id."""
        task = await self.work.submit(one)
        if self._engine is not None:
            self._engine.submit(task)
        return task

    async def aresume(
        self,
        task: str,
        *,
        approver: Approver | Answering | None = None,
        watch: Watcher | None = None,
        hear: Callable[[str], None] | None = None,
    ) -> Receipt:
        """Go on with a task that waits, was stopped, or whose process died, from its last known step.

        What came out is never done again, and no recorded answer is paid for again.

        Args:
            task: its id, the beginning of it, or `last`.
            approver: answers proposals; if none, they stay on the record.
            watch: is told of each entry as it is written.
            hear: is told the model's text as it comes.

        Raises:
            TaskMissing: there is no such task.
            TaskOver: it has ended.
            TaskTaken: another process works on it.
            SkillError: its skill is not here, or has changed since; the task waits.
            SetupError: its model is not to be had here; the task waits.
        """
        who = LATER if approver is None else approver_of(approver, cure=NOBODY)
        return await self.work.resume(self._find_task(task), approver=who, watch=watch, hear=hear)

    async def areplay_from(self, task: str, step: int, *, model: str = "", **how: Any) -> Receipt:
        """Go on from one of a task's steps with another model, as a new task, and answer its receipt.

        Nothing of what came before the step is done or paid for again; from there on the work is real, and goes through the
        gate. Steps are counted from 1; the model is the old one's own if none is named. Takes what `aresume` takes.

        Raises:
            InputInvalid: the task has no such step.
            and what giving the task and `aresume` do.
        """
        return await self.aresume(copy_to(self, self._whole(task), step, model=model), **how)

    async def astop(self, task: str, *, by: str = "") -> Receipt:
        """Stop a task and its children, wherever they run, and answer its receipt. What is done stays done; it can be resumed.

        Raises:
            TaskMissing: there is no such task.
            TaskOver: it has ended.
        """
        found = self._whole(task)
        await stop_family(self.record, self._worker(), found, by=by or self._house.user)
        return self.record.receipt(found)

    async def stop_all(self, agent: str, *, by: str) -> None:
        """Stop every task of an agent that has not ended."""
        await stop_agent(self.record, self._worker(), agent, by=by)

    def wait_for(self, task: str) -> Receipt:
        """Wait until a task has ended or waits for a person; see `await_end`."""
        return self.run_here(lambda: self.await_end(task), "await_end")

    async def await_end(self, task: str) -> Receipt:
        """Wait until a task has ended or waits for a person, whoever works on it, and answer its receipt."""
        found = self._find_task(task)
        await self._worker().wait(found)
        return self.record.receipt(found)

    async def serve(self, leaving: asyncio.Event, *, at_once: int = AT_ONCE) -> None:
        """Work on the tasks of the record until told to leave; those that run then go on with another worker.

        Args:
            leaving: set it to end.
            at_once: the most tasks that are worked on at the same time.
        """
        self.work.stay()
        self._engine = self._worker(at_once)
        try:
            await self._engine.serve(leaving)
        finally:
            self._engine = None

    def as_(self, person: object) -> "AbstractContextManager[Principal]":
        """Sign a person in for a block: work that is given inside is theirs, and they are asked at every door (O120).

        Args:
            person: a row or any value with an `email` or a `name`, or a text.

        Raises:
            SetupError: the value says no name.
        """
        return signed_in(self._house.known(person))

    def agent(self, agent: str | type[Agent]) -> AgentHandle:
        """The handle by which one of the app's agents is given work, of this app whatever block it is used in."""
        return AgentHandle(agent, self)

    def seat(self, seat: AgentSeat) -> "Seat":
        """Name the person who answers for an agent, and store it (O68, O126). An agent without one gets no work.

        Raises:
            SetupError: the app lists no such agent, or the sponsor is nobody.
            NotAllowed: whoever is signed in may not (`supervises_agents`).
        """
        self.doors.pass_("supervises_agents")
        return take_seat(self.record, self._house, seat)

    def run_skill(self, agent: str, skill: str, input_json: str) -> str:
        """Give an agent one of its skills for whoever is signed in; see `metier.run_skill`."""
        if self._background is None:
            self._background = Background(self)
        return self._background.submit(self.agent(agent), skill, input_json)

    def catalogue(self) -> Catalogue:
        """Every skill that is known here, with what is wrong with the others."""
        return catalogue_of(self.settings)

    def find(self, skill: str) -> SkillSpec:
        """One skill by its name or path, with its files listed; one that was given as a value by its name."""
        return self._house.find(skill)

    def input_from(self, skill: Meant, values: Mapping[str, str]) -> str:
        """The JSON that a skill takes, from what was typed, by the names of its fields; see `input_fields_of`."""
        spec = self.find(skill) if isinstance(skill, str) else skill
        return input_of(spec, values)

    def _open(self) -> None:
        path = None if self._record_at is False else os.fspath(str(self._record_at))
        self._record = open_record(path, durability=self.settings.durability, clock=self._clock)
        self._house.seat = self._record.seat
        self._house.make_ready()

    @property
    def work(self) -> Work:
        """What works on the tasks of the record."""
        if self._work is None:
            self._work = Work(self.record, self._house)
        return self._work

    def _worker(self, at_once: int = AT_ONCE) -> InProcess:
        return InProcess(self.record, self.work.run, leave=self.work.leave, at_once=at_once)
