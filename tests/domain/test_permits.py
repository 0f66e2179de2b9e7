"""Permits: what is done alone, proposed, or never."""

from collections.abc import Callable, Mapping

import pytest

from metier.domain.action import EFFECTS, Action, Effect, Hands, Origin
from metier.domain.permits import Permits, Rule, Verdict

COLUMNS: Mapping[str, Callable[[], Permits]] = {
    "proposes": Permits.proposes,
    "reads_only": Permits.reads_only,
    "changes_alone": Permits.changes_alone,
    "changes_and_sends_alone": Permits.changes_and_sends_alone,
}
TABLE: Mapping[Effect, tuple[Verdict, Verdict, Verdict, Verdict]] = {
    "reads": ("alone", "alone", "alone", "alone"),
    "loads": ("proposed", "proposed", "proposed", "alone"),
    "changes": ("proposed", "never", "alone", "alone"),
    "sends": ("proposed", "never", "proposed", "alone"),
    "runs": ("proposed", "never", "proposed", "proposed"),
    "acts": ("proposed", "never", "alone", "alone"),
}
"""Design, section 3: a row for each effect, a column for each set of permits."""
CELLS = [(effect, column, TABLE[effect][place]) for effect in EFFECTS for place, column in enumerate(COLUMNS)]


async def nothing(_: Mapping[str, object], __: Hands) -> None:
    """A body that does nothing."""


def act(*effects: Effect, name: str = "act", digest: str = "") -> Action:
    """An action with these effects."""
    return Action(name, "", {}, nothing, frozenset(effects), Origin("skill", "s", digest=digest))


@pytest.mark.parametrize(("effect", "column", "verdict"), CELLS)
def test_table_is_held(effect: Effect, column: str, verdict: Verdict) -> None:
    """Every cell of the table is as it is written down (O77-O79)."""
    judged = COLUMNS[column]().judge(act(effect))
    assert (judged.verdict, column in judged.rule, effect in judged.rule) == (verdict, True, True)


@pytest.mark.parametrize("column", COLUMNS)
def test_no_effect_is_free(column: str) -> None:
    """What touches nothing needs no permit, under any permits (O80)."""
    assert COLUMNS[column]().judge(act()).verdict == "free"


@pytest.mark.parametrize(
    ("permits", "effects", "verdict"),
    [
        (Permits.changes_alone(), ("changes", "sends"), "proposed"),
        (Permits.reads_only(), ("reads", "changes"), "never"),
        (Permits.changes_and_sends_alone(), ("reads", "changes", "sends", "acts"), "alone"),
        (Permits.changes_and_sends_alone(), EFFECTS, "proposed"),
    ],
)
def test_strictest_effect_counts(permits: Permits, effects: tuple[Effect, ...], verdict: Verdict) -> None:
    """Of several effects the strictest answer counts (O77)."""
    assert permits.judge(act(*effects)).verdict == verdict


def test_action_beats_effect() -> None:
    """A rule about an action beats the table, both ways (O79)."""
    assert Permits.reads_only().alone("act").judge(act("changes")).verdict == "alone"
    assert Permits.changes_and_sends_alone().never("act").judge(act("reads")).verdict == "never"
    assert Permits.changes_alone().proposing("act").judge(act("reads")).verdict == "proposed"


def test_other_actions_keep_the_table() -> None:
    """A rule about one action says nothing of another (O79)."""
    permits = Permits.proposes().alone("act", "push")
    assert [permits.judge(act("changes", name=name)).verdict for name in ("act", "push", "pull")] == [
        "alone",
        "alone",
        "proposed",
    ]


def test_action_beats_skill_beats_effect() -> None:
    """Of three rules the most specific decides, in whatever order they were given (O79)."""
    rules = [Rule("never"), Rule("proposed", skill="d1"), Rule("alone", action="act")]
    for given in (rules, rules[::-1]):
        permits = Permits(tuple(given))
        assert permits.judge(act("runs", digest="d1")).verdict == "alone"
        assert permits.judge(act("runs", name="other", digest="d1")).verdict == "proposed"
        assert permits.judge(act("runs", name="other", digest="d2")).verdict == "never"


@pytest.mark.parametrize("verdicts", [("never", "proposed"), ("proposed", "alone"), ("never", "alone")])
def test_stricter_wins_at_equal_rank(verdicts: tuple[Verdict, Verdict]) -> None:
    """At equal rank never beats proposed beats alone, in whatever order they were given (O79)."""
    rules = tuple(Rule(verdict, action="act") for verdict in verdicts)
    assert Permits(rules).judge(act("runs")).verdict == verdicts[0]
    assert Permits(rules[::-1]).judge(act("runs")).verdict == verdicts[0]


def test_skill_rule_binds_to_its_effects() -> None:
    """A yes to load and read a skill is no yes to run its scripts, nor to load another skill."""
    permits = Permits.proposes().with_rule(Rule("alone", skill="d1", effects=frozenset({"reads", "loads"})))
    assert permits.judge(act("loads", digest="d1")).verdict == "alone"
    assert permits.judge(act("runs", digest="d1")).verdict == "proposed"
    assert permits.judge(act("loads", digest="d2")).verdict == "proposed"
    assert permits.judge(act("loads", "runs", digest="d1")).verdict == "proposed"


def test_silence_is_never() -> None:
    """What no rule speaks of is never done."""
    assert Permits(()).judge(act("reads")).verdict == "never"


def test_permits_are_values() -> None:
    """Adding a rule leaves the permits that it was added to as they were."""
    before = Permits.proposes()
    before.never("act")
    assert before == Permits.proposes()
