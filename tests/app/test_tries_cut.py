"""A task with two tries and a stale yes goes on rightly from every entry at which its process may have died."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from metier import Actions, Metier, Retry, Skill, StopWhen, action
from metier.app.requests import requests_of
from metier.config import Settings
from metier.domain.entry import Entry
from metier.domain.message import Answer, Request
from metier.domain.money import LlmPrice
from metier.domain.proposal import Proposal, Reply, StoredProposal
from metier.domain.receipt import Receipt
from metier.domain.task import Waits
from metier.record import Record
from metier.testing import AgentScript, Says, ScriptedModel

PUT = Says.tool("put", {"word": "four"})
TRIES = {
    1: AgentScript.of(PUT, *[Says.hand_back({"n": -1})] * 2),
    2: AgentScript.of(PUT, PUT, Says.hand_back({"n": 4})),
}
MOVES = "r2.c1.1"
"""The call of which the world moves on while somebody is asked."""
PRICE = LlmPrice(Decimal(1), Decimal(1))
Kept = Sequence[Entry]


@dataclass
class World:
    """What the words were put into."""

    version: str = "1"
    put: list[str] = field(default_factory=list[str])


WORLD = World()


@action("Put a word", changes=True)
def put(word: str) -> str:
    """Put it."""
    WORLD.put.append(word)
    return "put"


class Number(Skill[str, dict[str, int]]):
    """Count, in two tries."""

    tools = (Actions.of(put),)
    stop = StopWhen(stuck_after=2)
    retry = Retry(times=1)

    def check(self, result: dict[str, int]) -> str | None:
        """No number is below nothing."""
        return "too small" if result["n"] < 0 else None

    def version_of(self, given: str) -> str:
        """What the world is."""
        del given
        return WORLD.version


@dataclass
class Place:
    """A project of its own, with the app that works there."""

    folder: Path
    tries: int = 1
    """At which try the task is: its model plays another script in each."""

    def app(self) -> Metier:
        """An app of a process of its own."""
        settings = Settings(project=str(self.folder), giver="Ada")
        model = ScriptedModel("test", self._said, price=PRICE)
        return Metier(settings=settings, model=model, record=self.folder / "r.db", skills=[Number()])

    def run(self) -> "Came":
        """The task, with nobody to cut it."""
        WORLD.version = "1"
        WORLD.put.clear()
        with self.app() as app:
            return self._came(app, app.do(Number(), "four", approver=yes, watch=self._seen).receipt)

    def go_on(self, clean: "Came", kept: Kept) -> "Came":
        """The task of the clean run, by what its process had written when it died."""
        WORLD.version = "2" if moved(kept) else "1"
        WORLD.put.clear()
        self.folder.mkdir()
        for entry in kept:
            self._seen(entry)
        with self.app() as app:
            asyncio.run(written(app.record, kept, clean))
            return self._came(app, app.resume(clean.receipt.id, approver=yes, watch=self._seen))

    def _said(self, request: Request) -> Answer:
        return TRIES[self.tries].answer(request)

    def _seen(self, entry: Entry) -> None:
        if entry.kind == "Retried":
            self.tries = entry.facts["try"]

    def _came(self, app: Metier, receipt: Receipt) -> "Came":
        sent = requests_of(app.record, receipt.id)
        once = [one for place, one in enumerate(sent) if place == 0 or one != sent[place - 1]]
        assert app.verify(receipt.id).ok
        stored = app.record.proposals(task=receipt.id, state=None)
        return Came(receipt, list(app.record.entries(receipt.id, whole=True)), once, list(WORLD.put), stored)


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a task."""

    receipt: Receipt
    entries: Kept
    requests: Sequence[Request]
    """What the model was sent, where what was sent again stands once."""
    put: Sequence[str]
    """What was done to the world in the last run."""
    proposals: Sequence[StoredProposal]

    @property
    def short(self) -> Any:
        """What must be the same, wherever the process died."""
        states = {one.proposal.id: one.state for one in self.proposals if not one.proposal.unknown}
        receipt = self.receipt
        return receipt.state, receipt.result, receipt.tries, self.requests, sorted(states.values())


def moved(kept: Kept) -> bool:
    """Whether the world had moved on when the process died: that came with the answer to the second question."""
    asked = {one.facts["proposal"] for one in kept if one.kind == "Proposed" and one.facts["call"] == MOVES}
    return any(one.kind == "Approved" and one.facts["proposal"] in asked for one in kept)


def yes(proposal: Proposal) -> bool:
    """Says yes to everything. While it thinks about the second question, the world moves on."""
    if proposal.call_id == MOVES:
        WORLD.version = "2"
    return True


async def written(record: Record, kept: Kept, clean: Came) -> None:
    """Write down what a process had written when it died."""
    task, known = clean.receipt.id, {one.proposal.id: one for one in clean.proposals}
    log = record.begin_task(task, skill="Number", source="", giver="Ada")
    for entry in kept:
        log.note(entry.kind, {name: fact for name, fact in entry.facts.items() if name != "body"}, entry.body)
        if entry.kind in ("Proposed", "AskedForHelp"):
            log.propose(known[entry.facts["proposal"]].proposal)
            await log.commit()
        elif entry.kind in ("Approved", "Declined"):
            await log.answer(entry.facts["proposal"], known[entry.facts["proposal"]].reply or Reply("yes", "Ada"))
        elif entry.kind == "Stale":
            log.stale(entry.facts["proposal"])
        elif entry.kind == "ToolCalled" and entry.facts["permit"].startswith("approved:"):
            log.carried_out(entry.facts["permit"].removeprefix("approved:"))
    record.pause_task(task, Waits("worker"))
    await log.commit()
    record.let_go(task)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Came:
    """What the task comes to when nobody cuts it."""
    return Place(tmp_path_factory.mktemp("clean")).run()


def test_clean_run_has_it_all(clean: Came) -> None:
    """The first try put a word and was stuck; in the second one yes came too late, and the next one did not (O20, O83)."""
    kinds = [entry.kind for entry in clean.entries]
    assert (clean.receipt.state, clean.receipt.tries, clean.put) == ("Done", 2, ["four", "four"])
    assert (kinds.count("Retried"), kinds.count("Stale"), kinds.count("Approved")) == (1, 1, 3)


def test_cut_after_every_entry(clean: Came, tmp_path: Path) -> None:
    """Whatever was written last, the task comes to the same, and its model is told the same (O20, O83, O89)."""
    first = next(place for place, entry in enumerate(clean.entries) if entry.kind == "Given")
    wrong: list[str] = []
    for cut in range(first + 1, len(clean.entries)):
        came = Place(tmp_path / str(cut)).go_on(clean, clean.entries[:cut])
        if came.short != clean.short:
            wrong.append(f"cut after {clean.entries[cut - 1].kind} ({cut})")
    assert wrong == []


def test_money_of_all_tries_is_one(clean: Came, tmp_path: Path) -> None:
    """Cut in the second try, the task has spent what the first one did (O58)."""
    retried = next(place for place, entry in enumerate(clean.entries) if entry.kind == "Retried")
    came = Place(tmp_path / "money").go_on(clean, clean.entries[: retried + 1])
    assert came.receipt.cost == clean.receipt.cost > 0
