"""How does a task look in a terminal that has nothing but text?

A branch for each turn of the model, a leaf for each call with what came of it, and below the call what happened inside it.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..domain.compact import compact
from ..domain.entry import Entry

ARGUMENTS = 64
"""The most characters of a call's arguments, and of what it answered."""

WIDTH = 96
"""The most characters of an input, a result, and of what the model said."""

REASON = 240
"""The most characters of a reason: why something did not happen is what a reader looks for."""

LINE = 112
"""How long a call's line may be before what came of it stands below."""

MARKS = {"done": "→", "sent_back": "↩"}

SEEN_ALREADY = frozenset({"Briefed", "ModelCalled", "HandedBack"})
"""What the lines around it tell."""

Facts = Mapping[str, Any]


def tree_of(entries: Iterable[Entry]) -> str:
    """A task's entries as lines of text, what was given at the top and the end at the bottom."""
    growing = _Growing()
    for entry in entries:
        growing.take(entry)
    return "\n".join((growing.root.text, *_drawn(growing.root)))


@dataclass(slots=True, eq=False)
class _Branch:
    text: str
    below: list["_Branch"] = field(default_factory=list["_Branch"])
    joins: bool = False
    """Whether it shares its line with what is below it, where that is one."""

    def add(self, text: str, *, joins: bool = False) -> "_Branch":
        made = _Branch(text, joins=joins)
        self.below.append(made)
        return made


def _drawn(branch: _Branch, before: str = "") -> Iterator[str]:
    for nth, one in enumerate(branch.below, 1):
        last = nth == len(branch.below)
        text, shown = one.text, one
        if one.joins and len(one.below) == 1:
            shown = one.below[0]
            text = f"{one.text}: {shown.text}"
        yield f"{before}{'└─' if last else '├─'} {text}"
        yield from _drawn(shown, f"{before}{'   ' if last else '│  '}")


class _Growing:
    """A tree to which each entry adds its part."""

    def __init__(self) -> None:
        self.root = _Branch("the task was not given")
        self._turn = self.root
        self._calls: dict[str, _Branch] = {}
        self._asked: dict[str, _Branch] = {}
        self._kinds: Mapping[str, Callable[[Facts, Facts], None]] = {
            "Given": self._given,
            "ModelAnswered": self._answered,
            "ToolCalled": self._called,
            "ToolReturned": self._returned,
            "Refused": self._refused,
            "SentBack": self._sent_back,
            "Proposed": self._proposed,
            "AskedForHelp": self._proposed,
            "Retried": self._retried,
        }

    def take(self, entry: Entry) -> None:
        facts, body = entry.facts, entry.body or {}
        if "ended" in facts:
            self._ended(facts, body)
        elif entry.kind in self._kinds:
            self._kinds[entry.kind](facts, body)
        elif "proposal" in facts:
            by = f" by {facts['by']}" if facts.get("by") else ""
            asked = self._asked.get(facts["proposal"], self._turn)
            asked.add(_told(f"{entry.kind.lower()}{by}", _short(body.get("reason"), REASON)))
        elif entry.kind not in SEEN_ALREADY:
            where = f" in {facts['where']}" if "where" in facts else ""
            self._turn.add(_told(f"{entry.kind.lower()}{where}", _rest(entry.kind, facts, body)))

    def _given(self, facts: Facts, body: Facts) -> None:
        by = f" by {facts['agent']['name']}" if "agent" in facts else ""
        self.root.text = _told(f"{facts['skill']['name']}{by}, given by {facts['giver']}", _short(body.get("input")))

    def _answered(self, facts: Facts, body: Facts) -> None:
        turn = f"turn {facts['turn']}"
        if facts["ok"]:
            said = _short(body.get("text"))
            silent = not said and body.get("calls") == []
            self._turn = self.root.add(
                _told(turn, "nothing was said" if silent else said), joins=not said and not silent
            )
        else:
            self._turn = self.root.add(_told(f"{turn}: the model failed", _short(body.get("error"), REASON)))

    def _ended(self, facts: Facts, body: Facts) -> None:
        why, result = _short(body.get("text"), REASON), _short(body.get("result"))
        end = f"{facts['ended']} ({facts['reason']})"
        if facts["ended"] == "Done" or not (why and result):
            self.root.add(_told(end, result or why))
        else:
            self.root.add(_told(end, why)).add(f"the best that it had: {result}")

    def _call(self, facts: Facts, body: Facts, name: str) -> _Branch:
        """The branch of a call; one that was asked about stands already."""
        call = str(facts["call"])
        found = self._calls.get(call)
        if found is None:
            around = self._calls.get(call.rpartition(".")[0], self._turn)
            found = self._calls[call] = around.add(name)
        if not found.below or found.text == name:
            found.text = f"{name} {_short(body.get('arguments'), ARGUMENTS)}".rstrip()
        return found

    def _called(self, facts: Facts, body: Facts) -> None:
        self._call(facts, body, facts["target"])

    def _returned(self, facts: Facts, body: Facts) -> None:
        outcome = facts["outcome"]
        failed = outcome not in MARKS
        # The model was told the kind of error only; a reader wants its words.
        told = facts.get("error") or body.get("text")
        text = _short(told, REASON if failed or outcome == "sent_back" else ARGUMENTS)
        of_child = f" (task {facts['child']})" if "child" in facts else ""
        call = self._calls.get(facts["call"]) or self._turn.add(facts["call"])
        _came_out(call, f"{MARKS.get(outcome, '✗')} {text or outcome.replace('_', ' ')}{of_child}")

    def _refused(self, facts: Facts, body: Facts) -> None:
        call = self._call(facts, body, facts["action"])
        _came_out(call, f"✗ refused ({facts['code']}): {_short(body.get('reason'), REASON)}")

    def _sent_back(self, facts: Facts, body: Facts) -> None:
        reason = f"↩ {_short(body.get('reason'), REASON)}"
        if facts["call"] is None:
            self._turn.add(reason)
        elif "action" in facts:
            _came_out(self._call(facts, body, facts["action"]), reason)
        # Else the call has come out so already.

    def _proposed(self, facts: Facts, body: Facts) -> None:
        asked = self._call(facts, body, facts["action"]) if "action" in facts else self._turn
        self._asked[facts["proposal"]] = asked
        asked.add(f"? {_short(body.get('words'), REASON)}")

    def _retried(self, facts: Facts, body: Facts) -> None:
        self._turn = self.root
        self.root.add(_told(f"try {facts['try']}, for the last one failed", _short(body.get("text"), REASON)))


def _came_out(call: _Branch, told: str) -> None:
    """Put what came of a call behind it, or below where that makes too long a line."""
    if len(call.text) + len(told) < LINE:
        call.text = f"{call.text} {told}"
    else:
        call.add(told)


def _rest(kind: str, facts: Facts, body: Facts) -> str:
    if kind == "Cleared":
        return f"{len(facts['results'])} old results are not sent any more"
    # The last line of a traceback says what was wrong.
    return _short(str(body.get("error") or body.get("text") or "").strip().rpartition("\n")[2], REASON)


def _told(what: str, more: str) -> str:
    return f"{what}: {more}" if more else what


def _short(value: object, most: int = WIDTH) -> str:
    """A value on one line, cut where it is too long; what a terminal would obey is shown."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else compact(value)
    line = " ".join(text.split())
    if len(line) > most:
        line = f"{line[: most - 1]}…"
    return line if line.isprintable() else "".join(map(_visible, line))


def _visible(character: str) -> str:
    return character if unicodedata.category(character)[0] != "C" else ascii(character)[1:-1]
