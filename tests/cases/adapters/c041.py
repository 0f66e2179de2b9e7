"""Does a child that a script leaves behind hold anybody up, or live on?"""

import os
from pathlib import Path

from metier.domain.message import Request, ToolMessage
from metier.domain.skill import Job
from metier.testing import Says

from ..case import Case, Happened
from ..playing import Player, runs

GIVEN = "here-the-script-runs.txt"
"""A file of the task: a process in whose folder it lies is one of the script's."""
EXPECTED = {
    "answer": "started\n[metier ended 1 process that the script had left running]",
    "exit": 0,
    "left.children": 1,
    "alive": [[], []],
}


def happens(case: Case, folder: Path) -> Happened:
    """Run the script, and look for its processes when the model is asked again."""
    given = folder / GIVEN
    given.write_text("", encoding="utf-8")
    alive: list[list[str]] = []
    player = Player(folder, files=[str(given)], looks=lambda request: alive.append(_processes(request)))
    steps = [runs("spawns", "scripts/spawns.py"), Says.text("done")]
    played = player.play(steps, job=Job(), skill=case.skill("spawns"))
    (ended,) = played.of("ToolReturned")
    facts = {
        "answer": played.answers[0].text,
        "exit": ended.facts["exit"],
        "left.children": ended.facts["left"],
        "alive": alive,
    }
    return Happened(played.outcome, facts=facts)


def _processes(request: Request) -> list[str]:
    """The processes that run where the task's file lies."""
    found = [pid for pid in os.listdir("/proc") if pid.isdecimal() and os.path.exists(f"/proc/{pid}/cwd/{GIVEN}")]
    asked_again = any(isinstance(message, ToolMessage) for message in request.messages)
    return found if asked_again else []
