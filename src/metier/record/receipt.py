"""What is the account of one task, by its entries?"""

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, cast

from ..domain.entry import Entry
from ..domain.money import Usage
from ..domain.receipt import CallCounts, Receipt, SkillUsed
from ..domain.task import GivenFile, State

_NO_FACTS: Mapping[str, Any] = {}


def fold(entries: Iterable[Entry]) -> Receipt:
    """The receipt of a task, by its entries in their order. What they do not tell is left empty."""
    account = _Account()
    for entry in entries:
        account.take(entry)
    return account.receipt()


class _Account:
    """What is known so far."""

    def __init__(self) -> None:
        self.first: Entry | None = None
        self.last: Entry | None = None
        self.final: Entry | None = None
        self.given: Mapping[str, Any] = _NO_FACTS
        self.model: Mapping[str, Any] = _NO_FACTS
        self.entries = 0
        self.model_calls = 0
        self.usage = Usage()
        self.cost = Decimal(0)
        self.reserved = Decimal(0)
        """What the model call that has no answer yet may cost."""
        self.begun: set[str] = set()
        self.counts = dict.fromkeys(CallCounts.__slots__, 0)
        self.skills: dict[SkillUsed, None] = {}
        self.confinement: dict[str, None] = {}
        self.approvals: dict[str, dict[str, Any]] = {}

    def take(self, entry: Entry) -> None:
        self.first = self.first or entry
        self.last = entry
        self.entries += 1
        if "ended" in entry.facts:
            self.final = entry
            return
        match entry.kind:
            case "Given":
                self.given = entry.facts
                self.model = _mapping(entry.facts.get("model"))
            case "Briefed":
                # Code that makes a model is loaded after the task was given: what it made is known only now.
                self.model = {**self.model, **_mapping(entry.facts.get("model"))}
            case "ModelCalled" | "ModelAnswered":
                self.take_model(entry)
            case "ToolCalled" | "ToolReturned":
                self.take_tool(entry)
            case "Refused" | "SentBack":
                self.counts["refused" if entry.kind == "Refused" else "sent_back"] += 1
            case "Proposed" | "Approved" | "Declined":
                self.take_approval(entry)
            case _:
                pass

    def take_model(self, entry: Entry) -> None:
        # A call without an answer may have cost all that was reserved for it.
        if entry.kind == "ModelCalled":
            self.model_calls += 1
            self.cost += self.reserved
            self.reserved = _amount(entry.facts.get("reserved")) or Decimal(0)
            return
        self.cost += _amount(entry.facts.get("cost")) or Decimal(0)
        self.reserved = Decimal(0)
        usage = _mapping(entry.facts.get("usage"))
        self.usage += Usage(**{name: _whole(usage.get(name)) for name in Usage.__slots__})

    def take_tool(self, entry: Entry) -> None:
        call = _text(entry.facts.get("call"))
        if entry.kind == "ToolCalled":
            self.begun.add(call)
            skill = _mapping(entry.facts.get("skill"))
            if skill:
                self.skills[_skill(skill)] = None
            return
        self.begun.discard(call)
        outcome = entry.facts.get("outcome")
        if outcome in ("done", "failed", "stopped", "never_ran"):
            self.counts[outcome] += 1
        if confinement := _text(entry.facts.get("confinement")):
            self.confinement[confinement] = None

    def take_approval(self, entry: Entry) -> None:
        self.counts[entry.kind.lower()] += 1
        facts = entry.facts
        row = self.approvals.setdefault(
            _text(facts.get("proposal")),
            {
                "proposal": _text(facts.get("proposal")),
                "action": "",
                "subject": "",
                "answer": "",
                "by": "",
                "covers": "",
            },
        )
        row |= {name: _text(facts[name]) for name in ("action", "subject", "by", "covers") if name in facts}
        if entry.kind != "Proposed":
            row["answer"] = "yes" if entry.kind == "Approved" else "no"

    def receipt(self) -> Receipt:
        given, model = self.given, self.model
        own = _skill(_mapping(given.get("skill")))
        end = _NO_FACTS if self.final is None else self.final.facts
        body = _NO_FACTS if self.final is None else self.final.body or _NO_FACTS
        return Receipt(
            id=self.first.task if self.first else "",
            skill=own,
            giver=_text(given.get("giver")),
            state=cast("State", end.get("ended", "Running")),
            reason=_text(end.get("reason")),
            text=_text(body.get("text")),
            started=self.first.at if self.first else 0,
            ended=self.final.at if self.final else None,
            result=body.get("result"),
            result_digest=_text(end.get("result")),
            check=_text(given.get("check")),
            input_digest=_text(given.get("input")),
            files=_files(given.get("files")),
            model=_text(model.get("name")),
            scripted=bool(model.get("scripted")),
            model_calls=self.model_calls,
            usage=self.usage,
            cost=self.cost + self.reserved,
            budget=_amount(given.get("budget")),
            priced=bool(model.get("priced")),
            calls=CallCounts(**self.counts | {"unknown": len(self.begun)}),
            skills=tuple(dict.fromkeys((own, *self.skills))) if own.name else tuple(self.skills),
            confinement=tuple(self.confinement),
            approvals=tuple(self.approvals.values()),
            entries=self.entries,
            digest=self.last.digest if self.last else "",
            durability=_text(given.get("durability")),
        )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else _NO_FACTS


def _amount(value: object) -> Decimal | None:
    if not isinstance(value, str | int | Decimal):
        return None
    try:
        amount = Decimal(value)
    except InvalidOperation:
        return None
    return amount if amount.is_finite() else None


def _skill(facts: Mapping[str, Any]) -> SkillUsed:
    return SkillUsed(*(_text(facts.get(name)) for name in ("source", "name", "version", "digest")))


def _files(value: object) -> tuple[GivenFile, ...]:
    if not isinstance(value, list | tuple):
        return ()
    files = [_mapping(item) for item in cast("list[object]", value)]
    return tuple(
        GivenFile(_text(file.get("name")), _text(file.get("digest")), _whole(file.get("length"))) for file in files
    )
