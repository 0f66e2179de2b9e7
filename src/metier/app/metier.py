"""What does a program hold to give work to agents?

with Metier(model=model) as app:
    receipt = app.run("expense-report", files=["expenses.csv"], approver=approver)
"""

import asyncio
import os
import secrets
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, Self, TypeVar

from ..actions.schema import check_for
from ..config import Settings, load_settings
from ..domain.outcome import Outcome
from ..domain.ports import Approver, Model, Person, Watcher
from ..domain.proposal import Reply, StoredProposal
from ..domain.receipt import Receipt
from ..domain.skill import SkillSpec
from ..engine.in_process import AT_ONCE, InProcess
from ..errors import InputInvalid, SetupError
from ..gate.approvers import Answering, approver_of
from ..gate.permits import Permits
from ..models.llm_setup import LlmSetup
from ..record import Record, TaskRow, Verified, open_record
from ..skills.catalogue import Catalogue
from ..skills.job import In, Out, Skill
from ..skills.job_spec import result_of
from .assigning import LATER, AnySkill, Asked, assign
from .current import enter, leave
from .finding import catalogue_of
from .forms import input_fields_of, input_json_of
from .house import house_of
from .making_tests import MadeTest, made_test
from .replaying import Replayed, replayed
from .work import Work

Answer = TypeVar("Answer")

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
NOBODY = "Give an approver: metier never runs code or changes things without somebody's yes."


class Metier:
    """The house, wired: skills, a model, permits and a record. Use it as a context manager, sync or async.

    Args:
        project: the folder to look from for `metier.toml`, upwards; the working folder if none.
        model: a model, or the name of one as in the settings; what the settings say if none.
        llm: the models that the app lists; each job gets the one that its needs ask for.
        skills: folders to look for skills in, beside those of the settings; and skills as values, declared in code.
        record: the record's file; what the settings say if none; False keeps no record.
        permits: what is done alone, proposed or never; `Permits.proposes()` if none.
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
        settings: Settings | None = None,
        person: Person | None = None,
        clock: Callable[[], int] = time.time_ns,
        new_id: Callable[[], str] | None = None,
    ) -> None:
        base = settings or load_settings(None if project is None else os.fspath(project))
        self._house = house_of(base, skills=skills, model=model, llm=llm, permits=permits, person=person)
        self.settings = self._house.settings
        self._clock = clock
        self._new_id = new_id or self._dated_id
        self._record_at = self.settings.record_path if record is None or record is True else record
        self._record: Record | None = None
        self._runner: asyncio.Runner | None = None
        self._work: Work | None = None
        self._engine: InProcess | None = None

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
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.close()
        record, self._record, self._work = self._record, None, None
        if record is not None:
            record.close()

    def run(self, skill: AnySkill, **how: Any) -> Receipt:
        """Do one task to its end, or until it waits, and answer its receipt. Takes what `arun` takes.

        Raises:
            SetupError: called where a loop runs already; await `arun` there.
        """
        return self._here(lambda: self.arun(skill, **how), "arun")

    def submit(self, skill: AnySkill, **how: Any) -> str:
        """Put one task on the record for whoever works on it, and answer its id. Takes what `asubmit` takes."""
        return self._here(lambda: self.asubmit(skill, **how), "asubmit")

    def resume(self, task: str, **how: Any) -> Receipt:
        """Go on with a task that was left, and answer its receipt. Takes what `aresume` takes."""
        return self._here(lambda: self.aresume(task, **how), "aresume")

    def stop(self, task: str, *, by: str = "") -> Receipt:
        """Stop a task, wherever it runs, and answer its receipt; see `astop`."""
        return self._here(lambda: self.astop(task, by=by), "astop")

    def _here(self, work: Callable[[], Coroutine[Any, Any, Answer]], asynchronous: str) -> Answer:
        """Run a coroutine to its end on this app's own loop."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            self.record  # noqa: B018 - says clearly that the app is not open
            if self._runner is None:
                self._runner = asyncio.Runner()
            return self._runner.run(work())
        raise SetupError(
            f"`{asynchronous[1:]}` was called where a loop runs already.", hint=f"Write `await app.{asynchronous}(…)`."
        )

    async def arun(
        self,
        skill: AnySkill,
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
        one = assign(self._house, self._new_id(), skill, given, approver=who, hear=hear)
        return await self.work.begin(one, watch)

    def do(self, skill: Skill[In, Out], given: In | None = None, **how: Any) -> Outcome[Out]:
        """Do one typed job and answer how it came out; see `ado`."""
        return self._here(lambda: self.ado(skill, given, **how), "ado")

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
        return Outcome(result_of(skill, receipt.result) if receipt.done else None, receipt, waiting)

    async def asubmit(
        self,
        skill: AnySkill,
        *,
        input: Any = None,  # noqa: A002 - the word that the requirements and the command line use
        files: Sequence[str | os.PathLike[str]] = (),
        offered: Sequence[SkillSpec] | None = None,
        unpriced: bool = False,
    ) -> str:
        """Put one task on the record and answer its id at once. It begins with the next worker, or is resumed.

        Takes and raises what `arun` does; whatever must be asked waits on the record.
        """
        one = assign(self._house, self._new_id(), skill, Asked(input, files, offered, unpriced))
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

    async def astop(self, task: str, *, by: str = "") -> Receipt:
        """Stop a task, wherever it runs, and answer its receipt. What it has done stays done, and it can be resumed.

        Raises:
            TaskMissing: there is no such task.
            TaskOver: it has ended.
        """
        found = self._find_task(task)
        await self._worker().stop(found, by=by or self._house.user)
        return self.record.receipt(found)

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

    def proposals(self, task: str | None = None) -> list[StoredProposal]:
        """The proposals that wait for an answer, of one task or of all."""
        return self.record.proposals(task=None if task is None else self._find_task(task))

    def answer(self, proposal: str, reply: Reply) -> StoredProposal:
        """Answer a proposal. Its task goes on with a worker if there is one, else when it is resumed (O82-O87).

        Args:
            proposal: its id, or the beginning of it.
            reply: a yes or a no; edited arguments must fit the action's schema.

        Raises:
            TaskMissing: there is no such proposal.
            TaskOver: it has been answered or withdrawn.
            InputInvalid: the edited arguments do not fit.
        """
        found = self.record.proposal(proposal)
        if reply.arguments is not None and (faults := check_for(found.proposal.parameters)(reply.arguments)):
            raise InputInvalid(
                f"The edited arguments do not fit {found.proposal.action}: {'; '.join(faults)}.",
                hint=f"See the proposal with: metier proposals --json {found.proposal.task}",
            )
        return self.record.answer(found.proposal.id, replace(reply, by=reply.by or self._house.user))

    def catalogue(self) -> Catalogue:
        """Every skill that is known here, with what is wrong with the others."""
        return catalogue_of(self.settings)

    def find(self, skill: str) -> SkillSpec:
        """One skill by its name or path, with its files listed; one that was given as a value by its name."""
        return self._house.find(skill)

    @property
    def record(self) -> Record:
        """The record, for reading.

        Raises:
            SetupError: the app is not open.
        """
        if self._record is None:
            raise SetupError("The app is not open.", hint="Use it in a `with` block.")
        return self._record

    def tasks(self, *, limit: int = 50) -> list[TaskRow]:
        """The newest tasks of the record."""
        return self.record.tasks(limit=limit)

    def receipt(self, task: str) -> Receipt:
        """The receipt of one task, by its id, the beginning of it, or `last`."""
        return self.record.receipt(self._find_task(task))

    def input_from(self, skill: AnySkill, values: Mapping[str, str]) -> str:
        """The JSON that a skill takes, from what was typed, by the names of its fields; see `input_fields_of`."""
        spec = self.find(skill) if isinstance(skill, str) else skill
        return input_json_of(input_fields_of(spec), values)

    def replay(self, task: str) -> Replayed:
        """Make every request of a task anew by today's code and files, and tell the first word that differs. Nothing is done."""
        return replayed(self.record, self._find_task(task), self._house)

    def test_from(self, task: str) -> MadeTest:
        """A pytest file that plays what the model said in a task, and holds the task to its end."""
        return made_test(self.record, self._find_task(task))

    def verify(self, task: str) -> Verified:
        """Whether the record of one task is whole, and what that proves."""
        return self.record.verify(self._find_task(task))

    def _find_task(self, task: str) -> str:
        newest = self.tasks(limit=1) if task == "last" else []
        return newest[0].id if newest else self.record.find_task(task)

    def _open(self) -> None:
        path = None if self._record_at is False else os.fspath(str(self._record_at))
        self._record = open_record(path, durability=self.settings.durability, clock=self._clock)

    @property
    def work(self) -> Work:
        """What works on the tasks of the record."""
        if self._work is None:
            self._work = Work(self.record, self._house)
        return self._work

    def _worker(self, at_once: int = AT_ONCE) -> InProcess:
        return InProcess(self.record, self.work.run, leave=self.work.leave, at_once=at_once)

    def _dated_id(self) -> str:
        day = time.strftime("%Y%m%d", time.gmtime(self._clock() / 1e9))
        return f"{day}-{''.join(_ALPHABET[byte % len(_ALPHABET)] for byte in secrets.token_bytes(10))}"
