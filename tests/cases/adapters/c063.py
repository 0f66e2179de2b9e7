"""Is a model that answers in words made to hand back, and nothing else?"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from metier.actions.function import action, action_of
from metier.domain.message import UserMessage
from metier.loop.loop import HAND_BACK_NOW

from ..case import Case, Happened
from ..playing import Played, Player, steps_of, typed

SAME = {"result": {"n": 42}, "asked_in_words": 1, "tries_sent_back": 1, "searched": 1}
EXPECTED = {
    "can_force_named": {**SAME, "forced": [None, "hand_back", None]},
    "cannot_force_named": {**SAME, "forced": [None, None, None]},
}


@action(query=True)
def web_search(q: str) -> str:
    """Search the web."""
    return f"nothing on {q}"


def happens(case: Case, folder: Path) -> Happened:
    """The same answers from a model that can be made to call one tool, and from one that cannot."""
    job = typed({"n": "integer"}, tools=[action_of(web_search)])
    player = Player(folder)
    can = player.play(steps_of(case), job=job)
    cannot = replace(player, can_force=False).play(steps_of(case), job=job)
    facts = {"can_force_named": _facts(can), "cannot_force_named": _facts(cannot)}
    return Happened(can.outcome if can.outcome == cannot.outcome else "error", facts=facts)


def _facts(played: Played) -> dict[str, Any]:
    told = [one.text for one in played.sent[-1].messages if isinstance(one, UserMessage)]
    return {
        "result": played.receipt.result,
        "asked_in_words": told.count(HAND_BACK_NOW),
        "tries_sent_back": played.receipt.calls.sent_back,
        "searched": sum(entry.facts["action"] == "web_search" for entry in played.of("ToolCalled")),
        "forced": [request.must_call for request in played.sent],
    }
