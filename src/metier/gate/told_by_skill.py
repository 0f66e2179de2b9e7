"""What does a task's own skill tell of a call that is proposed (O18, O19)?"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..domain.ports import TaskLog


@dataclass(frozen=True, slots=True)
class ToldBySkill:
    """The skill's own words: what its world is just now, and what a call touches. Both are code of the app."""

    version_of: Callable[[], str] | None = None
    names: Callable[[str, Mapping[str, Any]], str] | None = None

    async def version(self, log: TaskLog) -> str | None:
        """A token of the world; empty where the skill tells none, and none where it failed to: that is on the record."""
        if self.version_of is None:
            return ""
        try:
            return _text(await asyncio.to_thread(self.version_of))
        except Exception as error:  # noqa: BLE001 - the app's own code may raise what it likes; no yes is carried out then
            log.note("Fault", {"where": "version_of", "code": ""}, {"error": f"{type(error).__name__}: {error}"})
            return None

    async def words(self, log: TaskLog, action: str, arguments: Mapping[str, Any]) -> str:
        """The rows that a call touches; empty where the skill does not tell."""
        if self.names is None:
            return ""
        try:
            return _text(await asyncio.to_thread(self.names, action, arguments))
        except Exception as error:  # noqa: BLE001 - as above; whoever is asked sees the arguments all the same
            log.note("Fault", {"where": "names", "code": ""}, {"error": f"{type(error).__name__}: {error}"})
            return ""


def _text(told: object) -> str:
    """What was told, if it is a text. Another value may not read the same twice, so it tells nothing."""
    if not isinstance(told, str):
        raise TypeError(f"it answered a {type(told).__name__}, which is no text")
    return told


NOTHING = ToldBySkill()
