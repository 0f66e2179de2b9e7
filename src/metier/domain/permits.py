"""By what right may a call be carried out: alone, proposed, or never?

The table is design, section 3. The most specific rule decides (action or script > skill > effect); at equal rank never
beats proposed beats alone; over several effects the strictest answer counts (O77-O79).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from .action import EFFECTS, Action, Effect

Verdict = Literal["free", "alone", "proposed", "never"]
"""`free` is what touches nothing and so needs no permit (O80)."""

STRICTNESS: Mapping[Verdict, int] = {"free": 0, "alone": 1, "proposed": 2, "never": 3}


class Named(Protocol):
    """Whatever names an action, such as what `Actions.of` answers."""

    @property
    def action(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of permits: what it is about and what it says."""

    verdict: Verdict
    action: str = ""
    """An action's or a script's name."""
    skill: str = ""
    """A skill's digest: a rule binds to the files it was made for."""
    effects: frozenset[Effect] = frozenset(EFFECTS)
    """The effects that it speaks of."""
    why: str = ""

    @property
    def rank(self) -> int:
        """How specific it is."""
        return 2 if self.action else 1 if self.skill else 0

    def covers(self, action: Action, effect: Effect) -> bool:
        """Whether it speaks of this effect of this action."""
        if effect not in self.effects:
            return False
        if self.action:
            return self.action == action.name
        return not self.skill or self.skill == action.origin.digest


@dataclass(frozen=True, slots=True)
class Judged:
    """What permits say of one call, and the rule that decided."""

    verdict: Verdict
    rule: str


FREE = Judged("free", "touches nothing")


def _table(name: str, **verdicts: Verdict) -> "Permits":
    return Permits(tuple(Rule(verdicts[effect], effects=frozenset({effect}), why=name) for effect in EFFECTS))


@dataclass(frozen=True, slots=True)
class Permits:
    """What an agent may do alone, what it must propose, and what it may never do."""

    rules: tuple[Rule, ...]
    within: "Permits | None" = None
    """Other permits that bind too: the stricter answer counts."""

    @classmethod
    def proposes(cls) -> "Permits":
        """Reads alone; everything else is proposed. The default."""
        return _table(
            "proposes",
            reads="alone",
            loads="proposed",
            changes="proposed",
            sends="proposed",
            runs="proposed",
            acts="proposed",
        )

    @classmethod
    def reads_only(cls) -> "Permits":
        """Reads alone, loading is proposed, nothing else ever."""
        return _table(
            "reads_only", reads="alone", loads="proposed", changes="never", sends="never", runs="never", acts="never"
        )

    @classmethod
    def changes_alone(cls) -> "Permits":
        """Reads, changes and acts alone; loading, sending and running are proposed (O78)."""
        return _table(
            "changes_alone",
            reads="alone",
            loads="proposed",
            changes="alone",
            sends="proposed",
            runs="proposed",
            acts="alone",
        )

    @classmethod
    def changes_and_sends_alone(cls) -> "Permits":
        """Everything alone but running code, which is proposed."""
        return _table(
            "changes_and_sends_alone",
            reads="alone",
            loads="alone",
            changes="alone",
            sends="alone",
            runs="proposed",
            acts="alone",
        )

    def alone(self, *actions: "str | Named") -> "Permits":
        """These permits, with these actions or scripts done without asking."""
        return self._with("alone", actions)

    def proposing(self, *actions: "str | Named") -> "Permits":
        """These permits, with these actions or scripts proposed."""
        return self._with("proposed", actions)

    def never(self, *actions: "str | Named") -> "Permits":
        """These permits, with these actions or scripts never done."""
        return self._with("never", actions)

    def with_rule(self, rule: Rule) -> "Permits":
        """These permits and one rule more."""
        within = None if self.within is None else self.within.with_rule(rule)
        return replace(self, rules=(*self.rules, rule), within=within)

    def narrowed(self, other: "Permits | None") -> "Permits":
        """These permits, where other ones bind too: the stricter answer counts, so nothing is widened (O17)."""
        if other is None:
            return self
        return replace(self, within=other if self.within is None else self.within.narrowed(other))

    def judge(self, action: Action) -> Judged:
        """What these permits say of an action."""
        if not action.effects:
            return FREE
        decided = FREE
        for effect in action.effects:
            judged = self._judge_effect(action, effect)
            if STRICTNESS[judged.verdict] > STRICTNESS[decided.verdict]:
                decided = judged
        if self.within is not None:
            other = self.within.judge(action)
            if STRICTNESS[other.verdict] > STRICTNESS[decided.verdict]:
                return other
        return decided

    def _with(self, verdict: Verdict, actions: "tuple[str | Named, ...]") -> "Permits":
        names = [one if isinstance(one, str) else one.action for one in actions]
        return replace(
            self, rules=(*self.rules, *(Rule(verdict, action=name, why=f"{verdict}: {name}") for name in names))
        )

    def _judge_effect(self, action: Action, effect: Effect) -> Judged:
        best: Rule | None = None
        for rule in self.rules:
            if rule.covers(action, effect) and (best is None or _beats(rule, best)):
                best = rule
        if best is None:
            return Judged("never", "no rule speaks of it")
        return Judged(best.verdict, f"{best.why or 'a rule'} ({effect})")


def _beats(rule: Rule, best: Rule) -> bool:
    return (rule.rank, STRICTNESS[rule.verdict]) > (best.rank, STRICTNESS[best.verdict])
