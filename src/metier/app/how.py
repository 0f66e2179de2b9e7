"""How was a task given, in words that another process can read?

They lie in the body of its first entry. What cannot be written down, such as a function of the app, is named: the app that
goes on with the task must know a skill of that name.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..domain.action import EFFECTS
from ..domain.permits import Permits, Rule
from ..domain.skill import SkillSpec
from ..errors import TaskError
from .deciding import decision, is_decision, options_in
from .finding import FREE, free_task


def how_given(
    skill: SkillSpec,
    offered: Sequence[SkillSpec],
    *,
    model: Mapping[str, str],
    permits: Sequence[object],
    unpriced: bool,
) -> Mapping[str, Any]:
    """All that is needed to make a task's assignment anew, beside what its first entry tells."""
    return {
        "skill": _own(skill),
        "offered": [_named(one) for one in offered],
        "model": model,
        "permits": permits,
        "unpriced": unpriced,
    }


def permits_told(permits: Permits) -> list[object]:
    """Permits as plain JSON."""
    return [_rule(rule) for rule in permits.rules]


def is_free(skill: SkillSpec) -> bool:
    """Whether it is no more than a task in free words."""
    job = skill.job
    if skill.name != FREE or skill.source or skill.guide is not None or job is None:
        return False
    return not job.tools and job.takes is None and job.hands_back is None and job.check is None


def skill_again(how: Mapping[str, Any], find: Callable[[Mapping[str, str]], SkillSpec]) -> SkillSpec:
    """The task's own skill."""
    named = _member(how, "skill")
    if "words" in named:
        return free_task(named["words"])
    return decision(named["question"], named["options"]) if "question" in named else find(named)


def offered_again(how: Mapping[str, Any], find: Callable[[Mapping[str, str]], SkillSpec]) -> list[SkillSpec]:
    """The skills that the model was told of."""
    return [find(named) for named in _member(how, "offered")]


def permits_again(how: Mapping[str, Any], own: Permits) -> Permits:
    """The permits that the task was given under, within those of the app that goes on with it: the stricter counts."""
    found = own
    for told in reversed([_member(how, "permits"), *how.get("within", ())]):
        rules = [Rule(verdict, action, skill, frozenset(effects), why) for verdict, action, skill, effects, why in told]
        found = Permits(tuple(rules), within=found)
    return found


def chain_told(permits: Permits) -> Mapping[str, Any]:
    """Permits with those that bind them, as `how` tells them."""
    within, inner = [], permits.within
    while inner is not None:
        within.append(permits_told(inner))
        inner = inner.within
    return {"permits": permits_told(permits), "within": within} if within else {"permits": permits_told(permits)}


def _own(skill: SkillSpec) -> Mapping[str, Any]:
    if is_free(skill):
        return {"words": skill.description}
    if is_decision(skill):
        return {"question": skill.description, "options": options_in(skill)}
    return _named(skill)


def _named(skill: SkillSpec) -> dict[str, str]:
    return {"name": skill.name, "source": skill.source, "folder": skill.guide.folder if skill.guide else ""}


def _rule(rule: Rule) -> list[Any]:
    effects = [effect for effect in EFFECTS if effect in rule.effects]
    return [rule.verdict, rule.action, rule.skill, effects, rule.why]


def _member(how: Mapping[str, Any], name: str) -> Any:
    if name not in how:
        raise TaskError(
            "The task was given by an older version of metier, which did not write down how.", hint="Give it again."
        )
    return how[name]
