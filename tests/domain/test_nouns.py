"""The small nouns: bounds, problems, skills, calls, compact JSON."""

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.domain.action import EFFECTS, UNDECLARED, Effect
from metier.domain.bounds import StopWhen
from metier.domain.call import Answered, Call
from metier.domain.compact import canonical, compact
from metier.domain.problem import Problem
from metier.domain.receipt import CallCounts
from metier.domain.skill import Frontmatter, Guide, SkillFile, SkillSpec

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


def test_limits_have_defaults() -> None:
    """A job without limits of its own has these (O29, O54)."""
    stop = StopWhen()
    assert (stop.max_turns, stop.same_call, stop.same_call_new_answer, stop.stuck_after) == (20, 3, 10, None)
    assert stop.max_seconds is None


@pytest.mark.parametrize("name", ["max_turns", "same_call", "same_call_new_answer", "stuck_after"])
@pytest.mark.parametrize("value", [0, -1, True, 1.0, "3"])
def test_limits_are_whole_numbers(name: str, value: object) -> None:
    """A limit that is no whole number of at least 1 is refused by its name (O11)."""
    wrong: dict[str, Any] = {name: value}
    with pytest.raises(ValueError, match=name):
        StopWhen(**wrong)


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_seconds_are_more_than_none(seconds: float) -> None:
    """A limit of time must be more than nothing (O11)."""
    with pytest.raises(ValueError, match="max_seconds"):
        StopWhen(max_seconds=seconds)


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (Problem("a.b", "SKILL.md", "it is wrong"), "SKILL.md: error a.b: it is wrong"),
        (Problem("a.b", "SKILL.md", "it is wrong", 3, "mend it"), "SKILL.md:3: error a.b: it is wrong (mend it)"),
        (Problem("a.b", "x", "so so", level="warning"), "x: warning a.b: so so"),
    ],
)
def test_problem_reads_as_a_line(problem: Problem, text: str) -> None:
    """A problem is told as file, line, level, code, cause and cure."""
    assert str(problem) == text


def test_skill_is_named_in_full() -> None:
    """A skill's id is its source and name, or its bare name where it has no source."""
    assert SkillSpec("a", "d", source="s").id == "s:a"
    assert SkillSpec("a", "d").id == "a"


def test_files_are_told_apart() -> None:
    """A guide knows which of its files are read and which are run, in their order."""
    files = tuple(SkillFile(name, f"/s/{name}", kind, 1) for name, kind in (("a", "script"), ("b", "resource")))  # type: ignore[arg-type]  # literals from a tuple
    guide = Guide("/s", Frontmatter("s", "d"), (*files, SkillFile("c", "/s/c", "script", 1)))
    assert [file.name for file in guide.scripts] == ["a", "c"]
    assert [file.name for file in guide.resources] == ["b"]


def test_only_done_is_ok() -> None:
    """Of all ways that a call comes out, one is a success."""
    call = Call("c1", "look", {}, 1)
    outcomes = ("done", "failed", "sent_back", "refused")
    assert [Answered(call, outcome, "", "").ok for outcome in outcomes] == [True, False, False, False]  # type: ignore[arg-type]  # literals from a tuple


def test_effects_are_all_listed() -> None:
    """The list of effects is the closed set of their type, and what declares nothing changes and sends (O42)."""
    assert set(EFFECTS) == set(get_args(Effect))
    assert {"changes", "sends"} == UNDECLARED


def test_counts_start_at_nothing() -> None:
    """A task that made no calls has no counts."""
    assert {getattr(CallCounts(), name) for name in CallCounts.__slots__} == {0}


@given(JSON)
def test_compact_reads_back(value: Any) -> None:
    """Compact text reads back as the same value and has no blanks between its parts (O34)."""
    assert json.loads(compact(value)) == value
    assert compact({"Hours": {"type": "number"}}) == '{"Hours":{"type":"number"}}'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, object()])
def test_compact_takes_json_only(value: Any) -> None:
    """What is no JSON raises; nothing is printed in its place (case 065)."""
    with pytest.raises((TypeError, ValueError)):
        compact([value])


@given(st.dictionaries(st.text(), JSON, min_size=2))
def test_canonical_forgets_the_order(value: dict[str, Any]) -> None:
    """Equal values have equal canonical texts, in whatever order their members came (O55)."""
    assert canonical(dict(reversed(value.items()))) == canonical(value)
