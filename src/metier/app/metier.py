"""What does a program hold to give work to agents?

with Metier(model=model) as app:
    receipt = app.run("expense-report", files=["expenses.csv"], approver=approver)
"""

import asyncio
import getpass
import os
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Any, Self

from ..config import Settings, load_settings
from ..domain.money import Dollars
from ..domain.ports import Approver, Model, Person, Watcher
from ..domain.receipt import Receipt
from ..domain.skill import Job, SkillSpec
from ..errors import RecordError, SetupError
from ..gate.approvers import Answering, approver_of
from ..gate.permits import Permits, Rule
from ..record import Record, TaskRow, Verified, open_record
from ..skills.catalogue import Catalogue
from ..skills.files import with_files
from .assignment import Assignment
from .choosing import CodeModel, choose, priced
from .finding import catalogue_of, find_skill, free_task
from .giving import take_in
from .running import Running

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
NOBODY = "Give an approver: metier never runs code or changes things without somebody's yes."


class Metier:
    """The house, wired: skills, a model, permits and a record. Use it as a context manager, sync or async.

    Args:
        project: the folder to look from for `metier.toml`, upwards; the working folder if none.
        model: a model, or the name of one as in the settings; what the settings say if none.
        skills: folders to look for skills in, beside those of the settings.
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
        skills: Sequence[str | os.PathLike[str]] = (),
        record: str | os.PathLike[str] | bool | None = None,
        permits: Permits | None = None,
        settings: Settings | None = None,
        person: Person | None = None,
        clock: Callable[[], int] = time.time_ns,
        new_id: Callable[[], str] | None = None,
    ) -> None:
        base = settings or load_settings(None if project is None else os.fspath(project))
        roots = tuple(os.path.abspath(os.fspath(root)) for root in skills)
        self.settings = replace(base, roots=(*roots, *base.roots))
        if isinstance(model, str):
            self.settings = replace(self.settings, model=model, origins={**base.origins, "model": "the caller"})
        self.permits = permits or Permits.proposes()
        self._model = None if isinstance(model, str) else model
        self._person = person
        self._clock = clock
        self._new_id = new_id or self._dated_id
        self._record_at = self.settings.record_path if record is None or record is True else record
        self._record: Record | None = None
        self._runner: asyncio.Runner | None = None

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        self._open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the record and the loop of the sync forms."""
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.close()
        record, self._record = self._record, None
        if record is not None:
            record.close()

    def run(self, skill: str | SkillSpec, **how: Any) -> Receipt:
        """Do one task to its end and answer its receipt. Takes what `arun` takes.

        Raises:
            SetupError: called where a loop runs already; await `arun` there.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            if self._record is None:
                raise SetupError("The app is not open.", hint="Use it in a `with` block.") from None
            if self._runner is None:
                self._runner = asyncio.Runner()
            return self._runner.run(self.arun(skill, **how))
        raise SetupError("`run` was called where a loop runs already.", hint="Write `await app.arun(…)`.")

    async def arun(
        self,
        skill: str | SkillSpec,
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
        """Do one task to its end and answer its receipt.

        Args:
            skill: a skill's name, the path of its folder, a task in free words, or a skill made in code.
            input: what the job takes: JSON data, or text.
            files: files for the job; a member of the input that is a path takes the first one.
            offered: the skills that the model is told of; if none, the skill itself, or for a task in free words all that are known.
            approver: who answers proposals: an approver, or a function of a proposal that answers True or False.
            cure: what to say to do when there is nobody to ask.
            watch: is told of each entry as it is written.
            hear: is told the model's text as it comes.
            unpriced: let a model run whose price is not known.

        Raises:
            SkillError: there is no such skill, or it cannot be used.
            InputInvalid: the input or a file does not fit what the skill takes.
            SetupError: no model is set, or a setting is wrong.
            RecordError: the record cannot be opened or written.
        """
        spec, known = self._skill(skill, offered)
        one = Assignment(
            task=self._new_id(),
            skill=spec,
            offered=known,
            given=take_in(spec.job or Job(), input, [os.fspath(file) for file in files]),
            giver=self.settings.giver or getpass.getuser(),
            model=self._model or choose(self.settings, self._person),
            permits=self.permits,
            approver=approver_of(approver, cure=cure),
            budget=self._budget(spec),
            durability=self.settings.durability,
            priced=partial(priced, settings=self.settings) if self._model is None else lambda own: own,
            hear=hear,
            unpriced=unpriced,
        )
        return await self._work(one, watch)

    def catalogue(self) -> Catalogue:
        """Every skill that is known here, with what is wrong with the others."""
        return catalogue_of(self.settings)

    def find(self, skill: str) -> SkillSpec:
        """One skill by its name or path, with its files listed."""
        return find_skill(skill, self.settings)

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

    def verify(self, task: str) -> Verified:
        """Whether the record of one task is whole, and what that proves."""
        return self.record.verify(self._find_task(task))

    def _find_task(self, task: str) -> str:
        newest = self.tasks(limit=1) if task == "last" else []
        return newest[0].id if newest else self.record.find_task(task)

    def _open(self) -> None:
        path = None if self._record_at is False else os.fspath(str(self._record_at))
        self._record = open_record(path, durability=self.settings.durability, clock=self._clock)

    def _skill(
        self, skill: str | SkillSpec, offered: Sequence[SkillSpec] | None
    ) -> tuple[SkillSpec, Sequence[SkillSpec]]:
        """The skill that is meant, and the skills that the model is told of."""
        if isinstance(skill, str) and " " in skill:
            known = [with_files(one) for one in self.catalogue().skills] if offered is None else offered
            return free_task(skill), sorted(known, key=lambda one: one.name)
        spec = self.find(skill) if isinstance(skill, str) else skill
        if offered is not None:
            return spec, offered
        return spec, [spec] if spec.guide is not None else []

    def _budget(self, spec: SkillSpec) -> Dollars | None:
        own = spec.job.budget if spec.job else None
        return self.settings.task_budget if own is None else own

    async def _work(self, one: Assignment, watch: Watcher | None) -> Receipt:
        record = self.record
        log = record.begin_task(one.task, skill=one.skill.name, source=one.skill.source, giver=one.giver, watch=watch)
        # Taken before anybody is asked: a yes is kept for what was there then.
        subject = one.model.subject if isinstance(one.model, CodeModel) else ""
        running = Running(replace(one, permits=self._with_kept_yes(one)), log)
        try:
            ended = await running.go()
        except RecordError:
            raise
        except BaseException as error:
            stopped = isinstance(error, asyncio.CancelledError)
            record.end_task(
                one.task, state="Stopped" if stopped else "Failed", reason="cancelled" if stopped else "fault"
            )
            await asyncio.shield(log.commit(power=True))
            raise
        if running.code_loaded:
            record.keep_yes(subject, task=one.task, number=log.entries_noted, by=one.giver)
        record.end_task(one.task, state=ended.state, reason=ended.reason)
        await log.commit(power=True)
        return log.receipt()

    def _with_kept_yes(self, one: Assignment) -> Permits:
        """Permits that let a model's code load unasked: named by the person, or as it was when somebody said yes to it."""
        code = one.model
        if not isinstance(code, CodeModel):
            return one.permits
        if code.from_project and not self.record.standing_yes(code.subject):
            return one.permits
        why = "said yes to before, as it stands" if code.from_project else "named by the person"
        return one.permits.with_rule(Rule("alone", action=code.action, why=why))

    def _dated_id(self) -> str:
        day = time.strftime("%Y%m%d", time.gmtime(self._clock() / 1e9))
        return f"{day}-{''.join(secrets.choice(_ALPHABET) for _ in range(10))}"
