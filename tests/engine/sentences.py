"""What must be true of a job that was killed and has ended, wherever it was killed?"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from metier.domain.entry import Entry
from metier.domain.money import Usage
from metier.gate.settling import UNKNOWN
from metier.record import Record, open_record

from .job import PRICE
from .world import World

UNWRITTEN = 2
"""So many requests may be cut by one kill: one that has no answer, and the one before it, whose answer may wait for two
milliseconds to be written (design, section 6)."""
READING = {"look", "read_skill_resource", "hand_back"}


@dataclass(frozen=True, slots=True)
class Clean:
    """A run that nobody killed: what it came to, and how many points there are to kill it at."""

    result: Any
    requests: Sequence[Any]
    effects: Sequence[tuple[str, str]]
    statements: int
    told: Sequence[str]
    """The events, in their order."""


def clean_of(world: World) -> Clean:
    """What a run came to that nobody killed."""
    statements = len((world.folder / "statements").read_text(encoding="utf-8").splitlines())
    effects = [(key.partition(":")[2], name) for key, name in world.effects]
    return Clean(receipt_of(world)["result"], world.requests, effects, statements, world.events)


def receipt_of(world: World) -> Mapping[str, Any]:
    """The receipt that the last process was given."""
    receipt: Mapping[str, Any] = json.loads((world.folder / "receipt").read_text(encoding="utf-8"))
    return receipt


@dataclass(frozen=True, slots=True)
class Cut:
    """How far a process had come when it was killed."""

    calls: frozenset[str] = frozenset()
    """The calls that were begun on the record and not ended, beside those that only read."""
    asked: int = 0
    """How often the model had been asked."""
    answered: int = 0
    """How many of its answers are on the record."""


def cut_of(world: World) -> Cut:
    """What the record says of a process that was killed just now."""
    asked = len(world.requests)
    if not world.record.exists():
        return Cut(asked=asked)
    with open_record(str(world.record)) as record:
        entries = [entry for row in record.tasks() for entry in record.entries(row.id)]
    begun = {str(one.facts["call"]) for one in entries if one.kind == "ToolCalled" and not _reads(one)}
    ended = {str(one.facts["call"]) for one in entries if one.kind == "ToolReturned"}
    answered = sum(one.kind == "ModelAnswered" and one.facts["ok"] for one in entries)
    return Cut(frozenset(begun - ended), asked, answered)


def untrue(world: World, clean: Clean, cut: Cut) -> list[str]:
    """The sentences that do not hold of a world whose process was killed once, and whose task has ended since."""
    with open_record(str(world.record)) as record:
        task = receipt_of(world)["id"]
        entries = list(record.entries(task, whole=True))
        sentences: dict[str, bool] = {
            "the record verifies": all(record.verify(row.id).ok for row in record.tasks()),
            "the receipt is the record's": record.receipt(task).digest == receipt_of(world)["digest"],
            "it ends like the clean run": receipt_of(world)["result"] == clean.result
            and receipt_of(world)["state"] == "Done",
            "it has one end": sum("ended" in one.facts for one in entries) == 1 and "ended" in entries[-1].facts,
            "nothing waits any more": record.proposals() == [] and record.ready() == _never_given(record, task),
            "no end without a begin": _ends_are_begun(entries),
            "no begin without an end": _begins_are_ended(entries),
            "no effect twice unless a person said so": _no_effect_twice(world, entries),
            "no effect is lost": _no_effect_lost(world, clean, entries),
            "every unknown was shown": _unknowns_shown(entries, cut.calls) and _counted(world, entries),
            "the money is right": _money_is_right(world, entries),
            "the model saw what it sees in a clean run": _requests_go_on(world, clean, cut),
        }
    return [sentence for sentence, holds in sentences.items() if not holds]


def _reads(entry: Entry) -> bool:
    return entry.facts["action"] in READING


def _never_given(record: Record, task: str) -> list[str]:
    """Tasks whose process died before they were given whole; they were given again."""
    return [row.id for row in record.tasks() if row.id != task and row.ended is None and row.id in record.ready()]


def _ends_are_begun(entries: Sequence[Entry]) -> bool:
    open_calls: Counter[str] = Counter()
    for one in entries:
        if one.kind == "ToolCalled":
            open_calls[one.facts["call"]] += 1
        if one.kind == "ToolReturned":
            open_calls[one.facts["call"]] -= 1
        if one.kind in ("ModelCalled", "ModelAnswered"):
            open_calls["model"] += 1 if one.kind == "ModelCalled" else -1
        if min(open_calls.values(), default=0) < 0:
            return False
    return True


def _begins_are_ended(entries: Sequence[Entry]) -> bool:
    """Each call that changes something has as many ends as begins; one that reads may have been cut and made again."""
    begun = Counter(one.facts["call"] for one in entries if one.kind == "ToolCalled" and not _reads(one))
    ended = Counter(one.facts["call"] for one in entries if one.kind == "ToolReturned")
    read = {one.facts["call"] for one in entries if one.kind == "ToolCalled" and _reads(one)}
    models = Counter(one.kind for one in entries if one.kind.startswith("Model"))
    return (
        all(ended[call] == times for call, times in begun.items())
        and all(ended[call] == 1 for call in read)
        and models["ModelCalled"] == models["ModelAnswered"]
    )


def _again(entries: Sequence[Entry], *, by_person: bool = False) -> Counter[str]:
    """How often each call was let be made again after a cut."""
    return Counter(
        one.facts["call"]
        for one in entries
        if one.kind == "ToolReturned" and one.facts.get("again") and (one.facts["settled"] != "hook" or not by_person)
    )


def _calls_of(world: World, entries: Sequence[Entry]) -> Counter[str]:
    task = entries[0].task
    return Counter(key.partition(":")[2] for key, _ in world.effects if key.startswith(f"{task}:"))


def _no_effect_twice(world: World, entries: Sequence[Entry]) -> bool:
    again = _again(entries, by_person=True)
    return all(times <= 1 + again[call] for call, times in _calls_of(world, entries).items())


def _no_effect_lost(world: World, clean: Clean, entries: Sequence[Entry]) -> bool:
    """What the clean run did was done, but for calls that a person did not want again, and no more than that."""
    given_up = {one.facts["call"] for one in entries if one.facts.get("outcome") == "unknown"} - set(_again(entries))
    done = set(_calls_of(world, entries))
    wanted = {call for call, _ in clean.effects}
    return wanted - given_up <= done <= wanted


def _unknowns_shown(entries: Sequence[Entry], cut: frozenset[str]) -> bool:
    """Each call that was cut was put to a person, as one that may have taken effect; or its hook knew."""
    asked = {one.facts["call"] for one in entries if one.kind == "Proposed" and one.facts.get("unknown")}
    hooked = {one.facts["call"] for one in entries if one.facts.get("settled") == "hook"}
    return asked | hooked == set(cut)


def _counted(world: World, entries: Sequence[Entry]) -> bool:
    unknown = sum(one.facts.get("outcome") == "unknown" for one in entries)
    return bool(receipt_of(world)["calls"]["unknown"] == unknown)


def _money_is_right(world: World, entries: Sequence[Entry]) -> bool:
    """Spent is what was settled, and the whole of the reservation that was cut."""
    spent, reserved, models = Decimal(0), Decimal(0), 0
    for one in entries:
        if one.kind == "ModelCalled":
            reserved, models = Decimal(one.facts["reserved"]), models + 1
        if one.kind == "ModelAnswered":
            price = PRICE.of(Usage(**one.facts["usage"])) if one.facts["ok"] else reserved
            if price != Decimal(one.facts["cost"]) or (not one.facts["ok"] and not one.facts.get("unknown")):
                return False
            spent += price
    return spent == Decimal(receipt_of(world)["cost"]) and abs(len(world.requests) - models) <= UNWRITTEN


def _requests_go_on(world: World, clean: Clean, cut: Cut) -> bool:
    """Up to the kill they are those of the clean run; after it too, from the first that has no answer on the record."""
    before, after = world.requests[: cut.asked], world.requests[cut.asked :]
    expected = clean.requests[cut.answered :]
    return (
        before == clean.requests[: cut.asked]
        and cut.asked - cut.answered <= UNWRITTEN
        and len(after) == len(expected)
        and all(map(_like, after, expected))
    )


def _like(request: Any, clean: Any) -> bool:
    """Whether they are equal, but for the answer to a call that a person did not want again."""
    if len(request) != len(clean):
        return False
    return all(one == other or _is_unknown(one, other) for one, other in zip(request, clean, strict=True))


def _is_unknown(one: Any, other: Any) -> bool:
    if not isinstance(one, dict) or not isinstance(other, dict) or not one["text"].startswith(UNKNOWN):
        return False
    return {**one, "text": "", "ok": True} == {**other, "text": ""}
