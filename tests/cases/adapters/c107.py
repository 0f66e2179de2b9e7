"""Does every call leave its trace, whatever became of it?"""

from pathlib import Path
from typing import Any

from metier.actions.function import action, action_of
from metier.domain.action import Action
from metier.domain.bounds import StopWhen
from metier.domain.entry import Entry
from metier.domain.permits import Permits

from ..case import Case, Happened
from ..playing import Played, Player, steps_of, with_tools

OUTCOMES = {
    "": "done",
    "gate.never": "denied",
    "gate.declined": "refused",
    "action.unknown": "unknown_tool",
    "arguments.schema": "bad_args",
}
"""Our codes, one for each outcome of the case; a call that came through has none."""
EXPECTED = {
    "tools": ["look", "wipe", "pay", "nope", "look"],
    "digests": 5,
    "times": True,
    "rules": {"done": "proposes (reads)", "denied": "never: wipe (changes)", "refused": "code"},
    "who said no": "code",
    "ran": ["look"],
    "counted": {"done": 1, "refused": 4, "declined": 1, "proposed": 1},
}


def happens(case: Case, folder: Path) -> Happened:
    """Play the one turn."""
    ran: list[str] = []
    # Four calls of the turn come to nothing: more in a row than a task is given by default.
    job = with_tools(*_tools(ran), stop=StopWhen(stuck_after=10))
    permits = Permits.proposes().never("wipe")
    played = Player(folder, permits=permits, approve=lambda _: False).play(steps_of(case), job=job)
    calls = sorted(played.of("ToolCalled", "Refused"), key=lambda entry: str(entry.facts["call"]))
    ends = {entry.facts["call"]: entry for entry in played.of("ToolReturned", "Refused")}
    outcomes = [OUTCOMES[ends[entry.facts["call"]].facts["code"]] for entry in calls]
    rules = {
        name: _rule(entry) for name, entry in zip(outcomes, calls, strict=True) if name in ("done", "denied", "refused")
    }
    (declined,) = played.of("Declined")
    facts: dict[str, Any] = {
        "tools": [entry.facts["action"] for entry in calls],
        "digests": len({entry.facts["body"] for entry in calls}),
        "times": all(entry.at > 0 for entry in calls),
        "rules": rules,
        "who said no": declined.facts["by"] and "code",
        "ran": ran,
        "counted": _counted(played),
    }
    return Happened(played.outcome, {"outcomes": outcomes}, facts)


def _tools(ran: list[str]) -> list[Action]:
    @action(query=True)
    def look(q: int) -> str:
        """Look."""
        ran.append("look")
        return f"seen {q}"

    @action(changes=True)
    def wipe() -> None:
        """Wipe."""
        ran.append("wipe")

    @action(changes=True)
    def pay(eur: int) -> None:
        """Pay."""
        ran.append("pay")

    return [action_of(look), action_of(wipe), action_of(pay)]


def _rule(entry: Entry) -> str:
    return str(entry.facts["rule"])


def _counted(played: Played) -> dict[str, int]:
    counts = played.receipt.calls
    return {name: getattr(counts, name) for name in ("done", "refused", "declined", "proposed")}
