"""Does a script that reads its input come to an end?"""

import asyncio
import sys
from pathlib import Path

from metier.actions.scripts.run import run_script
from metier.domain.skill import Job
from metier.testing import Says

from ..case import Case, Happened
from ..playing import Player, runs

MAX_SECONDS = 20
EXPECTED = {
    "answer": "read 0 characters\n",
    "exit": 0,
    "within": True,
    "given": "read 5 characters\n",
}


def happens(case: Case, folder: Path) -> Happened:
    """Run the script in a task, where nobody writes to it; then run it with text."""
    steps = [runs("asks", "scripts/asks.py"), Says.text("done")]
    played = Player(folder).play(steps, job=Job(), skill=case.skill("asks"))
    (ended,) = played.of("ToolReturned")
    facts = {
        "answer": played.answers[0].text,
        "exit": ended.facts["exit"],
        # A script that waited for its input would have been ended at its limit, far above this.
        "within": ended.facts["seconds"] < MAX_SECONDS,
        "given": _given("hello", Path(case.skill("asks")), folder),
    }
    return Happened(played.outcome, facts=facts)


def _given(text: str, skill: Path, folder: Path) -> str:
    command = [sys.executable, str(skill / "scripts" / "asks.py")]
    ended = asyncio.run(run_script(command, scratch=str(folder), outputs=str(folder / "outputs"), stdin=text))
    assert ended.exit == 0
    return Path(ended.stdout.path).read_text(encoding="utf-8")
