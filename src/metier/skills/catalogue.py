"""Which skills are there, and which one does a name mean?"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..domain.near import near
from ..domain.problem import Problem
from ..domain.skill import SkillSpec
from ..errors import SkillError, SkillMissing
from .fields import one_name, shown
from .sources import Source


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every skill that was found, in the order of the sources, with every problem that was met.

    No two skills have the same id.
    """

    skills: tuple[SkillSpec, ...]
    problems: tuple[Problem, ...] = ()
    _named: dict[str, list[SkillSpec]] = field(
        init=False, repr=False, compare=False, default_factory=dict[str, list[SkillSpec]]
    )
    """Skills by name and by id, filled when the first name is asked for."""

    def find(self, name: str) -> SkillSpec:
        """Answer the skill that a name means: an id `source:name`, or a bare name where only one source has it.

        A name in another case is found where it is unambiguous. Raises SkillError when several skills have the name and
        SkillMissing, with near names, when none has it.
        """
        asked = one_name(name)
        self._fill()
        found = self._named.get(asked) or self._in_any_case(asked)
        if len(found) == 1:
            return found[0]
        if found:
            ids = ", ".join(sorted({skill.id for skill in found}))
            raise SkillError(f"{name!r} names more than one skill: {ids}.", hint="Name one of them in full.")
        close = near(asked, (skill.id if ":" in asked else skill.name for skill in self.skills))
        hint = f"There is: {', '.join(close)}." if close else "Run `metier list` to see the skills that were found."
        raise SkillMissing(f"No skill is called {name!r}.", hint=hint)

    def _fill(self) -> None:
        if not self._named:
            for skill in self.skills:
                self._named.setdefault(skill.name, []).append(skill)
                if skill.source:
                    self._named.setdefault(skill.id, []).append(skill)

    def _in_any_case(self, asked: str) -> list[SkillSpec]:
        folded = asked.casefold()
        matching = [skills for name, skills in self._named.items() if name.casefold() == folded]
        return [skill for skills in matching for skill in skills]


def discover(sources: Iterable[Source]) -> Catalogue:
    """Read all sources and answer what they hold; a skill that cannot be read stops no other."""
    skills: list[SkillSpec] = []
    problems: list[Problem] = []
    for source in sources:
        for reading in source.readings():
            problems += reading.problems
            if reading.skill is not None:
                skills.append(reading.skill)
    kept = _distinct(skills, problems)
    problems += _shared(kept)
    return Catalogue(tuple(kept), tuple(problems))


def _distinct(skills: list[SkillSpec], problems: list[Problem]) -> list[SkillSpec]:
    """One skill for each id; the others are told."""
    if len({(skill.source, skill.name) for skill in skills}) == len(skills):
        return skills
    by_id: dict[str, list[SkillSpec]] = {}
    for skill in skills:
        by_id.setdefault(skill.id, []).append(skill)
    return [_winner(claims, problems) for claims in by_id.values()]


def _winner(claims: list[SkillSpec], problems: list[Problem]) -> SkillSpec:
    """Of skills with one id, the first whose folder bears the name; a borrowed name never wins against a true one."""
    true = [skill for skill in claims if _folder(skill) == skill.name]
    winner = (true or claims)[0]
    for skill in claims:
        if skill is not winner:
            cause = (
                f"the name {skill.name!r} belongs to the skill in {_place(winner)}; this one is offered under no name"
            )
            cure = "give each skill a name of its own, the name of its folder"
            problems.append(Problem("name.clash", _place(skill), cause, cure=cure, level="warning"))
    return winner


def _shared(skills: list[SkillSpec]) -> Iterable[Problem]:
    """A warning for each name that several sources have."""
    if len({skill.name for skill in skills}) == len(skills):
        return
    by_name: dict[str, list[SkillSpec]] = {}
    for skill in skills:
        by_name.setdefault(skill.name, []).append(skill)
    for name, found in by_name.items():
        if len(found) > 1:
            ids = ", ".join(skill.id for skill in found)
            cause = f"the name {name!r} is used in several sources: {ids}"
            yield Problem("name.clash", _place(found[0]), cause, cure="name the skill in full", level="warning")


def _folder(skill: SkillSpec) -> str:
    return one_name(shown(_place(skill).rpartition("/")[2]))


def _place(skill: SkillSpec) -> str:
    return shown(skill.guide.folder) if skill.guide else skill.id
