"""What did the models cost, by day, agent, skill and model?"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from ..domain.money import Dollars, Usage
from .answers import ModelUse

NANOSECONDS = 1_000_000_000


class CallEntry(NamedTuple):
    """One begin or end of a model call, in the order of tasks and numbers."""

    task: str
    skill: str
    agent: str
    kind: str
    at: int
    facts: Mapping[str, Any]


def model_use(entries: Iterable[CallEntry]) -> list[ModelUse]:
    """The model calls summed up by day, agent, skill and model, in that order. See `cost_of` for those without an end."""
    found: dict[tuple[str, str, str, str], ModelUse] = {}
    for use in _calls(entries):
        key = (use.day, use.agent, use.skill, use.model)
        found[key] = found[key] + use if key in found else use
    return [found[key] for key in sorted(found)]


def cost_of(entries: Iterable[CallEntry]) -> Dollars:
    """What the model calls cost together. One without an end counts at its reservation: it may have cost all of that."""
    return sum((use.cost for use in _calls(entries)), Decimal(0))


def _calls(entries: Iterable[CallEntry]) -> Iterator[ModelUse]:
    begun: CallEntry | None = None
    for entry in entries:
        if entry.facts.get("taken"):
            continue  # it was paid for in the task that it was taken from
        if entry.kind == "ModelCalled":
            if begun is not None:
                yield _one(begun, {"cost": begun.facts["reserved"]})
            begun = entry
        elif begun is not None and entry.task == begun.task:
            yield _one(begun, entry.facts)
            begun = None
    if begun is not None:
        yield _one(begun, {"cost": begun.facts["reserved"]})


def _one(begun: CallEntry, facts: Mapping[str, Any]) -> ModelUse:
    day = datetime.fromtimestamp(begun.at // NANOSECONDS, UTC).date().isoformat()
    usage = Usage(**facts["usage"]) if "usage" in facts else Usage()
    return ModelUse(day, begun.skill, begun.facts["model"], 1, usage, Decimal(facts["cost"]), begun.agent)
