"""How does what a caller asks for become a task's assignment?"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..domain.ports import Approver
from ..domain.skill import Job, SkillSpec
from ..gate.approvers import Later
from ..skills.files import with_files
from ..skills.job import Skill
from ..skills.job_spec import spec_of
from ..skills.job_types import input_json
from .assignment import Assignment
from .finding import catalogue_of, free_task
from .giving import take_in
from .house import House
from .how import how_given

LATER = Later()

Meant = str | SkillSpec | Skill[Any, Any]
"""A skill by its name or path or a task in free words, as a value, or as a job's class has it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a caller gives beside the skill; see `Metier.arun`."""

    input: Any = None
    files: Sequence[str | os.PathLike[str]] = ()
    offered: Sequence[SkillSpec] | None = None
    unpriced: bool = False


def assign(
    house: House,
    task: str,
    skill: Meant,
    asked: Asked,
    *,
    approver: Approver = LATER,
    hear: Callable[[str], None] | None = None,
) -> Assignment:
    """What a new task is given. Raises what `Metier.arun` does."""
    meant = spec_of(skill, rows=house.rows) if isinstance(skill, Skill) else skill
    given = input_json(skill, asked.input, house.rows) if isinstance(skill, Skill) else asked.input
    spec, known = _skill(house, meant, asked.offered)
    settings = house.settings
    model = {"name": settings.model, "origin": settings.origins.get("model", "")}
    return Assignment(
        task=task,
        skill=spec,
        offered=known,
        given=take_in(spec.job or Job(), given, [os.fspath(file) for file in asked.files]),
        giver=house.user,
        model=house.chosen(spec),
        permits=house.permits,
        approver=approver,
        budget=house.budget(spec),
        durability=settings.durability,
        priced=house.priced,
        hear=hear,
        unpriced=asked.unpriced,
        spending=house.spending,
        how=how_given(spec, known, model=model, permits=house.permits_told, unpriced=asked.unpriced),
    )


def _skill(
    house: House, skill: str | SkillSpec, offered: Sequence[SkillSpec] | None
) -> tuple[SkillSpec, Sequence[SkillSpec]]:
    """The skill that is meant, and the skills that the model is told of."""
    if isinstance(skill, str) and " " in skill:
        known = [with_files(one) for one in catalogue_of(house.settings).skills] if offered is None else offered
        return free_task(skill), sorted(known, key=lambda one: one.name)
    if isinstance(skill, str):
        spec = house.find(skill)
    else:
        house.declare(spec := skill)
    if offered is not None:
        return spec, offered
    return spec, [spec] if spec.guide is not None else []
