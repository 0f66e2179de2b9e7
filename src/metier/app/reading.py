"""What may a program read of the record, and answer, for whoever is signed in?

Who gave work, or had it done for them, reads it whole, and so does an auditor. A supervisor reads that it happened, and none
of its content (O93). Where nobody is signed in, the app's own code reads all of it.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from ..actions.schema import check_for
from ..domain.principal import SIGNED_IN, Principal
from ..domain.proposal import Reply, StoredProposal
from ..domain.receipt import Receipt
from ..errors import InputInvalid, NotAllowed, SetupError, TaskMissing
from ..record import ModelUse, Record, TaskRow, Verified
from .making_tests import MadeTest, made_test
from .replaying import Replayed, replayed

if TYPE_CHECKING:
    from .agents.doors import Doors
    from .house import House

Sight = Literal["whole", "happened", "none"]
"""How much of a task somebody reads."""


class Reading:
    """The half of an app that reads its record and answers what is asked there."""

    _house: "House"
    _record: Record | None
    doors: "Doors"
    """The questions that the app answers about whoever is signed in."""

    @property
    def house(self) -> "House":
        """What the app brings to its tasks."""
        return self._house

    @property
    def record(self) -> Record:
        """The record itself, for the app's own code; it asks nobody's leave.

        Raises:
            SetupError: the app is not open.
        """
        if self._record is None:
            raise SetupError("The app is not open.", hint="Use it in a `with` block.")
        return self._record

    def tasks(self, *, limit: int = 50) -> list[TaskRow]:
        """The newest tasks of the record that may be read."""
        rows = self.record.tasks(limit=limit)
        who = self._reader()
        return rows if who is None else [row for row in rows if self._sight(who, row) != "none"]

    def receipt(self, task: str) -> Receipt:
        """The receipt of one task, by its id, the beginning of it, or `last`. A supervisor gets it without its content.

        Raises:
            TaskMissing: there is none, or it may not be read: both are told alike.
        """
        found = self._find_task(task)
        sight = self._sight_of(found)
        if sight == "none":
            raise TaskMissing(f"There is no task {task!r}.", hint="See the tasks with: metier tasks")
        receipt = self.record.receipt(found)
        return receipt if sight == "whole" else replace(receipt, text="", result=None, files=(), approvals=())

    def proposals(self, task: str | None = None) -> list[StoredProposal]:
        """The proposals that wait for an answer, of one task or of all; those that may be answered or read."""
        found = self.record.proposals(task=None if task is None else self._find_task(task))
        who = self._reader()
        if who is None or self.doors.may(who, "audits_agents"):
            return found
        return [one for one in found if self._may_answer(who, one)]

    def answer(self, proposal: str, reply: Reply) -> StoredProposal:
        """Answer a proposal. Its task goes on with a worker if there is one, else when it is resumed (O82-O87).

        Args:
            proposal: its id, or the beginning of it.
            reply: a yes or a no; edited arguments must fit the action's schema.

        Raises:
            TaskMissing: there is no such proposal.
            TaskOver: it has been answered or withdrawn.
            InputInvalid: the edited arguments do not fit.
            NotAllowed: whoever is signed in neither had the work done nor answers for the agent.
        """
        found = self.record.proposal(proposal)
        who = self._reader()
        if who is not None and not self._may_answer(who, found):
            raise NotAllowed(
                f"{who} may not answer {found.proposal.id}.", hint="Its giver may, and who answers for its agent."
            )
        if reply.arguments is not None and (faults := check_for(found.proposal.parameters)(reply.arguments)):
            raise InputInvalid(
                f"The edited arguments do not fit {found.proposal.action}: {'; '.join(faults)}.",
                hint=f"See the proposal with: metier proposals --json {found.proposal.task}",
            )
        by = reply.by or (who.id if who else self._house.user)
        return self.record.answer(found.proposal.id, replace(reply, by=by))

    def replay(self, task: str) -> Replayed:
        """Make every request of a task anew by today's code and files, and tell the first word that differs. Nothing is done."""
        return replayed(self.record, self._whole(task), self._house)

    def test_from(self, task: str) -> MadeTest:
        """A pytest file that plays what the model said in a task, and holds the task to its end."""
        return made_test(self.record, self._whole(task))

    def verify(self, task: str) -> Verified:
        """Whether the record of one task is whole, and what that proves."""
        return self.record.verify(self._whole(task))

    def usage(self, *, since: int = 0) -> list[ModelUse]:
        """What the models cost, by day, agent, skill and model, from a moment on (nanoseconds since the epoch).

        Raises:
            NotAllowed: whoever is signed in may not read it (`reads_model_usage`).
        """
        self.doors.pass_("reads_model_usage")
        return self.record.usage(since=since)

    def switch_spending(self, *, on: bool) -> None:
        """Switch the calls of all models off or on, from this moment (O64).

        Raises:
            NotAllowed: whoever is signed in may not (`manages_model_spend`).
            SetupError: the app lists no models.
        """
        self.doors.pass_("manages_model_spend")
        if self._house.llm is None:
            raise SetupError("The app lists no models.", hint="Give it Metier(llm=LlmSetup(…)).")
        self._house.llm.spending = on

    def _reader(self) -> Principal | None:
        """Who reads, where anybody is asked at all."""
        return None if self._house.agents is None else SIGNED_IN.get()

    def _sight_of(self, task: str) -> Sight:
        who = self._reader()
        return "whole" if who is None else self._sight(who, self.record.row(task))

    def _sight(self, who: Principal, row: TaskRow) -> Sight:
        if who.id == row.giver or self.doors.may(who, "audits_agents"):
            return "whole"
        if row.agent and who.id == self.record.receipt(row.id).on_behalf_of:
            return "whole"
        return "happened" if self.doors.may(who, "supervises_agents") else "none"

    def _may_answer(self, who: Principal, one: StoredProposal) -> bool:
        """The giver or the person the work is done for, and the agent's sponsor; never the agent itself (O82)."""
        receipt = self.record.receipt(one.proposal.task)
        if who.id == receipt.principal:
            return False
        return who.id in (receipt.giver, receipt.on_behalf_of, receipt.sponsor)

    def _whole(self, task: str) -> str:
        """A task that may be read whole."""
        found = self._find_task(task)
        if self._sight_of(found) != "whole":
            raise TaskMissing(f"There is no task {task!r}.", hint="See the tasks with: metier tasks")
        return found

    def _find_task(self, task: str) -> str:
        newest = self.record.tasks(limit=1, roots=True) if task == "last" else []
        return newest[0].id if newest else self.record.find_task(task)
