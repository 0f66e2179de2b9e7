"""A task over its runs: how many there were, which were cut, and what was settled how."""

from collections.abc import Mapping
from typing import Any

from metier.cli.history import history_of
from metier.cli.standing import standing_of, waits_for
from metier.domain.entry import Entry
from metier.record import TaskRow

NOW = 1_000


def entries(*told: tuple[str, Mapping[str, Any]]) -> list[Entry]:
    """Entries of these kinds and facts."""
    return [Entry("t", number, kind, number, facts, {}, "") for number, (kind, facts) in enumerate(told, 1)]  # type: ignore[arg-type]  # kinds of the record


def row(state: str, **more: Any) -> TaskRow:
    """The row of a task in this state."""
    return TaskRow("t", "greet", "skills", "mara", 0, None, state, "", **more)


def test_giving_is_no_run() -> None:
    """A task that was only given has no run; each time that it goes on is one."""
    given: list[tuple[str, Mapping[str, Any]]] = [("Given", {}), ("Paused", {})]
    assert history_of(entries(*given)).runs == 0
    assert history_of(entries(*given, ("Resumed", {}), ("Paused", {}), ("Resumed", {}))).runs == 2


def test_a_run_without_a_last_word_was_cut() -> None:
    """A run that ended by neither a wait nor an end was cut, once another has begun."""
    told = [("Given", {}), ("Briefed", {}), ("Resumed", {}), ("Stopped", {"ended": "Stopped"}), ("Resumed", {})]
    history = history_of(entries(*told))
    assert (history.runs, history.cuts) == (3, 1)


def test_begins_without_an_end() -> None:
    """A call without an end is kept with the run that it was begun in; one that was settled is counted by what settled it."""
    begun = [("Briefed", {}), ("ToolCalled", {"call": "c1.1"}), ("ToolCalled", {"call": "c1.2"}), ("Resumed", {})]
    settled = ("ToolReturned", {"call": "c1.1", "outcome": "unknown", "settled": "t.p1", "again": True})
    history = history_of(entries(*begun, settled, ("ToolCalled", {"call": "c1.1"})))
    assert history.begun == {"c1.2": 1, "c1.1": 2}
    assert (history.unknown, dict(history.settled)) == (1, {"t.p1": 1})


def test_why_it_could_not_go_on() -> None:
    """An attempt that came to nothing is told until one comes to something."""
    told = [("Given", {}), ("Fault", {"where": "resume"}), ("Paused", {})]
    missing = history_of(entries(*told)).missing
    assert missing
    assert standing_of(row("Waiting", waits_for="person"), [], now=NOW, missing=missing).goes_on == ("metier resume t",)
    assert history_of(entries(*told, ("Resumed", {}))).missing == ""


def test_tries_have_reasons() -> None:
    """Each try that failed is told with its reason; another try is no other run (O20)."""
    history = history_of(entries(("Briefed", {}), ("Retried", {"try": 2, "reason": "stuck"}), ("Retried", {"try": 3})))
    assert (history.retried, history.runs, history.cuts) == (("stuck", ""), 1, 0)


def test_each_wait_has_words() -> None:
    """What a task waits for is told in words: a person, a moment, another task, an agent, a worker."""
    waits = [
        waits_for(row("Waiting", waits_for="person")),
        waits_for(row("Waiting", waits_for="time", wake_at=0)),
        waits_for(row("Waiting", waits_for="child:c\x1b1")),
        waits_for(row("Waiting", waits_for="child:t.c1.1")),
        waits_for(row("Waiting", waits_for="agent:Estimator")),
        waits_for(row("Ready", waits_for="worker")),
        waits_for(row("Done")),
    ]
    assert waits == [
        "an answer",
        "1970-01-01 00:00 UTC",
        "the end of c\\x1b1",
        "its child c1.1",
        "Estimator to work again",
        "a worker",
        "",
    ]


def test_running_and_cut() -> None:
    """While its lease holds somebody works on it; after that it is cut, and after many times only a person helps."""
    live = standing_of(row("Running", lease_until=NOW + 1, stop="Ada"), [], now=NOW)
    assert (live.word, "Ada asked for it to be stopped" in live.told) == ("Running", True)
    cut = standing_of(row("Running", lease_until=NOW - 1), [], now=NOW)
    assert (cut.word, cut.goes_on) == ("cut", ("metier resume t",))
    worn = standing_of(row("Running", lease_until=0, takeovers=5), [], now=NOW)
    assert "only a person" in worn.told
