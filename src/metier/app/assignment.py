"""What does one task hold before it is worked on?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..domain.money import Dollars
from ..domain.permits import Permits
from ..domain.ports import Approver, Model
from ..domain.skill import Job, SkillSpec
from .agency import Agency, Parent
from .choosing import CodeModel
from .giving import Given


@dataclass(frozen=True, slots=True)
class Assignment:
    """Everything that a task is given: the job, its input, for whom, and with what."""

    task: str
    skill: SkillSpec
    offered: Sequence[SkillSpec]
    """The skills that the model is told of."""
    given: Given
    giver: str
    model: Model | CodeModel
    permits: Permits
    approver: Approver
    budget: Dollars | None
    durability: str
    priced: Callable[[Model], Model]
    """Gives the model the price that was set for it, if one was."""
    hear: Callable[[str], None] | None = None
    """Is told the model's text as it comes."""
    unpriced: bool = False
    """Whether a model without a known price may run."""
    spending: Callable[[], bool] | None = None
    """Whether models may be called just now; none: they may."""
    how: Mapping[str, Any] | None = None
    """How it was given, in plain JSON, from which another process can make this assignment anew."""
    agency: Agency | None = None
    """The agent that does it, and for whom; none: it is no agent's work."""
    parent: Parent | None = None
    """The task whose call handed this work on; none for work that a person gave."""
    leave: Callable[[], bool] | None = None
    """Whether its worker leaves: then the run ends at its next step, and another goes on."""

    @property
    def job(self) -> Job:
        """The skill's job; any guide is one of text to words."""
        return self.skill.job or Job()
