"""What runs a script, and what happens where nothing is known to?"""

from pathlib import Path

from metier.actions.scripts.interpreter import KNOWN_EXTENSIONS
from metier.domain.bounds import StopWhen
from metier.domain.skill import Job
from metier.testing import Says

from ..case import Case, Happened
from ..playing import Player, runs

EXPECTED = {
    "executable": False,
    "answer": "hello\n",
    "exit": 0,
    "code": "script.no_runner",
    "named": list(KNOWN_EXTENSIONS),
    "started": False,
}


def happens(case: Case, folder: Path) -> Happened:
    """Run both scripts in one task; the execute bit is taken away first."""
    skill = case.laid_out(folder) / "in" / "runner"
    (skill / "scripts" / "hello.py").chmod(0o644)
    steps = [runs("runner", "scripts/hello.py"), runs("runner", "scripts/tool.xyz"), Says.text("done")]
    played = Player(folder).play(steps, job=Job(stop=StopWhen(stuck_after=5)), skill=str(skill))
    ran, refused = played.of("ToolReturned")
    answer = played.answers[1].text
    facts = {
        "executable": bool((skill / "scripts" / "hello.py").stat().st_mode & 0o111),
        "answer": played.answers[0].text,
        "exit": ran.facts["exit"],
        "code": refused.facts["code"],
        "named": [one for one in KNOWN_EXTENSIONS if one in answer],
        # A process that was started has an exit code or was cut; there is neither.
        "started": "exit" in refused.facts,
    }
    return Happened(played.outcome, facts=facts)
