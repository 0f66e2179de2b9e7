"""What does an app bring to its tasks: settings, permits, a model, and what was declared in its code?"""

import getpass
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..config import Settings
from ..domain.money import Dollars
from ..domain.needs import ModelNeeds
from ..domain.ports import Model, Person
from ..domain.skill import SkillSpec
from ..errors import SetupError, SkillError
from ..gate.permits import Permits
from ..models.llm_setup import LlmSetup
from ..skills.job import Skill
from ..skills.job_spec import spec_of
from .choosing import CodeModel, choose, priced
from .finding import find_skill
from .how import permits_told


@dataclass(eq=False)
class House:
    """What an app brings. It is the same for all its tasks, but for the skills that it gets to know as values."""

    settings: Settings
    permits: Permits
    model: Model | None
    llm: LlmSetup | None
    person: Person | None
    declared: dict[tuple[str, str], SkillSpec]
    """The skills that the app was given as values, by source and name."""

    @cached_property
    def user(self) -> str:
        """For whom tasks are done."""
        return self.settings.giver or getpass.getuser()

    @cached_property
    def permits_told(self) -> Sequence[object]:
        """The permits as plain JSON."""
        return permits_told(self.permits)

    def find(self, skill: str) -> SkillSpec:
        """One skill by its name or path, with its files listed; one that was given as a value by its name, or `module.Name`.

        Raises:
            SkillError: several that were given as values have the name, or there is none.
        """
        found = [spec for (source, name), spec in self.declared.items() if skill in _names(source, name)]
        if len(found) > 1:
            ids = " and ".join(sorted(one.id for one in found))
            raise SkillError(f"Several skills are called {skill!r}: {ids}.", hint="Name it with its source.")
        return found[0] if found else find_skill(skill, self.settings)

    def declare(self, skill: SkillSpec) -> None:
        """Get to know a skill as a value, for when its task is taken up again."""
        self.declared[skill.source, skill.name] = skill

    def chosen(self, skill: SkillSpec) -> Model | CodeModel:
        """The app's own model, one of those that it lists, or the one that the settings name.

        Raises:
            ModelMissing: no listed model meets what the skill's job needs, or none is set.
        """
        if self.model is not None:
            return self.model
        if self.llm is not None:
            return self.llm.pick(skill.job.needs if skill.job else ModelNeeds())
        return choose(self.settings, self.person)

    def priced(self, model: Model) -> Model:
        """The model with the price that the settings name beside it; the app's own models bring their own."""
        return priced(model, self.settings) if self.model is None and self.llm is None else model

    @property
    def spending(self) -> Callable[[], bool] | None:
        """Says whether models may be called just now; none where nothing could switch that off."""
        llm = self.llm
        return None if llm is None else lambda: llm.spending

    def budget(self, skill: SkillSpec) -> Dollars | None:
        """The most dollars that a task of this skill may cost."""
        own = skill.job.budget if skill.job else None
        return self.settings.task_budget if own is None else own


def _names(source: str, name: str) -> tuple[str, ...]:
    """What a skill that was given as a value answers to (O15)."""
    if not source:
        return (name,)
    return name, f"{source}:{name}", f"{source}.{name}", f"{source.rpartition('.')[2]}.{name}"


def house_of(
    base: Settings,
    *,
    skills: Sequence[str | os.PathLike[str] | SkillSpec | Skill[Any, Any]],
    model: Model | str | None,
    llm: LlmSetup | None,
    permits: Permits | None,
    person: Person | None,
) -> House:
    """The house of an app: what its code says, beside what the settings say."""
    if model is not None and llm is not None:
        raise SetupError("The app was given a model and a list of models.", hint="Give `model` or `llm`, not both.")
    roots = tuple(os.path.abspath(os.fspath(root)) for root in skills if not isinstance(root, SkillSpec | Skill))
    settings = replace(base, roots=(*roots, *base.roots))
    if isinstance(model, str):
        settings = replace(settings, model=model, origins={**base.origins, "model": "the caller"})
        model = None
    return House(settings, permits or Permits.proposes(), model, llm, person, _declared(skills))


def _declared(
    skills: Sequence[str | os.PathLike[str] | SkillSpec | Skill[Any, Any]],
) -> dict[tuple[str, str], SkillSpec]:
    specs = [spec_of(one) if isinstance(one, Skill) else one for one in skills if isinstance(one, SkillSpec | Skill)]
    return {(one.source, one.name): one for one in specs}
