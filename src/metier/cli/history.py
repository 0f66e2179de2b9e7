"""What do the entries of a task tell of its runs: how many, which were cut, and what was settled how?"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..domain.entry import Entry

BETWEEN_RUNS = frozenset({"Given", "Fault", "Refused"})
"""Kinds that are noted where no run has begun."""


@dataclass(frozen=True, slots=True)
class History:
    """A task over its runs."""

    runs: int
    """How often somebody worked on it."""
    cuts: int
    """How many of the runs were ended by the end of their process."""
    begun: Mapping[str, int]
    """The calls that have a begin and no end, and in which run each was begun."""
    unknown: int
    """How many calls were settled as unknown."""
    settled: Mapping[str, int]
    """How many calls were settled by what: `late`, `hook`, or a proposal's id."""
    missing: str
    """Why the last attempt to go on came to nothing; empty if it came to something."""
    retried: tuple[str, ...] = ()
    """The reason of each try that failed and was followed by another."""


def history_of(entries: Iterable[Entry]) -> History:
    """The history of a task, by its entries in their order."""
    runs = _Runs()
    for entry in entries:
        runs.take(entry)
    return History(runs.count, runs.cuts, runs.begun, runs.unknown, runs.settled, runs.missing, tuple(runs.retried))


class _Runs:
    """Counts while the entries come by."""

    def __init__(self) -> None:
        self.count = self.cuts = self.unknown = 0
        self.begun: dict[str, int] = {}
        self.settled: Counter[str] = Counter()
        self.missing = ""
        self.retried: list[str] = []
        self._in_a_run = False

    def take(self, entry: Entry) -> None:
        self._take_run(entry.kind, ended="ended" in entry.facts)
        match entry.kind:
            case "ToolCalled":
                self.begun[entry.facts["call"]] = self.count
            case "ToolReturned":
                self._take_end(entry.facts)
            case "Fault" if entry.facts["where"] == "resume":
                self.missing = str((entry.body or {}).get("error", "it could not go on"))
            case "Retried":
                self.retried.append(str(entry.facts.get("reason", "")))
            case "Paused":
                pass  # the end of an attempt says nothing new of it
            case _:
                self.missing = ""

    def _take_run(self, kind: str, *, ended: bool) -> None:
        """Count a run where it begins, and as cut where the next begins without its last word."""
        if kind == "Resumed":
            self.cuts += self._in_a_run
            self.count += 1
            self._in_a_run = True
        elif kind == "Paused" or ended:
            self._in_a_run = False
        elif not self.count and kind not in BETWEEN_RUNS:
            self.count, self._in_a_run = 1, True

    def _take_end(self, facts: Mapping[str, Any]) -> None:
        self.begun.pop(facts["call"], None)
        self.unknown += facts["outcome"] == "unknown"
        if by := facts.get("settled"):
            self.settled[by] += 1
