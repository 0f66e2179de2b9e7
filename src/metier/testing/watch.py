"""Which scripts and stubs are a test's own?

Those that were made in it and in its fixtures, but for fixtures that live on for other tests.
"""

from collections.abc import Generator
from contextlib import contextmanager

from ..models.scripted import STUBS
from .script import WATCHED, AgentScript


class Watch:
    """Looks, from its making to its end, at the scripts that are made and the stubs that are put in place."""

    def __init__(self) -> None:
        self.scripts: list[AgentScript] = []
        self._others = list(STUBS)
        WATCHED.append(self.scripts)

    @contextmanager
    def aside(self) -> Generator[None]:
        """What is made in this block is not the test's own."""
        scripts, stubs = len(self.scripts), list(STUBS)
        yield
        del self.scripts[scripts:]
        self._others.extend(stub for stub in STUBS if stub not in stubs)

    def faults(self) -> list[str]:
        """What is wrong with the test's use of its scripts, in words (O116)."""
        asked_past = [told for script in self.scripts for told in script.asked_past[:1]]
        unused = [step for script in self.scripts for step in script.unused]
        return [*asked_past, *([f"the script was not used up: {'; '.join(unused)}"] if unused else [])]

    def end(self) -> None:
        """Look no longer, and take the test's own stubs away."""
        WATCHED[:] = [scripts for scripts in WATCHED if scripts is not self.scripts]
        STUBS[:] = [stub for stub in STUBS if stub in self._others]
