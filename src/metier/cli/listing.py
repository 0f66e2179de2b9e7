"""How does one task look in a list, and what do the tasks of a list need?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ..record import TaskRow
from .clean import clean, one_line
from .standing import is_cut, waits_for

STYLES = {"Done": "green", "Failed": "red", "cut": "red", "Waiting": "magenta", "Ready": "cyan", "Running": "cyan"}
HEAD = ("task", "given (UTC)", "took", "state", "why or for what", "skill")


@dataclass(frozen=True, slots=True)
class Row:
    """One task as a list tells of it."""

    id: str
    given: str
    took: str
    word: str
    why: str
    skill: str

    def line(self) -> str:
        """The row as one line of text."""
        return f"{self.id:19}  {self.given}  {self.took:>9}  {self.word:7}  {self.why:14}  {self.skill}"


def row_of(row: TaskRow, *, now: int, label: str = "") -> Row:
    """A row of the record as a list tells of it, by its id or by another label."""
    given = datetime.fromtimestamp(row.started / 1e9, UTC).strftime("%m-%d %H:%M")
    took = f"{(row.ended - row.started) / 1e9:.1f} s" if row.ended is not None else "-"
    agent = f", by {one_line(row.agent, 40)}" if row.agent else ""
    return Row(
        clean(label or row.id), given, took, word_of(row, now), _why(row, now), f"{one_line(row.skill, 40)}{agent}"
    )


def word_of(row: TaskRow, now: int) -> str:
    """The task's state; `cut` where its process died."""
    return "cut" if is_cut(row, now) else row.state


def needs_of(rows: Sequence[TaskRow], *, now: int) -> list[str]:
    """What the tasks of a list need of a person, with the command for it."""
    counts = Counter(_need(row, now) for row in rows)
    first = {_need(row, now): row.id for row in reversed(rows)}
    said = {
        "answer": ("{} for an answer: metier proposals", "waits", "wait"),
        "mend": ("{} for something to be mended: metier show {id}", "waits", "wait"),
        "cut": ("{} cut by the end of {its} process: metier resume {id}", "was", "were"),
        "ready": ("{} ready, and nobody works on {it}: metier resume, or metier worker", "is", "are"),
    }
    lines = list[str]()
    for need, (text, one, many) in said.items():
        if count := counts[need]:
            verb = f"{count} {one if count == 1 else many}"
            its, it = ("its", "it") if count == 1 else ("their", "them")
            task = first[need] if count == 1 else ""
            lines.append(text.format(verb, its=its, it=it, id=clean(task)).rstrip())
    return lines


def _need(row: TaskRow, now: int) -> str:
    if is_cut(row, now):
        return "cut"
    if row.state == "Ready":
        return "ready"
    if row.state != "Waiting":
        return ""
    return {"person": "answer", "mending": "mend"}.get(row.waits_for, "")


def _why(row: TaskRow, now: int) -> str:
    if is_cut(row, now):
        return "process died"
    if row.ended is None and row.stop:
        return "to be stopped"
    return waits_for(row) or row.reason
