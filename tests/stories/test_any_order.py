"""Whatever happens in whatever order: nothing is done twice, nothing is lost, and no budget is passed."""

import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, precondition, rule

from metier.domain.entry import Entry
from metier.domain.proposal import Reply
from metier.errors import LeaseLost, TaskOver, TaskTaken
from metier.record import Record

from .processes import Process, Town

STEPS, EXAMPLES = 50, 50
"""At least 2,000 steps in all."""
KINDS = ("look", "put", "send", "put+put", "look+send", "send+send", "look+look")
ENOUGH = 40


class AnyOrder(RuleBasedStateMachine):
    """Tasks on one record, and processes that begin, freeze, wake, and are killed; somebody answers and stops."""

    tasks = Bundle("tasks")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.town = Town(Path(self.folder.name))
        self.desk = Process(self.town)
        """A process that works on nothing: it gives, answers, stops, and looks."""
        self.frozen: list[Process] = []
        self.dead: list[Process] = []
        self.lost: set[Process] = set()
        """Frozen ones whose lease has run out."""
        self.seen: dict[str, list[str]] = {}
        self.over: set[str] = set()
        self.budgets: dict[str, Decimal] = {}

    def teardown(self) -> None:
        """End every process."""
        for process in (*self.frozen, *self.dead, self.desk):
            process.close()
        self.folder.cleanup()

    @rule(target=tasks, plan=st.lists(st.sampled_from(KINDS), max_size=4), cents=st.integers(1, 12))
    def submit(self, plan: list[str], cents: int) -> Any:
        """Give a task, with a budget that may be too small for it."""
        if len(self.budgets) >= 3:
            return multiple()
        budget = Decimal(cents) / 1000
        task = self.desk.submit(plan, budget)
        self.budgets[task] = budget
        return task

    @rule(task=tasks, freezes_in=st.integers(0, 9))
    def resume(self, task: str, freezes_in: int) -> None:
        """Somebody goes on with a task in a new process, which may freeze."""
        self._work(task, lambda app: app.aresume(task), freezes_in)

    @rule(task=tasks, freezes_in=st.integers(0, 9))
    def worker(self, task: str, freezes_in: int) -> None:
        """A worker goes on with a task, if it is to be had."""
        self._work(task, lambda app: app.work.run(task), freezes_in)

    @precondition(lambda self: self.desk.app.proposals())
    @rule(data=st.data(), said=st.sampled_from(["yes", "no", "edit"]))
    def answer(self, data: st.DataObject, said: str) -> None:
        """A person answers one of the proposals that wait; the same answer again is refused."""
        stored = data.draw(st.sampled_from(self.desk.app.proposals()), label="proposal")
        edited = {"n": 70} if said == "edit" and not stored.proposal.unknown else None
        reply = Reply("no" if said == "no" else "yes", "Ada", arguments=edited)
        assert self.desk.app.answer(stored.proposal.id, reply).reply == reply
        try:
            self.desk.app.answer(stored.proposal.id, reply)
        except TaskOver:
            return
        raise AssertionError("a proposal was answered twice")

    @precondition(lambda self: self.frozen)
    @rule(data=st.data())
    def kill(self, data: st.DataObject) -> None:
        """A process is killed where it stands; nobody waits for its lease."""
        process = data.draw(st.sampled_from(self.frozen), label="process")
        self._let_run_out(process)
        self.frozen.remove(process)
        self.lost.discard(process)
        self.dead.append(process)

    @precondition(lambda self: self.frozen)
    @rule(data=st.data())
    def run_out(self, data: st.DataObject) -> None:
        """The lease of a frozen process runs out, so that another may take its task."""
        process = data.draw(st.sampled_from(self.frozen), label="process")
        self._let_run_out(process)
        self.lost.add(process)

    @precondition(lambda self: self.frozen)
    @rule(data=st.data())
    def wake(self, data: st.DataObject) -> None:
        """A frozen process wakes, and goes on as if nothing had been; what it lost in the meantime it learns."""
        self._wake(data.draw(st.sampled_from(self.frozen), label="process"))

    @precondition(lambda self: self.frozen)
    @rule(data=st.data(), freezes_in=st.integers(0, 3), first=st.booleans())
    def taken_over(self, data: st.DataObject, freezes_in: int, *, first: bool) -> None:
        """Another process takes over from a frozen one, which wakes after that; or before, when its lease has run out."""
        process = data.draw(st.sampled_from(self.frozen), label="process")
        self._let_run_out(process)
        self.lost.add(process)
        if first:
            self._wake(process)
        self._work(process.task, lambda app: app.aresume(process.task), freezes_in)
        if not first:
            self._wake(process)

    @rule(task=tasks)
    def stop(self, task: str) -> None:
        """Somebody asks for a stop; whoever has the task learns of it."""
        try:
            self.desk.app.record.ask_stop(task, by="Ada")
        except TaskOver:
            assert self.desk.app.record.row(task).ended is not None

    @invariant()
    def records_are_whole(self) -> None:
        """Every chain verifies, and entries are only ever added at the end; an ended task gets none."""
        record = self.desk.app.record
        for task in self.budgets:
            assert record.verify(task).problems == ()
            digests = [entry.digest for entry in record.entries(task)]
            before = self.seen.get(task, [])
            assert digests[: len(before)] == before
            assert task not in self.over or digests == before
            self.seen[task] = digests
            if record.row(task).state in ("Done", "Failed", "Refused"):
                self.over.add(task)

    @invariant()
    def nothing_is_done_twice(self) -> None:
        """A call takes effect once, and once more for each time that somebody let it be made again."""
        for task in self.budgets:
            entries = list(self.desk.app.record.entries(task))
            again = _again(entries)
            begun = Counter(one.facts["call"] for one in entries if one.kind == "ToolCalled")
            carried = Counter(one.facts["permit"] for one in entries if one.kind == "ToolCalled" and _is_asked(one))
            for key, times in self.town.effects.items():
                owner, _, call = key.partition(":")
                assert owner != task or times <= min(1 + again[call], begun[call])
            calls = {one.facts["permit"]: one.facts["call"] for one in entries if one.kind == "ToolCalled"}
            assert all(times <= 1 + again[calls[permit]] for permit, times in carried.items())

    @invariant()
    def no_budget_is_passed(self) -> None:
        """What a task has cost, with all that was cut, is within its budget."""
        for task, budget in self.budgets.items():
            assert self.desk.app.receipt(task).cost <= budget

    @invariant()
    def one_owner_at_most(self) -> None:
        """No two processes that hold a lease work on one task."""
        owners = Counter(process.task for process in self.frozen if process not in self.lost)
        assert max(owners.values(), default=0) <= 1

    def _work(self, task: str, work: Any, freezes_in: int) -> None:
        if len(self.frozen) >= 4:
            return
        process = Process(self.town)
        process.begin(task, work, freezes_in=freezes_in)
        if process.frozen:
            self.frozen.append(process)
        else:
            self._over(process)

    def _wake(self, process: Process) -> None:
        process.wake()
        self.frozen.remove(process)
        self.lost.discard(process)
        self._over(process)

    def _over(self, process: Process) -> None:
        """A process has come to its end: as it should, or because the task was not, or no longer, to be had."""
        process.close()
        assert process.error is None or isinstance(process.error, TaskOver | TaskTaken | LeaseLost), process.error

    def _let_run_out(self, process: Process) -> None:
        held = [one for one in self.frozen if one.task == process.task and one not in self.lost]
        if process in held:
            with closing(sqlite3.connect(self.town.record)) as other, other:
                other.execute("UPDATE task SET lease_until = 1 WHERE id = ? AND state = 'Running'", (process.task,))


def _again(entries: list[Entry]) -> Counter[str]:
    return Counter(one.facts["call"] for one in entries if one.kind == "ToolReturned" and one.facts.get("again"))


def _is_asked(entry: Entry) -> bool:
    return str(entry.facts["permit"]).startswith("approved:")


def every_task_comes_to_an_end(machine: AnyOrder) -> None:
    """Whatever happened before: with somebody who says yes, each task ends within a few more runs."""
    record: Record = machine.desk.app.record
    for task in machine.budgets:
        for _ in range(ENOUGH):
            if record.row(task).ended is not None and record.row(task).state != "Stopped":
                break
            machine.resume(task, 0)
            for stored in record.proposals(task=task):
                record.answer(stored.proposal.id, Reply("yes", "Ada"))
        assert record.row(task).state in ("Done", "Failed")


class ToTheEnd(AnyOrder):
    """The same, and then every task is brought to its end."""

    def teardown(self) -> None:
        """Kill what is frozen, go on with every task, and look once more."""
        try:
            for process in list(self.frozen):
                self._let_run_out(process)
                self.frozen.remove(process)
                self.dead.append(process)
            self.lost.clear()
            every_task_comes_to_an_end(self)
            self.records_are_whole()
            self.nothing_is_done_twice()
            self.no_budget_is_passed()
        finally:
            super().teardown()


TestToTheEnd = ToTheEnd.TestCase
TestToTheEnd.settings = settings(settings.default or settings(), max_examples=EXAMPLES, stateful_step_count=STEPS)
