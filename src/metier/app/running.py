"""How is a task carried from what it was given to its end?"""

import asyncio
import time
import traceback
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

from ..domain.action import Action
from ..domain.bounds import StopWhen
from ..domain.call import HAND_BACK, Call
from ..domain.entry import Kind
from ..domain.permits import Permits, Rule
from ..domain.ports import Model
from ..domain.principal import RIGHTS
from ..domain.skill import SkillFile
from ..domain.task import Ended, GivenFile, RunEnd, Waits
from ..errors import LeaseLost, MetierError, RecordError, SkillInvalid
from ..gate.bounds import Bounds
from ..gate.meter import Meter
from ..gate.path import Path
from ..gate.told_by_skill import ToldBySkill
from ..loop.checks import Judge, judge_by_action, judge_by_script
from ..loop.hand_back import hand_back_action
from ..loop.loop import work
from ..loop.result import digest_of
from ..loop.run import Run
from ..loop.take_up import take_up
from ..loop.talk import Talk
from ..record import TaskWriter
from ..skills.tools import SkillTools
from .assignment import Assignment
from .choosing import CodeModel, load_action
from .earlier import Earlier
from .family import WITHIN, Within
from .folders import Folders
from .giving import copy_in, lay_out, put_back
from .opening import Opening, opening_again, opening_of
from .stopping import STOPPED
from .version import __version__

LEFT = Waits("worker", "its worker left; it goes on with the next one")


class Running:
    """One task being worked on: its first run, or a later one that goes on from what is on the record.

    Args:
        assignment: what it was given.
        log: the writer of its entries.
        folders: where its files lie.
        earlier: its earlier runs, if there were any.
    """

    def __init__(
        self, assignment: Assignment, log: TaskWriter, *, folders: Folders, earlier: Earlier | None = None
    ) -> None:
        self._assignment = assignment
        self._log = log
        self._folders = folders
        self._earlier = earlier
        self._files: list[GivenFile] = []
        self._skills = SkillTools(assignment.offered, scratch=lambda: self._folders.scratch)
        self.code_loaded = False
        """Whether the model's code was loaded, by right of a yes."""
        self._started = time.perf_counter()

    def give(self) -> None:
        """Put on the record what the task is given, so that any process can work on it."""
        self._lay_out_files()
        self._note_given()

    async def go(self) -> RunEnd:
        """Work on the task until it ends or waits, with everything on the record.

        A cancelled task is ended on the record, then raises.
        """
        rights = RIGHTS.set(None if self._assignment.agency is None else self._assignment.agency.rights)
        within = WITHIN.set(None)
        try:
            ended = await self._to_end()
        except asyncio.CancelledError:
            self._note_cut()
            raise
        except RecordError:
            # Nothing can be told of it on the record, and it is no end: the task can be taken up again (case 111).
            raise
        except MetierError as error:
            self._log.note("Fault", {"where": "task", "code": error.code}, {"error": str(error)})
            ended = Ended("Failed", "fault", str(error))
        except Exception as error:
            # A fault of ours, or of code that was handed in: the task has its end on the record before anybody hears of it.
            self._log.note("Fault", {"where": "metier", "code": ""}, {"error": traceback.format_exc()})
            self._note_end(Ended("Failed", "fault", f"{type(error).__name__}: {error}"))
            raise
        else:
            if isinstance(ended, Ended) and ended.reason == "fault":
                self._log.note("Fault", {"where": "task", "code": ""}, {"error": ended.text})
        finally:
            # A child's run stands in its parent's context.
            WITHIN.reset(within)
            RIGHTS.reset(rights)
        if isinstance(ended, Waits):
            self._log.note(*paused(ended))
        else:
            self._note_end(ended)
        return ended

    def _note_cut(self) -> None:
        """Note how a cancelled run ended. Raises LeaseLost where that is another process's to say."""
        if self._log.lease.lost:
            # Another process has the task. This one was only told to let go of it.
            raise LeaseLost from None
        if self.leaves:
            self._log.note(*paused(LEFT))
        else:
            self._note_end(STOPPED)

    @property
    def leaves(self) -> bool:
        """Whether it is cut because its worker leaves, and not because somebody stopped it."""
        leave = self._assignment.leave
        return leave is not None and leave() and not self._log.stop_asked

    async def _to_end(self) -> RunEnd:
        one, earlier = self._assignment, self._earlier
        if earlier is None:
            self.give()
        else:
            self._log.note("Resumed", {"metier": __version__})
            self._files = earlier.files
            put_back(self._files, self._folders, earlier.content_path)
        actions = self._actions()
        path = Path(
            task=one.task,
            actions=actions,
            log=self._log,
            permits=self._permits(),
            approver=one.approver,
            past=earlier.past if earlier else None,
            told=self._told_by_skill(),
        )
        model = await self._model(path)
        if isinstance(model, Ended | Waits):
            return model
        if model.price is None and not one.unpriced:
            text = (
                f"the price of the model {model.name} is not known. Set it in metier.toml, or allow it with --unpriced"
            )
            return Ended("Refused", "unpriced", text)
        run = self._brief(model, path, actions)
        if earlier is not None:
            take_up(run, earlier.entries)
        return await self._tries(run)

    async def _tries(self, run: Run) -> RunEnd:
        """Work until the task ends: a try that failed may be followed by another one, out of the same money (O20)."""
        retry = self._assignment.job.retry
        while True:
            ended = await work(run)
            if not isinstance(ended, Ended) or ended.state != "Failed" or not retry.again(ended.reason, tried=run.nth):
                return ended
            self._log.note("Retried", {"try": run.nth + 1, "reason": ended.reason}, {"text": ended.text})
            if retry.wait:
                until = time.time_ns() + int(retry.wait * 1e9)
                return Waits("time", f"it is tried again, for it failed: {ended.text}", until=until)
            run.try_again(run.nth + 1)

    def _told_by_skill(self) -> ToldBySkill:
        """What the job's class says of a call that is proposed."""
        job, given = self._assignment.job, self._assignment.given.input
        version_of, names = job.version_of, job.names
        return ToldBySkill(
            None if version_of is None else lambda: version_of(given),
            None if names is None else lambda action, arguments: names(given, action, arguments),
        )

    def _lay_out_files(self) -> None:
        given = self._assignment.given
        if given.files:
            self._files = copy_in(given, self._folders.given)
            lay_out(self._files, self._folders.given, self._folders.scratch)
            for file in self._files:
                self._log.keep_file(f"{self._folders.given}/{file.name}")

    def _note_given(self) -> None:
        one, job = self._assignment, self._assignment.job
        self._log.note(
            "Given",
            {
                "skill": self._skill_facts(),
                "giver": one.giver,
                **(one.agency.told() if one.agency else {}),
                **({"parent": one.parent.task} if one.parent else {}),
                "model": {"name": one.model.shown if isinstance(one.model, CodeModel) else one.model.name},
                "input": digest_of(one.given.input),
                "files": [asdict(file) for file in self._files],
                "budget": None if one.budget is None else str(one.budget),
                "stop": stop_facts(job.stop),
                "check": job.check.name if isinstance(job.check, Action) else job.check or "",
                "durability": one.durability,
                "metier": __version__,
            },
            {"input": one.given.input, "how": one.how},
        )

    def _skill_facts(self) -> Mapping[str, Any]:
        skill = self._assignment.skill
        digest = self._skills.origin_of(skill).digest if skill.guide else ""
        return {"source": skill.source, "name": skill.name, "version": skill.version or "1", "digest": digest}

    def _permits(self) -> Permits:
        """The assignment's permits; naming a skill is the yes to load and read it as it stands (design, section 3)."""
        one = self._assignment
        permits = one.permits.narrowed(one.job.may)
        if one.skill.guide is None:
            return permits
        digest = self._skills.origin_of(one.skill).digest
        return permits.with_rule(
            Rule("alone", skill=digest, effects=frozenset({"reads", "loads"}), why="the skill was named by its giver")
        )

    def _actions(self) -> dict[str, Action]:
        job = self._assignment.job
        actions = {action.name: action for action in (*self._skills.actions(), *job.tools)}
        if job.hands_back is not None:
            actions[HAND_BACK] = hand_back_action(
                job.hands_back, judge=self._judge(), fits=self._fits, misfit=job.misfit
            )
        return actions

    def _fits(self, result: Any) -> None:
        self._run.best = result

    def _judge(self) -> Judge | None:
        one, check = self._assignment, self._assignment.job.check
        if check is None:
            return None
        if isinstance(check, Action):
            return judge_by_action(check, one.given.input)
        file = self._script(check)

        def script_in(folder: str) -> Action:
            return self._skills.script(one.skill, file, scratch=lambda: folder)

        def lay_out_again(folder: str) -> None:
            lay_out(self._files, self._folders.given, folder)

        return judge_by_script(script_in, one.given.input, lay_out=lay_out_again, place=lambda: self._folders.root)

    def _script(self, name: str) -> SkillFile:
        guide = self._assignment.skill.guide
        for file in guide.scripts if guide else ():
            if file.name == name:
                return file
        raise SkillInvalid(f"The check {name!r} is no script of the skill {self._assignment.skill.name!r}.")

    async def _model(self, path: Path) -> Model | RunEnd:
        """The model; code of the project that makes it is a call like any other, through the gate."""
        one = self._assignment
        chosen = one.model
        if not isinstance(chosen, CodeModel):
            return one.priced(chosen)
        loaded: list[Model] = []
        action = load_action(chosen, loaded)
        # Every run loads it anew into its own process, so each is a call of its own.
        nth = self._earlier.loads + 1 if self._earlier else 1
        answered = await path.through(Call(f"c0.{nth}", "load_model", {}, 0), action, {})
        if answered.ended is not None:
            return answered.ended
        if answered.outcome == "refused":
            return Ended("Refused", "declined", answered.text)
        self.code_loaded = bool(loaded)
        return one.priced(loaded[0]) if loaded else Ended("Failed", "fault", answered.text)

    def _brief(self, model: Model, path: Path, actions: Mapping[str, Action]) -> Run:
        one, job = self._assignment, self._assignment.job
        typed = job.hands_back is not None
        opening = self._opening(model, actions)
        talk = Talk(system=opening.system, tools=opening.tools)
        talk.tell(opening.task)
        meter = self._meter(model)
        self._run = Run(model, talk, path, Bounds(job.stop, meter), self._log, actions, typed, hear=one.hear)
        if one.leave is not None or one.agency is not None:
            self._run.halt = self._halted
        WITHIN.set(Within(one, meter))
        return self._run

    def _meter(self, model: Model) -> Meter:
        """The task's money; a child's is its family's too."""
        one = self._assignment
        within = None if one.parent is None else one.parent.meter
        return Meter(price=model.price, budget=one.budget, spending=one.spending, within=within)

    def _halted(self) -> RunEnd | None:
        """How the run must end at its next step."""
        one = self._assignment
        if one.leave is not None and one.leave():
            return Waits("worker", "it goes on with the next worker")
        return None if one.agency is None else one.agency.halted()

    def _opening(self, model: Model, actions: Mapping[str, Action]) -> Opening:
        """What the model is told first: word for word what it was told before, so that what a provider has cached serves."""
        one, briefed = self._assignment, self._earlier.briefed if self._earlier else None
        if briefed is not None and briefed.body is not None:
            opening = opening_again(briefed.body)
            if briefed.facts["model"]["name"] != model.name:
                self._log.note("Briefed", self._briefed_facts(model, actions), opening.told())
            return opening
        purpose = one.agency.purpose if one.agency else ""
        opening = opening_of(one.skill, one.offered, one.given.input, actions.values(), purpose=purpose)
        self._log.note("Briefed", self._briefed_facts(model, actions), opening.told())
        return opening

    def _briefed_facts(self, model: Model, actions: Mapping[str, Action]) -> Mapping[str, Any]:
        told = {
            "name": model.name,
            "scripted": model.scripted,
            "priced": model.price is not None,
            "max_output_tokens": model.max_output_tokens,
            "can_force": model.can_force,
            "vision": model.vision,
        }
        return {"model": told, "tools": list(actions), "typed": self._assignment.job.hands_back is not None}

    def _note_end(self, ended: Ended) -> None:
        result = ended.result
        facts = {
            "ended": ended.state,
            "reason": ended.reason,
            "seconds": round(time.perf_counter() - self._started, 6),
            "result": None if result is None else digest_of(result),
        }
        self._log.note(ended.state, facts, {"text": ended.text, "result": result})


@cache
def stop_facts(stop: StopWhen) -> Mapping[str, Any]:
    """The limits as an entry tells them. A program has few of them, and many tasks under each."""
    return asdict(stop)


def paused(waits: Waits) -> tuple[Kind, Mapping[str, Any], Mapping[str, Any]]:
    """The entry that ends a run of a task that waits."""
    facts = {"waits": waits.on, "until": waits.until, "child": waits.child}
    return "Paused", {**facts, "agent": waits.agent} if waits.agent else facts, {"text": waits.text}
