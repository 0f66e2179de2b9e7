"""How does a task look while it is worked on: which line does each entry make?

A tree of calls with time, tokens and dollars. A line is made when a call has ended; what was called inside it comes below.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ..domain.entry import Entry
from .clean import one_line
from .glyphs import Glyphs

SHOWN_ARGUMENTS = 60

WAITS = "it waits until somebody answers"
"""How the sentence begins that names the proposal a task waits for."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the tree: how deep it stands (-1 for its root), what happened, and how it came out."""

    depth: int
    mark: str
    text: str
    figures: str = ""
    style: str = ""

    def drawn(self, glyphs: Glyphs) -> str:
        """The line as text."""
        figures = f"  {self.figures}" if self.figures else ""
        if self.depth < 0:
            return f"{self.text}{figures}"
        return f"{glyphs.bar * self.depth}{glyphs.branch}{self.mark} {self.text}{figures}"


Handler = Callable[[Mapping[str, Any], Mapping[str, Any]], list[Line]]
"""Makes the lines of one kind of entry from its facts and its body."""


class CallTree:
    """Makes lines of entries as they come."""

    def __init__(self, glyphs: Glyphs) -> None:
        self._glyphs = glyphs
        self._begun: dict[str, tuple[str, str | None]] = {}
        self._inside: dict[str, list[Line]] = {}
        self._handlers: Mapping[str, Handler] = {
            "ModelCalled": self._model_called,
            "ModelAnswered": self._model_answered,
            "ToolCalled": self._tool_called,
            "ToolReturned": self._tool_returned,
            "Refused": self._refused,
            "SentBack": self._sent_back,
            "Approved": self._answered,
            "Declined": self._answered,
            "Helped": self._answered,
            "Stale": self._stale,
            "Retried": self._retried,
            "Paused": self._paused,
            "Resumed": self._resumed,
        }
        self.spent = Decimal(0)
        self.running = ""
        """What is being done now, in words."""

    def know(self, entries: Iterable[Entry]) -> None:
        """Get to know the entries of earlier runs, of which no line is made."""
        for entry in entries:
            facts = entry.facts
            if entry.kind == "ToolCalled":
                self._tool_called(facts, entry.body or {})
            elif entry.kind == "ToolReturned":
                self._begun.pop(facts["call"], None)
                self.spent += _handed_on(facts)
            elif entry.kind == "ModelAnswered":
                self.spent += Decimal(facts.get("cost", "0"))
        self.running = ""

    def take(self, entry: Entry) -> list[Line]:
        """The lines that an entry completes, none for most."""
        if entry.kind == "Given":
            return [_root(entry)]
        handler = self._handlers.get(entry.kind)
        return handler(entry.facts, entry.body or {}) if handler else []

    def _model_called(self, facts: Mapping[str, Any], _: Mapping[str, Any]) -> list[Line]:
        self.running = f"turn {facts['turn']}: {facts['model']} is asked"
        return []

    def _model_answered(self, facts: Mapping[str, Any], body: Mapping[str, Any]) -> list[Line]:
        self.running = ""
        self.spent += Decimal(facts.get("cost", "0"))
        if not facts["ok"]:
            figures = f"{facts['seconds']:.2f} s"
            return [
                Line(0, self._glyphs.failed, f"turn {facts['turn']}: {one_line(body['error'], 90)}", figures, "red")
            ]
        usage = facts["usage"]
        sent = usage["input"] + usage["cache_read"] + usage["cache_write"]
        figures = f"{facts['seconds']:.2f} s  {sent:,} in {usage['output']:,} out  ${self.spent:.4f}"
        said = one_line(body.get("text") or "", 50)
        return [Line(0, self._glyphs.dot, f"turn {facts['turn']}{': ' + said if said else ''}", figures, "")]

    def _tool_called(self, facts: Mapping[str, Any], body: Mapping[str, Any]) -> list[Line]:
        words = _words(facts["target"], facts["action"], body.get("arguments"))
        self._begun[facts["call"]] = (words, facts.get("parent"))
        self.running = words
        return []

    def _tool_returned(self, facts: Mapping[str, Any], body: Mapping[str, Any]) -> list[Line]:
        self.running = ""
        self.spent += _handed_on(facts)
        words, parent = self._begun.pop(facts["call"], (facts["call"], None))
        done = facts["outcome"] == "done"
        depth = _depth(facts["call"], parent)
        line = Line(depth, self._mark(facts), words, _came_out(facts, body), "green" if done else "yellow")
        settled = [Line(depth + 1, "?", _settled(facts), "", "cyan")] if "settled" in facts else []
        return self._emit(parent, [line, *settled, *self._inside.pop(facts["call"], [])])

    def _mark(self, facts: Mapping[str, Any]) -> str:
        if facts["outcome"] == "sent_back" or facts.get("again"):
            return self._glyphs.back
        return self._glyphs.done if facts["outcome"] == "done" else self._glyphs.failed

    def _refused(self, facts: Mapping[str, Any], body: Mapping[str, Any]) -> list[Line]:
        if "ended" in facts:
            return []
        call = str(facts["call"])
        text = f"{facts['action']} refused: {one_line(body['reason'], 100)}"
        parent = call.rpartition(".")[0] if call.count(".") > 1 else None
        line = Line(_depth(call, parent), self._glyphs.failed, text, "", "yellow")
        return self._emit(parent, [line])

    def _sent_back(self, _: Mapping[str, Any], body: Mapping[str, Any]) -> list[Line]:
        return [Line(2, self._glyphs.back, f"sent back: {one_line(body['reason'], 110)}", "", "yellow")]

    def _answered(self, facts: Mapping[str, Any], body: Mapping[str, Any]) -> list[Line]:
        said = {"yes": "yes", "no": "no", "nobody": "nobody to ask"}[facts["answer"]]
        by = f" by {one_line(facts['by'], 30)}" if facts["by"] else ""
        edited = ", with other arguments" if body.get("arguments") is not None else ""
        reason = f": {one_line(body['reason'], 80)}" if body.get("reason") else ""
        return [Line(1, "?", f"asked: {said}{by}{edited}{reason}", "", "cyan")]

    def _stale(self, _: Mapping[str, Any], body: Mapping[str, Any]) -> list[Line]:
        return [Line(1, "?", f"the yes came too late: {one_line(str(body.get('reason') or ''), 100)}", "", "yellow")]

    def _retried(self, facts: Mapping[str, Any], body: Mapping[str, Any]) -> list[Line]:
        why = one_line(str(body.get("text") or facts["reason"]), 100)
        return [Line(0, self._glyphs.back, f"try {facts['try']} begins: {why}", "", "yellow")]

    def _paused(self, _: Mapping[str, Any], body: Mapping[str, Any]) -> list[Line]:
        self.running = ""
        text = str(body.get("text") or "")
        # What is asked about a call that was cut comes first, and is told where it is asked.
        waits = text[max(0, text.rfind(WAITS)) :]
        return [Line(0, self._glyphs.dot, f"paused: {one_line(waits, 160)}", "", "cyan")]

    def _resumed(self, _: Mapping[str, Any], __: Mapping[str, Any]) -> list[Line]:
        return [Line(0, self._glyphs.dot, "it goes on from here", "", "cyan")]

    def _emit(self, parent: str | None, lines: list[Line]) -> list[Line]:
        if parent is not None and parent in self._begun:
            self._inside.setdefault(parent, []).extend(lines)
            return []
        return lines


def _root(entry: Entry) -> Line:
    skill = entry.facts["skill"]
    version = f" {one_line(skill['version'], 20)}" if skill["digest"] else ""
    agent = f", by {one_line(entry.facts['agent']['name'], 40)}" if "agent" in entry.facts else ""
    return Line(-1, "", f"{one_line(skill['name'], 60)}{version}{agent}", f"task {entry.task}", "bold")


def _came_out(facts: Mapping[str, Any], body: Mapping[str, Any]) -> str:
    """How long a call took, if that is known, and why it did not do what it was called for."""
    took = f"{facts['seconds']:.2f} s" if "seconds" in facts else ""
    if "child" in facts:
        took = f"{took}  ${_handed_on(facts):.4f}".lstrip()
    if facts["outcome"] in ("done", "sent_back") or "settled" in facts:
        return took
    return f"{took}  {facts['outcome']}: {one_line(str(body.get('text') or facts['code']), 80)}"


def _handed_on(facts: Mapping[str, Any]) -> Decimal:
    """What a call cost that handed work to another task; nothing for any other call."""
    return Decimal(facts.get("cost", "0")) if "child" in facts else Decimal(0)


def _settled(facts: Mapping[str, Any]) -> str:
    """How a call that was cut was settled."""
    by = facts["settled"]
    who = {"late": "by an end that came late", "hook": "by the action itself"}.get(by, f"by the answer to {by}")
    came = "it is made again" if facts.get("again") else str(facts["outcome"])
    return one_line(f"it had been cut; settled {who}: {came}", 110)


def _depth(call: str, parent: str | None) -> int:
    """Calls are named by turn and place, and calls inside them by one place more: `c3.1`, `c3.1.1`. Turn 0 is before all turns."""
    if call.startswith("c0."):
        return 0
    return 1 if parent is None else call.count(".")


def _words(target: str, action: str, arguments: Any) -> str:
    """A call in a few words: what is called, and with what if that is short."""
    shown = ""
    if isinstance(arguments, Mapping) and "$content" not in arguments:
        args = arguments.get("args")
        if isinstance(args, list):
            shown = " ".join(map(str, args))
        elif action != "hand_back" and arguments:
            shown = ", ".join(f"{name}={value}" for name, value in arguments.items())
    name = target if target == action else f"{action} {target}"
    return f"{one_line(name, 80)} {one_line(shown, SHOWN_ARGUMENTS)}".rstrip()
