"""How does the model of a case play a task of ours?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from metier.app.metier import Metier
from metier.domain.action import Action
from metier.domain.entry import Entry, Kind
from metier.domain.message import Answer, Request, ToolMessage
from metier.domain.permits import Permits
from metier.domain.proposal import Proposal
from metier.domain.receipt import Receipt
from metier.domain.skill import Job, SkillSpec
from metier.testing import AgentScript, Says, ScriptedModel

from .case import Case

RENAMED = {"skill": "skill_name", "script": "script_name"}
"""Arguments of the skill tools, as the cases write them and as we do."""
LIMITS = ("max_turns", "stuck", "repeats", "budget", "seconds")
RECORD = "record.sqlite"


def says(step: Mapping[str, Any]) -> Says:
    """One step of a case's model."""
    made = [Says.tool(call["tool"], _arguments(call)) for call in step.get("calls", ())]
    return Says.many(Says.text(step.get("text", "")), *made)


def steps_of(case: Case) -> list[Says]:
    """All steps of a case's `in/model.json`."""
    return [says(step) for step in case.read("model.json")]


def _arguments(call: Mapping[str, Any]) -> dict[str, Any]:
    given: dict[str, Any] = call["args"]
    if call["tool"] != "run_skill_script":
        return given
    return {RENAMED.get(name, name): value for name, value in given.items()}


def runs(skill: str, script: str, args: Any = None) -> Says:
    """The step that runs a script of a skill."""
    return Says.tool("run_skill_script", {"skill_name": skill, "script_name": script, "args": args})


@dataclass(frozen=True, slots=True)
class Played:
    """A task that was played to its end: its receipt, its entries, and what the model was sent."""

    receipt: Receipt
    entries: Sequence[Entry]
    sent: Sequence[Request]

    @property
    def outcome(self) -> str:
        """How it ended, in the words of the cases."""
        return outcome_of(self.receipt)

    @property
    def answers(self) -> list[ToolMessage]:
        """What the model was answered, up to its last turn."""
        return [one for one in self.sent[-1].messages if isinstance(one, ToolMessage)]

    def of(self, *kinds: Kind) -> list[Entry]:
        """The entries of these kinds."""
        return [entry for entry in self.entries if entry.kind in kinds]


def outcome_of(receipt: Receipt) -> str:
    """How a task ended, in the words of the cases."""
    if receipt.done:
        return "ok"
    return "stop" if receipt.reason in LIMITS else "error"


@dataclass(slots=True)
class Player:
    """Plays tasks in one folder, which holds their record."""

    folder: Path
    permits: Permits = field(default_factory=Permits.proposes)
    approve: Callable[[Proposal], bool] = lambda _: True
    files: Sequence[str] = ()
    can_force: bool = True
    looks: Callable[[Request], None] = lambda _: None
    """Is called with each request, before it is answered."""

    def play(self, steps: Sequence[Says], *, job: Job, skill: str | None = None) -> Played:
        """Play one task: of a skill's folder, or of a job alone."""
        script, sent, entries = AgentScript.of(*steps), list[Request](), list[Entry]()

        def answer(request: Request) -> Answer:
            sent.append(replace(request, messages=tuple(request.messages)))
            self.looks(request)
            return script.answer(request)

        model = ScriptedModel("case", answer, can_force=self.can_force)
        record = self.folder / RECORD
        with Metier(project=self.folder, record=record, model=model, permits=self.permits) as app:
            spec = replace(app.find(skill), job=job) if skill else SkillSpec("job", "Do the job.", job=job)
            receipt = app.run(spec, files=self.files, approver=self.approve, watch=entries.append)
        return Played(receipt, entries, sent)


def tool_calls(played: Played, *names: str) -> int:
    """How many calls of these actions were carried out."""
    return sum(entry.facts["action"] in names for entry in played.of("ToolCalled"))


def typed(members: Mapping[str, str], **more: Any) -> Job:
    """A job that hands back an object of these members, all of them required."""
    properties = {name: {"type": kind} for name, kind in members.items()}
    return Job(hands_back={"type": "object", "properties": properties, "required": list(members)}, **more)


def with_tools(*tools: Action, **more: Any) -> Job:
    """A job of text to words with these tools."""
    return Job(tools=tools, **more)
