"""The lines that entries make while a task is worked on: another try, a yes that came too late, work that was handed on."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from metier.cli.glyphs import ASCII
from metier.cli.tree import CallTree
from metier.domain.entry import Entry, Kind

SKILL = {"name": "close_week", "version": "1", "digest": "d"}
BEGUN = {"call": "c1.1", "target": "Estimator_estimate", "action": "Estimator_estimate"}
RETURNED = {"call": "c1.1", "outcome": "done", "seconds": 2.0, "child": "t.c1.1", "cost": "0.0123"}


@pytest.fixture
def tree() -> CallTree:
    """A tree that no entry has come to yet."""
    return CallTree(ASCII)


def _entry(kind: Kind, facts: Mapping[str, Any], body: Mapping[str, Any] | None = None) -> Entry:
    return Entry("t", 1, kind, 1, facts, body, "")


def _lines(tree: CallTree, entry: Entry) -> list[str]:
    return [line.drawn(ASCII) for line in tree.take(entry)]


def test_the_agent_stands_at_the_root(tree: CallTree) -> None:
    """The first line names the skill, and the agent where there is one."""
    assert _lines(tree, _entry("Given", {"skill": SKILL, "agent": {"name": "Foreman"}})) == [
        "close_week 1, by Foreman  task t"
    ]
    assert _lines(tree, _entry("Given", {"skill": SKILL})) == ["close_week 1  task t"]


def test_another_try_is_told(tree: CallTree) -> None:
    """Another try stands with its number and why the one before it failed (O20)."""
    entry = _entry("Retried", {"try": 2, "reason": "stuck"}, {"text": "It was sent back 3 times."})
    assert _lines(tree, entry) == ["|- <- try 2 begins: It was sent back 3 times."]


def test_a_late_yes_is_told(tree: CallTree) -> None:
    """A yes that is not carried out stands with the reason (O83)."""
    entry = _entry("Stale", {"proposal": "t.p1", "call": "c1.1"}, {"reason": "the bill was changed"})
    assert _lines(tree, entry) == ["|  |- ? the yes came too late: the bill was changed"]


def test_handed_work_has_a_cost(tree: CallTree) -> None:
    """A call that handed work on tells what that cost, which counts with what was spent (O76)."""
    assert _lines(tree, _entry("ToolCalled", BEGUN)) == []
    assert _lines(tree, _entry("ToolReturned", RETURNED)) == ["|  |- ok Estimator_estimate  2.00 s  $0.0123"]
    assert tree.spent == Decimal("0.0123")


def test_earlier_runs_count(tree: CallTree) -> None:
    """What earlier runs handed on is counted without a line."""
    tree.know([_entry("ToolCalled", BEGUN), _entry("ToolReturned", RETURNED)])
    assert tree.spent == Decimal("0.0123")
