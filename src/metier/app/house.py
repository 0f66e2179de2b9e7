"""What does an app bring to its tasks: settings, permits, a model, and what was declared in its code?"""

import getpass
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..config import Settings
from ..domain.money import Dollars
from ..domain.needs import ModelNeeds
from ..domain.permits import Permits
from ..domain.ports import Model, Person
from ..domain.principal import Principal
from ..domain.seat import Seat
from ..domain.skill import SkillSpec
from ..errors import SetupError, SkillError
from ..models.llm_setup import LlmSetup
from ..rows.of_app import answers, as_now, rows_of
from ..rows.unrowed import Unrowed
from ..skills.job import Skill
from ..skills.job_spec import spec_of
from .agents.accounts import account_of, people_of, person_of
from .agents.agent import Agent, AnySkill
from .agents.finding import names_of, spec_in
from .agents.setup import AgentsSetup, Policy
from .choosing import CodeModel, choose, priced
from .finding import find_skill
from .how import permits_told

FLAG = "--model"
"""The origin of a model's name that was given for one command or task."""


def no_seat(agent: str) -> Seat | None:
    """No record is open, so nobody answers for an agent."""
    del agent
    return None


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
    rows: Unrowed = field(default_factory=Unrowed)
    """The app's stored rows, and what holds its actions to what they declare."""
    agents: AgentsSetup | None = None
    own_permits: Permits | None = None
    """The permits that the app was given, where it was; they bind its agents too."""
    seat: Callable[[str], Seat | None] = no_seat
    """Who answers for an agent; the record says it, once it is open."""
    accounts: dict[str, Principal] = field(default_factory=dict[str, Principal])
    """The accounts of the agents, by the agents' names."""
    specs: dict[int, tuple[object, SkillSpec]] = field(default_factory=dict[int, tuple[object, SkillSpec]])
    """The skills that agents list, as they were made of what is listed."""

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
        found = [spec for (source, name), spec in self.declared.items() if skill in names_of(source, name)]
        if len(found) > 1:
            ids = " and ".join(sorted(one.id for one in found))
            raise SkillError(f"Several skills are called {skill!r}: {ids}.", hint="Name it with its source.")
        return found[0] if found else find_skill(skill, self.settings)

    def declare(self, skill: SkillSpec) -> None:
        """Get to know a skill as a value, for when its task is taken up again."""
        self.declared[skill.source, skill.name] = skill

    def skill_of(self, listed: "AnySkill | str") -> SkillSpec:
        """A skill that an agent lists, as a value of the house. It is made once."""
        kept = self.specs.get(id(listed))
        if kept is None or kept[0] is not listed:
            kept = self.specs[id(listed)] = (listed, spec_in(listed, self.rows, self.find))
        spec = kept[1]
        if isinstance(listed, Skill):
            self.declare(spec)
        return spec

    def make_ready(self) -> None:
        """Make the app's database ready for its actions, and its agents' accounts with their roles."""
        self.rows.entered()
        for agent in self.agents.agents if self.agents else ():
            self.account(agent)

    def know_skills(self, agent: Agent) -> None:
        """Get to know all that an agent lists, for when its tasks are taken up again."""
        for listed in agent.skills:
            self.skill_of(listed)

    def account(self, agent: Agent) -> Principal:
        """An agent's own account: a stored row where the app has such rows, made from its declaration (O129)."""
        known = self.accounts.get(agent.name)
        if known is None:
            known = self.accounts[agent.name] = account_of(agent, self.agents, self.rows)
        return known

    def answers(self, policy: Policy, who: Principal) -> bool:
        """What the app's policy says of somebody, who comes as the app knows people: as a stored row where it has such.

        Whoever is no person of the app is answered no.
        """
        if isinstance(who.who, str | None) and people_of(self.agents, self.rows) is not None:
            who = self.somebody(who.id)
            if isinstance(who.who, str):
                return False
        return answers(policy, who, self.rows)

    def known(self, person: object) -> object:
        """Somebody as the app's rows know them now: a row that a session left behind is read anew.

        Raises:
            SetupError: the row is not stored.
        """
        with self.rows.reading():
            found = as_now(person, self.rows)
        if found is None:
            raise SetupError(
                f"This {type(person).__name__} is not stored, so it is nobody yet.", hint="Commit the row first."
            )
        return found

    def somebody(self, name: str) -> Principal:
        """The person that the record names."""
        return person_of(name, self.agents, self.rows)

    def chosen(self, skill: SkillSpec) -> Model | CodeModel:
        """The app's own model, one of those that it lists, or the one that the settings name. A flag wins over the app's code.

        Raises:
            ModelMissing: no listed model meets what the skill's job needs, or none is set.
        """
        if self.by_flag:
            own = [*([] if self.model is None else [self.model]), *(self.llm.models if self.llm else ())]
            named = next((one for one in own if one.name == self.settings.model), None)
            return choose(self.settings, self.person) if named is None else named
        if self.model is not None:
            return self.model
        if self.llm is not None:
            return self.llm.pick(skill.job.needs if skill.job else ModelNeeds())
        return choose(self.settings, self.person)

    @property
    def by_flag(self) -> bool:
        """Whether a person named the model for this one command or task."""
        return bool(self.settings.model) and self.settings.origins.get("model") == FLAG

    def priced(self, model: Model) -> Model:
        """The model with the price that the settings name beside it; the app's own models bring their own."""
        own = self.model is not None or self.llm is not None
        return model if own and not self.by_flag else priced(model, self.settings)

    @property
    def spending(self) -> Callable[[], bool] | None:
        """Says whether models may be called just now; none where nothing could switch that off."""
        llm = self.llm
        return None if llm is None else lambda: llm.spending

    def budget(self, skill: SkillSpec) -> Dollars | None:
        """The most dollars that a task of this skill may cost."""
        own = skill.job.budget if skill.job else None
        return self.settings.task_budget if own is None else own


def house_of(
    base: Settings,
    *,
    skills: Sequence[str | os.PathLike[str] | SkillSpec | Skill[Any, Any]],
    model: Model | str | None,
    llm: LlmSetup | None,
    permits: Permits | None,
    person: Person | None,
    rows: object = None,
    agents: AgentsSetup | None = None,
) -> House:
    """The house of an app: what its code says, beside what the settings say."""
    if model is not None and llm is not None:
        raise SetupError("The app was given a model and a list of models.", hint="Give `model` or `llm`, not both.")
    roots = tuple(os.path.abspath(os.fspath(root)) for root in skills if not isinstance(root, SkillSpec | Skill))
    settings = replace(base, roots=(*roots, *base.roots))
    if isinstance(model, str):
        settings = replace(settings, model=model, origins={**base.origins, "model": "the caller"})
        model = None
    known = rows_of(rows)
    declared = _declared(skills, known)
    return House(
        settings, permits or Permits.proposes(), model, llm, person, declared, known, agents, own_permits=permits
    )


def _declared(
    skills: Sequence[str | os.PathLike[str] | SkillSpec | Skill[Any, Any]], rows: Unrowed
) -> dict[tuple[str, str], SkillSpec]:
    values = [one for one in skills if isinstance(one, SkillSpec | Skill)]
    specs = [spec_of(one, rows=rows) if isinstance(one, Skill) else one for one in values]
    return {(one.source, one.name): one for one in specs}
