"""What comes of a result that is handed back beside another call?"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from metier.actions.function import action, action_of
from metier.domain.permits import Permits
from metier.domain.proposal import Proposal
from metier.testing import Says

from ..case import Case, Happened
from ..playing import Played, Player, says, typed

BOTH = {
    "order": ["saved", "judged"],
    "result": {"total": 3},
    "answers": {"c1.1": "save done", "c1.2": "hand_back done"},
}
EXPECTED = {
    "as_told": BOTH,
    "reversed": {**BOTH, "answers": {"c1.1": "hand_back done", "c1.2": "save done"}},
    "gated": {**BOTH, "order": ["asked", "saved", "judged"]},
    "save_fails": {
        "order": ["save failed", "saved", "judged"],
        "result": {"total": 3},
        "answers": {
            "c1.1": "save failed",
            "c1.2": "hand_back sent back: save did not succeed (save failed: OSError).",
            "c2.1": "save done",
            "c2.2": "hand_back done",
        },
    },
}


class Desk:
    """Where notes are saved and results are judged; it keeps the order of what happened."""

    def __init__(self, *, fails: int = 0) -> None:
        self.order: list[str] = []
        self._fails = fails

    def asked(self, _: Proposal) -> bool:
        """Say yes."""
        self.order.append("asked")
        return True

    def play(self, steps: list[Says], folder: Path, *, permits: Permits) -> dict[str, Any]:
        """One task, and what came of it."""

        @action(changes=True)
        def save(note: str) -> str:
            """Save a note."""
            if self._fails:
                self._fails -= 1
                self.order.append("save failed")
                raise OSError("the disk is full")
            self.order.append("saved")
            return note

        @action(query=True)
        def check(result: dict[str, Any], input: None = None) -> None:  # noqa: A002 - the name that checks are given
            """Accept everything."""
            self.order.append("judged")

        job = typed({"total": "integer"}, tools=[action_of(save)], check=action_of(check))
        played = Player(folder, permits=permits, approve=self.asked).play(steps, job=job)
        return {"order": self.order, "result": played.receipt.result, "answers": _answers(played)}


def happens(case: Case, folder: Path) -> Happened:
    """The turn as it is told, the other way round, with `save` gated, and with `save` failing once."""
    (told,) = case.read("model.json")
    turned: Mapping[str, Any] = {"calls": told["calls"][::-1]}
    free = Permits.changes_alone()
    facts = {
        "as_told": Desk().play([says(told)], folder, permits=free),
        "reversed": Desk().play([says(turned)], folder, permits=free),
        "gated": Desk().play([says(told)], folder, permits=Permits.proposes()),
        "save_fails": Desk(fails=1).play([says(told), says(told)], folder, permits=free),
    }
    return Happened("ok" if all(fact["result"] for fact in facts.values()) else "error", facts=facts)


def _answers(played: Played) -> dict[str, str]:
    """How every call of the model came out, by its turn and place."""
    names = {entry.facts["call"]: entry.facts["action"] for entry in played.of("ToolCalled")}
    answers: dict[str, str] = {}
    for entry in played.of("ToolReturned", "SentBack"):
        call, facts = entry.facts["call"], entry.facts
        if entry.kind == "ToolReturned":
            answers[call] = f"{names[call]} {facts['outcome']}"
        elif call not in answers:
            reason = str((entry.body or {})["reason"]).partition(" Look")[0]
            answers[call] = f"{facts['action']} sent back: {reason}"
    return dict(sorted((call, said) for call, said in answers.items() if call.count(".") == 1))
