"""Is an approved call carried out again, or asked for again, when the model fails after it?

differs = "`model.failed` is the end Failed, model, from which the task can go on"
"""

from dataclasses import dataclass
from pathlib import Path

from metier.domain.message import Answer, Request, ToolMessage

from ..case import Case, Happened
from ..going_on import Outliving
from ..playing import steps_of

EXPECTED = {"first": ("Failed", "model"), "stored": ["done"], "asked": 1, "second": "Done", "requests": 3}


@dataclass(slots=True)
class Down(Outliving):
    """A task whose model fails the first time that it is sent a result."""

    failed: bool = False

    def _said(self, request: Request) -> Answer:
        if isinstance(request.messages[-1], ToolMessage) and not self.failed:
            self.failed = True
            self.sent.append(request)
            raise ConnectionError("500")
        return Outliving._said(self, request)


def happens(case: Case, folder: Path) -> Happened:
    """Approve, go on until the model fails, and go on again."""
    first_call, _, words = steps_of(case)
    with Down(folder, [first_call, words], {"publish": "sends"}) as job:
        task = job.to_the_pause()
        (stored,) = job.pending(task)
        job.say(stored.proposal.id, "yes")
        first = job.resume(task)
        outcomes = [entry.facts["outcome"] for entry in job.of(task, "ToolReturned")]
        second = job.resume(task)
        facts = {
            "first": (first.state, first.reason),
            "stored": outcomes,
            "asked": len(job.of(task, "Proposed")),
            "second": second.state,
            "requests": len(job.sent),
        }
        ok = facts == EXPECTED and second.done
        return Happened("ok" if ok else "error", {"body_calls": len(job.ran)}, facts)
