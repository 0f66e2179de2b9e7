"""A task as lines of text."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from metier import Actions, Metier, Retry, Skill, StopWhen, action
from metier.domain.entry import Entry
from metier.domain.proposal import Proposal, Reply
from metier.testing import AgentScript, Says, ScriptedModel, Trajectory
from metier.testing.tree import tree_of

Tree = Callable[..., list[str]]


@dataclass
class Total:
    """A number."""

    value: int


@action("Look", query=True)
def look(word: str) -> int:
    """The length of a word."""
    if not word:
        raise ValueError("no word")
    return len(word)


@action("Drop")
def drop(word: str) -> str:
    """Drop a word."""
    return f"{word} is gone"


class Count(Skill[str, Total]):
    """Count."""

    tools = (Actions.of(look), Actions.of(drop))

    def check(self, result: Total) -> str | None:
        """There is something to count."""
        return "Count again." if result.value < 1 else None


class Again(Skill[str, str]):
    """Say it, in two tries."""

    retry = Retry(times=1)
    stop = StopWhen(max_turns=3)


def yes(_: Proposal) -> Reply:
    """The answer of somebody who is asked."""
    return Reply("yes", "Ada", "Go on.")


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """The lines of a task that a script went through."""

    def tree(skill: Skill[str, Any], *steps: Says, **how: Any) -> list[str]:
        model = ScriptedModel("test", AgentScript.of(*steps).answer)
        with Metier(project=tmp_path, record=False, model=model) as app:
            return Trajectory.tree(app.run(skill, input="the\n task", **how)).splitlines()

    return tree


def test_turns_calls_and_checks_are_branches(tree: Tree) -> None:
    """A turn of one call is one line; what is called inside a call stands below it."""
    steps = [Says.tool("look", {"word": "four"}), Says.hand_back(Total(0)), Says.hand_back(Total(4))]
    assert tree(Count(), *steps)[1:] == [
        '├─ turn 1: look {"word":"four"} → 4',
        '├─ turn 2: hand_back {"value":0} ↩ Count again.',
        '│  └─ Count.check {"result":{"value":0},"input":"the\\n task"} → Count again.',
        '├─ turn 3: hand_back {"value":4} → Accepted.',
        '│  └─ Count.check {"result":{"value":4},"input":"the\\n task"} → null',
        '└─ Done (handed_back): {"value":4}',
    ]


def test_words_and_many_calls_share_a_turn(tree: Tree) -> None:
    """What was said stands at the turn, and each call below with why it was refused or failed."""
    first = Says.many(Says.text("First\nthis."), Says.tool("look", {"word": ""}), Says.tool("lok"))
    told = tree(Count(), first, Says.tool("look", "no"), Says.hand_back(Total(1)))
    assert told[:5] == [
        f"Count, given by {told[0].split(' given by ')[1]}",
        "├─ turn 1: First this.",
        '│  ├─ look {"word":""} ✗ ValueError: no word',
        "│  └─ lok {} ✗ refused (action.unknown): there is no 'lok' here. There is: look, drop, hand_back.",
        "├─ turn 2: look no ✗ refused (arguments.json): the arguments are no JSON object: no",
    ]


def test_proposal_stands_at_its_call(tree: Tree) -> None:
    """What was asked and answered comes below the call that it is about."""
    told = tree(Count(), Says.tool("drop", {"word": "four"}), Says.hand_back(Total(1)), approver=yes)
    assert told[1:4] == [
        '├─ turn 1: drop {"word":"four"} → four is gone',
        "│  ├─ ? drop may be called",
        "│  └─ approved by Ada: Go on.",
    ]


def test_nobody_to_ask_ends_the_tree(tree: Tree) -> None:
    """A task that was refused says why; what makes a line too long stands below it."""
    told = tree(Count(), Says.tool("drop", {"word": "four"}))
    assert [line.partition(": there")[0] for line in told[1:]] == [
        '├─ turn 1: drop {"word":"four"}',
        "│  ├─ ? drop may be called",
        "│  ├─ declined",
        "│  └─ ✗ refused (gate.nobody)",
        "└─ Refused (nobody_to_ask)",
    ]


def test_help_and_the_best_are_told(tree: Tree) -> None:
    """A job that stays stuck shows who was asked, why it ended, and the best result that it had."""
    told = "\n".join(tree(Count(), *[Says.hand_back(Total(0))] * 6, approver=yes))
    assert "│  ├─ ? this job may go on with your help: it is stuck" in told
    assert "│  └─ helped by Ada: Go on." in told
    assert "└─ Failed (stuck): " in told
    assert told.endswith('\n   └─ the best that it had: {"value":0}')


def test_tries_follow_each_other(tree: Tree) -> None:
    """Silence is told as such, and a try that follows says why."""
    told = tree(Again(), Says.text(""), Says.text(""), Says.text(""), Says.text("so"))
    assert told[1] == "├─ turn 1: nothing was said"
    assert told[2] == "│  └─ ↩ Your answer was empty. Answer in words, or call a tool."
    assert [line for line in told if line.startswith("├─ try 2, for the last one failed: ")]


def test_nothing_moves_the_terminal(tree: Tree) -> None:
    """What a model or a tool says is shown on one line, cut where it is long, without what a terminal obeys."""
    told = tree(Count(), Says.many(Says.text("a\x1b[2J\u202eb\ud800"), Says.tool("look", {"word": "x" * 300})))
    assert told[1] == "├─ turn 1: a\\x1b[2J\\u202eb\\ud800"
    assert told[2].startswith('│  └─ look {"word":"xxx')
    assert told[2].endswith("xxx… → 300")


def test_erased_task_keeps_its_shape(tmp_path: Path) -> None:
    """Where the contents are gone, the facts are left."""
    model = ScriptedModel("test", AgentScript.of(Says.tool("look", {"word": "a"}), Says.hand_back(Total(1))).answer)
    with Metier(project=tmp_path, record=False, model=model) as app:
        entries: list[Entry] = Trajectory.entries(app.run(Count(), input="secret"))
    told = tree_of(replace(entry, body=None) for entry in entries).splitlines()
    assert told[1:] == [
        "├─ turn 1: look → done",
        "├─ turn 2: hand_back → done",
        "│  └─ Count.check → done",
        "└─ Done (handed_back)",
    ]


def test_task_without_entries_has_a_line() -> None:
    """What was never given is told."""
    assert tree_of([]) == "the task was not given"
