"""How does the model of a case play a task that outlives its processes?"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from metier.app.metier import Metier
from metier.domain.action import Action, Effect, Hands
from metier.domain.entry import Entry, Kind
from metier.domain.message import Answer, Request
from metier.domain.permits import Permits
from metier.domain.proposal import Reply, StoredProposal
from metier.domain.skill import Job, SkillSpec
from metier.testing import AgentScript, Says, ScriptedModel

from .playing import RECORD

Answered = TypeVar("Answered")


@dataclass(slots=True)
class Outliving:
    """A task of some tools on a record, and processes that work on it, each with nothing but the record's path."""

    folder: Path
    steps: Sequence[Says]
    effects: Mapping[str, Effect]
    """The tools of the job."""
    answer: Callable[[str, Mapping[str, Any]], Any] = lambda name, _: name
    permits: Permits = field(default_factory=Permits.proposes)
    ran: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list[tuple[str, Mapping[str, Any]]])
    sent: list[Request] = field(default_factory=list[Request])
    stack: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stack.close()

    def process(self) -> Metier:
        """One more process, as it is started anew."""
        app = Metier(
            project=self.folder,
            record=self.folder / RECORD,
            model=ScriptedModel("case", self._said),
            permits=self.permits,
            skills=[self.skill],
        )
        return self.stack.enter_context(app)

    @property
    def skill(self) -> SkillSpec:
        """The job."""
        tools = [
            Action(name, name, {"type": "object"}, self._body(name), frozenset({effect}))
            for name, effect in self.effects.items()
        ]
        return SkillSpec("job", "Do the job.", job=Job(tools=tools))

    def to_the_pause(self) -> str:
        """Give the task and work on it until it waits; answer its id."""
        app = self.process()
        task = app.submit(self.skill)
        app.resume(task)
        return task

    def pending(self, task: str) -> list[StoredProposal]:
        """What waits for an answer, as one more process sees it."""
        return self.process().proposals(task)

    def say(self, proposal: str, answer: str) -> StoredProposal:
        """Answer a proposal from one more process."""
        return self.process().answer(proposal, Reply("yes" if answer == "yes" else "no", "Ada"))

    def resume(self, task: str) -> Any:
        """Go on with the task in one more process."""
        return self.process().resume(task)

    def of(self, task: str, *kinds: Kind) -> list[Entry]:
        """The entries of a task, of these kinds."""
        return [one for one in self.process().record.entries(task, whole=True) if one.kind in kinds]

    def _said(self, request: Request) -> Answer:
        self.sent.append(request)
        return AgentScript.of(*self.steps).answer(request)

    def _body(self, name: str) -> Callable[[Mapping[str, Any], Hands], Coroutine[Any, Any, Any]]:
        async def body(given: Mapping[str, Any], _: Hands) -> Any:
            await asyncio.sleep(0)
            self.ran.append((name, given))
            said = self.answer(name, given)
            return await said if asyncio.iscoroutine(said) else said

        return body


def answers_of(request: Request) -> list[tuple[str, str]]:
    """The ids and texts of the answers to calls that a request holds, in its order."""
    return [(one.call_id, one.text) for one in request.messages if one.role == "tool"]
