"""How does one agent hand work to another (O76)?

The tool that a job lists is the other agent's skill. Its call is a task of its own below the one that made it: its id is the
task's and the call's, so whoever makes the call anew finds it, whatever process that is. It is paid from the same money, and
reads no more than the person may for whom all of it is done.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...actions.declared import in_words
from ...actions.rows import Rows
from ...domain.action import APP, Action, Effect, Hands, Returned
from ...domain.compact import compact
from ...domain.receipt import Receipt
from ...domain.task import Waits, can_go_on
from ...errors import ActionError, GateError, TaskMissing, TaskTaken
from ...record import Record, TaskRow
from ...skills.job import Skill
from ...skills.job_spec import face_of
from ..agency import Parent
from ..assigning import Asked
from ..current import current_app
from ..family import WITHIN, Within
from .agent import Agent
from .assigning import For, assign_to
from .finding import agent_of, listed_skill
from .handed import handed_schema_of

READS: frozenset[Effect] = frozenset({"reads"})
"""The call itself changes nothing: each call of the other agent is judged by that agent's permits."""

TEXT: Mapping[str, Any] = {
    "type": "object",
    "properties": {"task": {"type": "string"}},
    "required": ["task"],
    "additionalProperties": False,
}
"""What a job that takes text is handed by a model: a tool's arguments are an object."""


@dataclass(frozen=True, slots=True, eq=False)
class HandedWork:
    """Another agent's skill, as a tool that a job lists. Make one with `Agents.of(…).tool(…)`."""

    agent: str | type[Agent]
    skill: Skill[Any, Any]

    @property
    def action(self) -> str:
        """The tool's name."""
        return f"{self._agent}_{self.skill.name}"

    @property
    def place(self) -> str:
        """Where it stands, for errors."""
        return f"the tool {self.action}"

    @property
    def label(self) -> str:
        """Its name as people read it."""
        return f"{in_words(self.skill.name)}, by {in_words(self._agent)}"

    @property
    def description(self) -> str:
        """What the model is told."""
        return f"{face_of(self.skill).description} The agent {self._agent} does it."

    @property
    def parameters_schema(self) -> str:
        """The JSON Schema of its arguments, as compact text."""
        return compact(self._parameters())

    @property
    def reads_only(self) -> bool:
        """The call itself only reads; what the other agent does is judged call by call."""
        return True

    @property
    def changes(self) -> bool:
        """See `reads_only`."""
        return False

    @property
    def sends(self) -> bool:
        """See `reads_only`."""
        return False

    def made(self, rows: Rows) -> Action:
        """The action that the gate judges."""
        del rows
        return Action(self.action, self.description, self._parameters(), self._body, READS, APP)

    @property
    def _agent(self) -> str:
        return self.agent.rpartition(".")[2].rpartition(":")[2] if isinstance(self.agent, str) else self.agent.__name__

    def _parameters(self) -> Mapping[str, Any]:
        schema = handed_schema_of(face_of(self.skill))
        if schema is None:
            return TEXT
        if schema.get("type") != "object":
            raise ActionError(
                f"{self.skill.name} is handed what is no object, so no model can hand it on.",
                hint="Make a class of what it takes, with the value as a member.",
            )
        return schema

    async def _body(self, arguments: Mapping[str, Any], hands: Hands) -> Returned:
        within = WITHIN.get()
        if within is None:
            raise GateError("Work can only be handed on inside a task.", hint="Give it with Agents.of(…).do.")
        handed = arguments["task"] if self._parameters() is TEXT else dict(arguments)
        receipt = await _carry_on(self, f"{within.assignment.task}.{hands.call_id}", handed, within)
        return _returned(self._agent, receipt)


async def _carry_on(work: HandedWork, task: str, handed: Any, within: Within) -> Receipt:
    """The receipt of the child's task: begun, gone on with, or as it ended before."""
    app = current_app()
    approver = within.assignment.approver
    parent = Parent(within.assignment.task, within.meter)
    try:
        row = app.record.row(task)
    except TaskMissing:
        agency = within.assignment.agency
        if agency is None:
            raise GateError("Only an agent hands work on.", hint="Give the task to an agent.") from None
        whom = For(agency.giver, agency.person, parent)
        agent = agent_of(app.house.agents, work.agent)
        spec = app.house.skill_of(listed_skill(agent, work.skill))
        asked = Asked(handed, (), None, within.assignment.unpriced)
        one = assign_to(app.house, task, agent, spec, asked, whom, handed=True, approver=approver)
        return await app.work.begin(replace(one, leave=within.assignment.leave), None)
    if row.ended is not None and not _goes_on(app.record, row, parent.task):
        receipt = app.record.receipt(task)
        within.meter.charge(receipt.cost + receipt.children_cost)  # it ended elsewhere, and is paid from the same money
        return receipt
    try:
        leave = within.assignment.leave
        return await app.work.resume(task, approver=approver, parent=parent, leave=leave)
    except TaskTaken:
        return app.record.receipt(task)  # another process works on it, and its end wakes this task


def _goes_on(record: Record, row: TaskRow, parent: str) -> bool:
    """Whether a child that ended goes on with its parent: not if a person stopped the child alone, which then stays so."""
    if row.state == "Stopped":
        return any(entry.kind == "Stopped" for entry in record.entries(parent))
    return can_go_on(row.state, row.reason)


def _returned(agent: str, receipt: Receipt) -> Returned:
    """How the child came out, as the answer of the call that handed the work on."""
    if receipt.state in ("Waiting", "Ready", "Running"):
        words = f"{agent} works on it as {receipt.id}: {receipt.text or receipt.state}"
        return Returned(ended=Waits("child", words, child=receipt.id))
    facts = {"child": receipt.id, "cost": str(receipt.cost + receipt.children_cost)}
    if receipt.done:
        return Returned(receipt.result, facts=facts)
    text = f"{agent} did not finish: {receipt.state} ({receipt.reason}). {receipt.text}".strip()
    return Returned(receipt.result, text=text, ok=False, code="child.failed", facts=facts)
