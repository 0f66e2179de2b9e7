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
    nth: int = 1
    """Which try of the task this is (O20)."""
    halt: Callable[[], RunEnd | None] | None = None
    """How this run must end before the next model call: its worker leaves, or its agent was paused or stopped."""

    def try_again(self, nth: int) -> None:
        """Begin another try: the conversation from its first message, and every count anew, but for the money (O20)."""
        first, *_ = self.talk.messages
        self.talk = Talk(system=self.talk.system, tools=self.talk.tools)
        self.talk.tell(first.text)
        self.bounds = Bounds(self.bounds.stop, self.bounds.meter)
        self.nth, self.tried = nth, 0
        self.best = self.must_call = self.pending = None
        self.helped = self.told_last = False
