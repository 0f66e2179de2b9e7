"""What can be seen from outside of a process that is killed: its effects, its events and what its model was sent.

A world is a folder. Whoever changes something in it tells so before and after, and is killed where the world says so.
"""

import json
import os
import shutil
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SKILL = "---\nname: kill\ndescription: Puts and sends.\n---\nDo as you are told.\n"
TOML = '[job]\nhands_back = "gives.json"\ncheck = "scripts/check.sh"\nbudget = "0.50"\n[job.stop]\nstuck_after = 9\n'
GIVES = '{"type": "object", "properties": {"total": {"type": "integer"}}, "required": ["total"]}'
TELLS = """\
world="$(dirname "$0")/../../.."
event() {
  echo "$1" >> "$world/events"
  if [ -f "$world/kill" ] && [ "$(grep -c "" "$world/events")" = "$(cat "$world/kill")" ]; then
    kill -9 "$(cat "$world/victim")"
  fi
}
acts() {
  event "$1 begins"
  [ -f "$world/linger" ] && sleep 30
  echo "$METIER_KEY $1" >> "$world/effects"
  event "$1 ends"
}
"""
GO = f'{TELLS}acts go\necho "it ran"\n'
CHECK = f"""\
{TELLS}acts check
if grep -q '"total": 6' result.json; then
  echo '{{"accepted": true}}'
else
  echo '{{"accepted": false, "reason": "The total is 6."}}'
fi
"""
FILES = {
    "SKILL.md": SKILL,
    "skill.toml": TOML,
    "gives.json": GIVES,
    "scripts/go.sh": GO,
    "scripts/check.sh": CHECK,
    "references/notes.md": "Every put counts.\n",
}


@dataclass(frozen=True, slots=True)
class World:
    """One folder with a skill, a record, and the traces of what was done."""

    folder: Path

    @property
    def record(self) -> Path:
        """Where its record lies."""
        return self.folder / "record.sqlite"

    @property
    def skills(self) -> Path:
        """The folder of its skill."""
        return self.folder / "skills"

    @property
    def events(self) -> list[str]:
        """All that was told, in its order."""
        return self._lines("events")

    @property
    def effects(self) -> list[tuple[str, str]]:
        """What was done, by the key of the call and the name of the effect."""
        found = [line.partition(" ") for line in self._lines("effects")]
        return [(key, name) for key, _, name in found]

    @property
    def requests(self) -> list[Any]:
        """What the model was sent, request by request."""
        return [json.loads(line) for line in self._lines("requests")]

    def make(self, *, kill_at_event: int = 0) -> None:
        """Lay out the skill, and the event at which the process that works here is killed, if there is one."""
        for name, text in FILES.items():
            path = self.skills / "kill" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if kill_at_event:
            (self.folder / "kill").write_text(str(kill_at_event), encoding="utf-8")

    def enter(self) -> None:
        """Be the process that is killed."""
        (self.folder / "victim").write_text(str(os.getpid()), encoding="utf-8")
        (self.folder / "temporary").mkdir(exist_ok=True)

    def spare(self) -> None:
        """Kill nobody any more."""
        (self.folder / "kill").unlink(missing_ok=True)

    def remove(self) -> None:
        """Leave nothing of it."""
        shutil.rmtree(self.folder)

    def event(self, name: str) -> None:
        """Tell an event, and die of it if it is the one."""
        self._add("events", name)
        kill = self.folder / "kill"
        if kill.exists() and len(self.events) == int(kill.read_text(encoding="utf-8")):
            die()

    def act(self, key: str, name: str) -> None:
        """Have one effect."""
        self.event(f"{name} begins")
        self._add("effects", f"{key} {name}")
        self.event(f"{name} ends")

    def asked(self, request: Sequence[Any]) -> None:
        """Keep what the model was sent."""
        self._add("requests", json.dumps(request, ensure_ascii=False))

    def _add(self, name: str, line: str) -> None:
        with open(self.folder / name, "a", encoding="utf-8") as file:
            file.write(f"{line}\n")

    def _lines(self, name: str) -> list[str]:
        path = self.folder / name
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def die() -> None:
    """End this process as a power switch would."""
    os.kill(os.getpid(), signal.SIGKILL)
