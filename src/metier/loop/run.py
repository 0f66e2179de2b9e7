"""What does one stretch of work hold?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..domain.action import Action
from ..domain.message import ModelMessage
from ..domain.ports import Model, TaskLog
from ..domain.task import RunEnd
from ..gate.bounds import Bounds
from ..gate.path import Path
from .talk import Talk


@dataclass(slots=True)
class Run:
    """One run of a task: what it works with, and the little that changes as it goes."""

    model: Model
    talk: Talk
    path: Path
    bounds: Bounds
    log: TaskLog
    actions: Mapping[str, Action]
    typed: bool
    """Whether the job ends by `hand_back`; if not, by words."""
    best: Any = None
    """The last result that fitted the schema, accepted or not."""
    hear: Callable[[str], None] | None = None
    """Is told each piece of the model's text as it comes; none: nobody listens, and answers come whole."""
    must_call: str | None = None
    """The tool that the next answer must call, where the model can be made to."""
    pending: ModelMessage | None = None
    """The model's last answer, where an earlier run was cut before it had dealt with it."""
    tried: int = 0
    """How often an earlier run sent the request that comes next, without an answer."""
    helped: bool = False
    """Whether somebody was asked for help; that is done once."""
    told_last: bool = False
    """Whether the model was told that its last turn has come."""
    halt: Callable[[], RunEnd | None] | None = None
    """How this run must end before the next model call: its worker leaves, or its agent was paused or stopped."""
