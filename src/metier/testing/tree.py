"""How does a task look in a terminal that has nothing but text?

One branch a turn of the model, one leaf a call, and below it what was asked, refused or sent back.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..domain.compact import compact
from ..domain.entry import Entry

WIDTH = 96
"""The most characters of what was said or handed over."""

_OF_CALLS = frozenset({"ToolCalled", "ToolReturned", "Refused", "SentBack"})

_SILENT = frozenset({"ModelCalled", "Briefed", "HandedBack"})
"""What the lines around it tell already."""


def tree_of(entries: Iterable[Entry]) -> str:
    """A task's entries as lines of text, the given at the top and the end at the bottom."""
    return "\n".join(_lines(entries))


def _lines(entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        if entry.kind in _SILENT:
            continue
        yield from _told(entry)


def _told(entry: Entry) -> Iterator[str]:
    facts, body = entry.facts, entry.body or {}
    if entry.kind in _OF_CALLS:
        yield from _of_call(entry.kind, facts, body)
        return
    match entry.kind:
        case "Given":
            by = f" by {facts['agent']['name']}" if "agent" in facts else ""
            yield f"{facts['skill']['name']}{by}, given by {facts['giver']}: {_short(body.get('input'))}"
        case "ModelAnswered":
            yield from _answered(facts, body)
        case "Proposed" | "AskedForHelp":
            yield f"│  ? {_short(body.get('words'))}"
        case "Approved" | "Declined" | "Helped" | "Stale":
            yield f"│  {entry.kind.lower()} by {facts.get('by', 'nobody')}: {_short(body.get('reason'))}"
        case _:
            yield from _rest(entry, facts, body)


def _of_call(kind: str, facts: Mapping[str, Any], body: Mapping[str, Any]) -> Iterator[str]:
    if kind == "ToolCalled":
        yield f"│  {_deep(facts)}{facts['target']} {_short(body.get('arguments'))}"
    elif kind == "ToolReturned":
        mark = {"done": "→", "sent_back": "↩"}.get(facts["outcome"], "✗")
        yield f"│  {_deep(facts)}   {mark} {_short(body.get('text'))}"
    elif kind == "Refused":
        yield f"│  ✗ {facts['action']} was refused ({facts['code']}): {_short(body.get('reason'))}"
    elif facts["call"] is None or "action" in facts:
        yield f"│  ↩ sent back: {_short(body.get('reason'))}"


def _rest(entry: Entry, facts: Mapping[str, Any], body: Mapping[str, Any]) -> Iterator[str]:
    if "ended" in facts:
        result = body.get("result")
        told = _short(result) if result is not None else _short(body.get("text"))
        yield f"└─ {facts['ended']} ({facts['reason']}): {told}"
        return
    text = body.get("error") or body.get("text") or ""
    # The last line of a traceback says what was wrong.
    yield f"│  {entry.kind}: {_short(str(text).strip().rpartition(chr(10))[2])}"


def _answered(facts: Mapping[str, Any], body: Mapping[str, Any]) -> Iterator[str]:
    if not facts["ok"]:
        yield f"├─ turn {facts['turn']}: the model failed: {_short(body.get('error'))}"
        return
    said = _short(body["text"]) if body.get("text") else ", ".join(call["name"] for call in body["calls"])
    yield f"├─ turn {facts['turn']}: {said}"


def _deep(facts: Mapping[str, Any]) -> str:
    return "   " * str(facts["call"]).count(".", str(facts["call"]).rfind("c") + 3)


def _short(value: object) -> str:
    text = value if isinstance(value, str) else compact(value)
    line = " ".join(text.split())
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"
