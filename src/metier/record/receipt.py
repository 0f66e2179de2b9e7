"""What is the account of one task, by its entries?"""

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, cast

from ..domain.entry import Entry
from ..domain.money import Usage
from ..domain.receipt import CallCounts, Receipt, SkillUsed
from ..domain.task import GivenFile, State

_NO_FACTS: Mapping[str, Any] = {}
_NOTHING = Decimal(0)

_UNENDED = {"": "Running", "worker": "Ready"}
"""The state of a task that has not ended, by what its last run said it waits for."""


def fold(entries: Iterable[Entry]) -> Receipt:
    """The receipt of a task, by its entries in their order. What they do not tell is left empty."""
    account = Account()
    head = ""
    for entry in entries:
        account.take(entry.task, entry.kind, entry.at, entry.facts, entry.body)
        head = entry.digest
    return account.receipt(head)


class Account:
    """What is known so far of a task whose entries come one by one. It keeps no entries."""

    def __init__(self) -> None:
        self._task = ""
        self._started = 0
        self._ended: int | None = None
        self._given = self._model = self._end = self._end_body = _NO_FACTS
        self._waits = ""
        self._entries = 0
        self._model_calls = 0
        self._sent = self._answered = self._cache_read = self._cache_write = 0
        self._cost = _NOTHING
        self._reserved = _NOTHING
        """What the model call that has no answer yet may cost."""
        self._begun: set[str] = set()
        self._counts = dict.fromkeys(CallCounts.__slots__, 0)
        self._skills: dict[SkillUsed, None] = {}
        self._confinement: dict[str, None] = {}
        self._approvals: dict[str, dict[str, Any]] = {}
        self._children: dict[str, Decimal] = {}
        """The tasks that work was handed to, each with its cost."""
        self._tries = 1

    def take(self, task: str, kind: str, at: int, facts: Mapping[str, Any], body: Mapping[str, Any] | None) -> None:
        """Count one entry."""
        if not self._entries:
            self._task, self._started = task, at
        self._entries += 1
        if "ended" in facts:
            self._ended, self._end, self._end_body = at, facts, body or _NO_FACTS
            return
        # The four kinds that every turn has come first; a table of bound methods would keep each account in a circle.
        if kind == "ToolCalled":
            self._take_begin(facts)
        elif kind == "ToolReturned":
            self._take_end(facts)
        elif kind == "ModelCalled":
            self._take_model_call(facts)
        elif kind == "ModelAnswered":
            self._take_answer(facts)
        else:
            self._take_rare(kind, facts, body)

    def _take_rare(self, kind: str, facts: Mapping[str, Any], body: Mapping[str, Any] | None) -> None:
        match kind:
            case "Given":
                self._given, self._model = facts, _mapping(facts.get("model"))
            case "Briefed":
                # Code that makes a model is loaded after the task was given: what it made is known only now.
                self._model = {**self._model, **_mapping(facts.get("model"))}
            case "Refused" | "SentBack":
                self._counts["refused" if kind == "Refused" else "sent_back"] += 1
            case "Proposed" | "Approved" | "Declined" | "Stale":
                self._take_approval(kind, facts)
            case "Paused":
                self._waits, self._end_body = _text(facts.get("waits")) or "person", body or _NO_FACTS
            case "Resumed" | "Retried":
                self._go_on(facts.get("try"))
            case _:
                pass

    def _go_on(self, number: object) -> None:
        self._tries = _whole(number) or self._tries
        # After an end too: a stopped task goes on, and has not ended any more.
        self._waits, self._ended, self._end, self._end_body = "", None, _NO_FACTS, _NO_FACTS

    def _take_model_call(self, facts: Mapping[str, Any]) -> None:
        # A call without an answer may have cost all that was reserved for it.
        self._model_calls += 1
        self._cost += self._reserved
        self._reserved = _amount(facts.get("reserved")) or _NOTHING

    def _take_answer(self, facts: Mapping[str, Any]) -> None:
        self._cost += _amount(facts.get("cost")) or _NOTHING
        self._reserved = _NOTHING
        usage = _mapping(facts.get("usage"))
        self._sent += _whole(usage.get("input"))
        self._answered += _whole(usage.get("output"))
        self._cache_read += _whole(usage.get("cache_read"))
        self._cache_write += _whole(usage.get("cache_write"))

    def _take_begin(self, facts: Mapping[str, Any]) -> None:
        self._begun.add(_text(facts.get("call")))
        if skill := _mapping(facts.get("skill")):
            self._skills[_skill(skill)] = None

    def _take_end(self, facts: Mapping[str, Any]) -> None:
        self._begun.discard(_text(facts.get("call")))
        outcome = facts.get("outcome")
        if outcome in ("done", "failed", "stopped", "never_ran", "unknown"):
            self._counts[outcome] += 1
        if confinement := _text(facts.get("confinement")):
            self._confinement[confinement] = None
        if "child" in facts:
            self._children[_text(facts["child"])] = _amount(facts.get("cost")) or _NOTHING

    def _take_approval(self, kind: str, facts: Mapping[str, Any]) -> None:
        if kind == "Stale":
            self._approval(facts)["stale"] = True
            return
        self._counts[kind.lower()] += 1
        row = self._approval(facts)
        row |= {name: _text(facts[name]) for name in ("action", "subject", "by", "covers") if name in facts}
        if kind != "Proposed":
            row["answer"] = "yes" if kind == "Approved" else "no"

    def _approval(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        proposal = _text(facts.get("proposal"))
        return self._approvals.setdefault(
            proposal, {"proposal": proposal, "action": "", "subject": "", "answer": "", "by": "", "covers": ""}
        )

    def receipt(self, head: str) -> Receipt:
        """The account so far; `head` is the digest of the last entry."""
        given, model, end, body = self._given, self._model, self._end, self._end_body
        agent = _mapping(given.get("agent"))
        own = _skill(_mapping(given.get("skill")))
        return Receipt(
            id=self._task,
            skill=own,
            giver=_text(given.get("giver")),
            state=cast("State", end.get("ended", _UNENDED.get(self._waits, "Waiting"))),
            reason=_text(end.get("reason")),
            text=_text(body.get("text")),
            started=self._started,
            ended=self._ended,
            result=body.get("result"),
            result_digest=_text(end.get("result")),
            check=_text(given.get("check")),
            input_digest=_text(given.get("input")),
            files=_files(given.get("files")),
            model=_text(model.get("name")),
            scripted=bool(model.get("scripted")),
            model_calls=self._model_calls,
            usage=Usage(self._sent, self._answered, self._cache_read, self._cache_write),
            cost=self._cost + self._reserved,
            budget=_amount(given.get("budget")),
            priced=bool(model.get("priced")),
            calls=CallCounts(**self._counts | {"unknown": self._counts["unknown"] + len(self._begun)}),
            skills=tuple(dict.fromkeys((own, *self._skills))) if own.name else tuple(self._skills),
            confinement=tuple(self._confinement),
            approvals=tuple(dict(row) for row in self._approvals.values()),
            entries=self._entries,
            digest=head,
            durability=_text(given.get("durability")),
            agent=_text(agent.get("name")),
            principal=_text(agent.get("principal")),
            on_behalf_of=_text(given.get("on_behalf_of")),
            sponsor=_text(agent.get("sponsor")),
            parent=_text(given.get("parent")),
            tries=self._tries,
            children=tuple(self._children),
            children_cost=sum(self._children.values(), _NOTHING),
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
