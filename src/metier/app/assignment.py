"""What does one task hold before it is worked on?"""

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..domain.money import Dollars
from ..domain.ports import Approver, Model
from ..domain.skill import Job, SkillSpec
from ..gate.permits import Permits
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

    @property
    def job(self) -> Job:
        """The skill's job; any guide is one of text to words."""
        return self.skill.job or Job()


class Folders:
    """A task's folders: what it was given, kept apart, and the scratch folder that scripts work in. Both go at the end."""

    def __init__(self) -> None:
        self._root = ""

    @property
    def given(self) -> str:
        """Where the copies of the given files are kept."""
        return self._folder("given")

    @property
    def scratch(self) -> str:
        """Where scripts run."""
        return self._folder("scratch")

    def remove(self) -> None:
        """Remove both with all that is in them."""
        if self._root:
            shutil.rmtree(self._root, ignore_errors=True)

    def _folder(self, name: str) -> str:
        # Made at the first use: most tasks without files and scripts need none.
        if not self._root:
            self._root = tempfile.mkdtemp(prefix="metier-")
        path = os.path.join(self._root, name)
        os.makedirs(path, mode=0o700, exist_ok=True)
        return path
