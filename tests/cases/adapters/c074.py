"""Is waiting told from going in circles?"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from metier.actions.function import action, action_of
from metier.domain.action import Action
from metier.testing import Says

from ..case import Case, Happened
from ..playing import Played, Player, tool_calls, with_tools

EXPECTED = {
    "status": ("ok", 6, ""),
    "next_month": ("ok", 6, ""),
    "tail": ("stop", 10, "going in circles: the same call 10 times, each with a new answer"),
    "tail that polls": ("ok", 12, ""),
    "tail that polls, past the turns": ("stop", 20, "max turns (20)"),
}


def happens(case: Case, folder: Path) -> Happened:
    """Each of the three with its results; the last one also as an action that is meant to be called again and again."""
    results: dict[str, list[str]] = case.read("results.json")
    player = Player(folder)
    going_on = [_play(player, name, results[name]) for name in ("status", "next_month")]
    tail = results["tail"]
    facts = {
        "status": _facts(going_on[0]),
        "next_month": _facts(going_on[1]),
        "tail": _facts(_play(player, "tail", tail)),
        "tail that polls": _facts(_play(player, "tail", tail, polls=True)),
        "tail that polls, past the turns": _facts(_play(player, "tail", tail * 2, polls=True)),
    }
    return Happened("ok" if all(played.receipt.done for played in going_on) else "stop", facts=facts)


def _play(player: Player, name: str, results: Sequence[str], *, polls: bool = False) -> Played:
    calls = [Says.tool(name)] * len(results)
    return player.play([*calls, Says.text("done")], job=with_tools(_telling(name, iter(results), polls=polls)))


def _telling(name: str, results: Iterator[str], *, polls: bool) -> Action:
    def told() -> str:
        return next(results)

    told.__name__ = name
    marked: Callable[[], str] = action("Tells how it stands.", query=True, polls=polls)(told)
    return action_of(marked)


def _facts(played: Played) -> tuple[str, int, str]:
    return played.outcome, tool_calls(played, "status", "next_month", "tail"), played.receipt.text
