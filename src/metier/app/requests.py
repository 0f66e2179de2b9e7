"""What was a model sent, request by request?

The requests are not stored: they are made anew from the entries, which hold all that went into them (O114).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..domain.action import Action
from ..domain.bounds import StopWhen
from ..domain.message import Request, ToolSpec
from ..domain.permits import Permits
from ..gate.approvers import Nobody
from ..gate.bounds import Bounds
from ..gate.meter import Meter
from ..gate.path import Path
from ..loop.run import Run
from ..loop.take_up import Walk
from ..loop.talk import Talk
from ..record import MemoryLog, Record
from .earlier import Earlier, earlier_of

if TYPE_CHECKING:
    from ..domain.ports import Model


@dataclass(frozen=True, slots=True)
class _Sent:
    """Stands where a model must be: it is not asked."""

    name: str
    max_output_tokens: int
    can_force: bool
    vision: bool
    client: Any = None
    price: None = None
    scripted: bool = True


def requests_of(record: Record, task: str) -> list[Request]:
    """Each request that a model was sent in a task, in their order; one that was sent again stands here again.

    Raises:
        TaskError: the task's contents were erased, or it was never given whole.
    """
    return list(_requests(earlier_of(record, task)))


def _requests(earlier: Earlier) -> Iterator[Request]:
    briefed = earlier.briefed
    if briefed is None or briefed.body is None:
        return
    run = _run(earlier, briefed.facts, briefed.body)
    walk = Walk(run)
    for entry in earlier.entries:
        walk.take(entry)
        if entry.kind == "ModelCalled":
            must_call = entry.facts.get("must_call")
            yield replace(
                run.talk.request(max_output_tokens=run.model.max_output_tokens, must_call=must_call),
                messages=tuple(run.talk.messages),
            )


def _run(earlier: Earlier, facts: Any, body: Any) -> Run:
    """A run of nothing, in which the entries are walked over."""
    task = earlier.given.task
    talk = Talk(system=body["system"], tools=[ToolSpec(**tool) for tool in body["tools"]])
    talk.tell(body["task"])
    log = MemoryLog(task)
    actions: dict[str, Action] = {}
    path = Path(task=task, actions=actions, log=log, permits=Permits(()), approver=Nobody(""), past=earlier.past)
    bounds = Bounds(StopWhen(**earlier.given.facts["stop"]), Meter(price=None, budget=None))
    told = facts["model"]
    model: Model = _Sent(told["name"], told["max_output_tokens"], told["can_force"], told["vision"])
    return Run(model, talk, path, bounds, log, actions, facts["typed"])
