"""Is a task's record still what was written?"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..domain.task import can_go_on
from .answers import TaskRow, Verified
from .bodies import references
from .chain import BODY, link, text_digest
from .contents import Contents
from .read import EntryRow

_HOLDS = (
    "All entries are there, in their order, as they were written, and so is what they name. This shows accidents and "
    "careless changes. It is no proof against somebody who may write to the file and makes the whole chain anew: "
    "for that, keep the head elsewhere and compare."
)
_FAILS = "What the problems name is not as it was written. The rest of the entries fits the chain."


def check_task(row: TaskRow | None, rows: Iterable[EntryRow], *, contents: Contents) -> Verified:
    """Check the entries of a task, their bodies and their contents; name each thing that does not fit."""
    check = _Check()
    for stored in rows:
        check.take(stored)
    check.end(row)
    if not check.erased:  # the contents went with the bodies
        check.take_contents(contents)
    problems = tuple(check.problems)
    return Verified(
        ok=not problems,
        entries=check.entries,
        head=check.head,
        problems=problems,
        erased=check.erased,
        says=_FAILS if problems else _HOLDS + _erased_words(check.erased),
    )


def named_contents(value: object) -> Iterator[str]:
    """The digests of the contents that facts name: each mapping with a digest and a length names one."""
    if isinstance(value, Mapping):
        if isinstance(value.get("digest"), str) and isinstance(value.get("length"), int):
            yield value["digest"]
        for member in value.values():
            yield from named_contents(member)
    elif isinstance(value, list):
        for member in value:
            yield from named_contents(member)


def row_contents(row: EntryRow) -> Iterator[str]:
    """The digests of all contents that a stored row names. What is damaged names none."""
    yield from named_contents(_parsed(row.facts))
    if row.body is not None:
        yield from references(_parsed(row.body))


class _Check:
    """What was found so far."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.entries = 0
        self.erased = 0
        self.head = ""
        self.number = 0
        self.ended: object = None
        self.last_facts: Mapping[str, Any] = {}
        self.named: dict[str, int] = {}
        self.possible: set[str] = {""}
        """Digests that the entry before may have had: the stored one, and the one that fits what is stored."""

    def take(self, row: EntryRow) -> None:
        self.entries += 1
        self.take_chain(row)
        self.last_facts = _parsed(row.facts)
        self.take_body(row)
        for digest in row_contents(row):
            self.named.setdefault(digest, row.number)

    def take_chain(self, row: EntryRow) -> None:
        gap = row.number != self.number + 1
        if gap:
            self.problems.append(_gap(self.number + 1, row.number - 1))
        fitting = {
            link(before, task=row.task, number=row.number, kind=row.kind, at=row.at, facts=row.facts)
            for before in self.possible
        }
        # After a gap the digest before is not known, so this entry's own cannot be judged.
        if not gap and row.digest not in fitting:
            self.problems.append(
                f"Entry {row.number} was changed or moved: its digest does not fit it and the entry before."
            )
        self.number, self.head = row.number, row.digest
        self.possible = {row.digest} if gap else {row.digest, *fitting}

    def take_body(self, row: EntryRow) -> None:
        digest = self.last_facts.get(BODY)
        if row.body is None:
            self.erased += digest is not None
        elif text_digest(row.body) != digest:
            self.problems.append(f"The body of entry {row.number} was changed.")

    def end(self, row: TaskRow | None) -> None:
        ended = self.last_facts.get("ended")
        if row is None:
            self.problems.append("The list of tasks does not name this task.")
        elif row.ended is not None and ended is None:
            self.problems.append(f"The last entries are missing: the task ended {row.state}, and no entry says so.")
        elif row.ended is None and can_go_on(str(ended), str(self.last_facts.get("reason"))):
            pass  # it was taken up again, and nothing is noted since
        elif ended is not None and (row.ended is None or row.state != ended):
            self.problems.append(f"The list of tasks says {row.state}, the last entry {ended}.")

    def take_contents(self, contents: Contents) -> None:
        for digest, number in self.named.items():
            state = contents.state(digest)
            if state != "kept":
                words = "is missing" if state == "missing" else "was changed"
                self.problems.append(f"The content {digest[:12]} that entry {number} names {words}.")


def _parsed(text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}  # the chain tells that it was changed
    return value if isinstance(value, dict) else {}


def _gap(first: int, last: int) -> str:
    if first > last:
        return f"Entry {last + 1} has a number that does not follow."
    return f"Entry {first} is missing." if first == last else f"Entries {first} to {last} are missing."


def _erased_words(erased: int) -> str:
    return f" Of {erased} of them the body was erased; its digest is still in the chain." if erased else ""
