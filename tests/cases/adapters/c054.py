"""Is a call told from another that has the same id at the provider?"""

from dataclasses import replace
from pathlib import Path

from metier.domain.message import Answer, Request, ToolCall
from metier.testing import AgentScript

from ..case import Case, Happened
from ..going_on import Outliving, answers_of
from ..playing import steps_of

EXPECTED = {
    "ran": ["look", "pay"],
    "answers": [("call_1", "look"), ("call_1", "pay")],
    "proposals": [("c2.1", "pay")],
    "roles": ["user", "model", "tool", "model", "tool"],
    "state": "Done",
}


def happens(case: Case, folder: Path) -> Happened:
    """Run to the pause, approve, go on; the model gives both its calls one id."""
    script = AgentScript.of(*steps_of(case))

    class SameId(Outliving):
        def _said(self, request: Request) -> Answer:
            self.sent.append(request)
            answer = script.answer(request)
            calls = tuple(ToolCall("call_1", call.name, call.arguments) for call in answer.message.calls)
            return Answer(replace(answer.message, calls=calls), answer.usage)

    with SameId(folder, steps_of(case), {"look": "reads", "pay": "sends"}) as job:
        task = job.to_the_pause()
        stored = job.pending(task)
        job.say(stored[0].proposal.id, "yes")
        receipt = job.resume(task)
        facts = {
            "ran": [name for name, _ in job.ran],
            "answers": answers_of(job.sent[-1]),
            "proposals": [(one.proposal.call_id, one.proposal.action) for one in stored],
            "roles": [one.role for one in job.sent[-1].messages][:5],
            "state": receipt.state,
        }
        return Happened("ok" if receipt.done else "error", facts=facts)
