"""Is a circle of several calls seen?"""

from pathlib import Path

from metier.actions.function import action, action_of
from metier.testing import Says

from ..case import Case, Happened
from ..playing import Played, Player, steps_of, tool_calls, with_tools

EXPECTED = {
    "reason": "repeats",
    "text": "going in circles: the same 2 calls 3 times",
    "AAAAA": (3, "going in circles: the same call 3 times"),
    "ABCABCABCABC": (9, "going in circles: the same 3 calls 3 times"),
    "ABACAD": (6, ""),
}


@action(query=True)
def look(q: str) -> str:
    """Look at something."""
    return f"seen {q}"


@action(query=True)
def find(q: str) -> str:
    """Find something."""
    return f"found {q}"


JOB = with_tools(action_of(look), action_of(find))


def happens(case: Case, folder: Path) -> Happened:
    """The circle of the case, and the others that its text names, all with default limits."""
    player = Player(folder)
    played = player.play(steps_of(case), job=JOB)
    facts = {"reason": played.receipt.reason, "text": played.receipt.text}
    others = {row: _facts(_row(player, row)) for row in ("AAAAA", "ABCABCABCABC", "ABACAD")}
    return Happened(played.outcome, {"tool_calls": tool_calls(played, "look", "find")}, facts | others)


def _row(player: Player, row: str) -> Played:
    return player.play([*(Says.tool("look", {"q": letter}) for letter in row), Says.text("done")], job=JOB)


def _facts(played: Played) -> tuple[int, str]:
    return tool_calls(played, "look"), played.receipt.text
