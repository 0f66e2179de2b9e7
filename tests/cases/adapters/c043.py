"""What becomes of an output of fifty megabytes?"""

import re
from pathlib import Path

from metier.domain.message import Request
from metier.domain.skill import Job
from metier.record import open_record
from metier.testing import Says

from ..case import Case, Happened
from ..playing import RECORD, Player, runs

LONGEST = 16_000
MEMORY = 50 * 10**6
LEFT_OUT = re.compile(
    r"\[metier left out (\d+) of (\d+) bytes of stdout; content sha256:([0-9a-f]{64}) holds all of it\]"
)
EXPECTED = {
    "exit": 0,
    "fits": True,
    "first": "first line",
    "last": "last line",
    "told": True,
    "kept_is_named": True,
    "kept_whole": 50_000_071,
    "record_is_small": True,
    "memory_stays": True,
}


def happens(case: Case, folder: Path) -> Happened:
    """Run the script, with an eye on this process's memory."""
    peaks: list[int] = []
    player = Player(folder, looks=lambda request: peaks.append(_peak(request)))
    steps = [runs("loud", "scripts/loud.py"), Says.text("done")]
    played = player.play(steps, job=Job(), skill=case.skill("loud"))
    (ended,) = played.of("ToolReturned")
    text, stdout = played.answers[0].text, ended.facts["stdout"]
    cut = LEFT_OUT.search(text)
    assert cut is not None
    with open_record(str(folder / RECORD)) as record:
        kept = Path(record.content_path(cut[3])).stat().st_size
    facts = {
        "exit": ended.facts["exit"],
        "fits": len(text) <= LONGEST,
        "first": text.splitlines()[0],
        "last": text.splitlines()[-1],
        "told": int(cut[1]) == stdout["length"] - (len(text) - len(cut[0]) - 2) and int(cut[2]) == stdout["length"],
        "kept_is_named": cut[3] == stdout["digest"],
        "kept_whole": kept,
        "record_is_small": sum(path.stat().st_size for path in folder.glob(f"{RECORD}*") if path.is_file()) < 10**6,
        "memory_stays": peaks[1] - peaks[0] < MEMORY,
    }
    return Happened(played.outcome, {"bytes": stdout["length"]}, facts)


def _peak(_: Request) -> int:
    """The most bytes that this process has held since it was last asked."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None
    # 5 sets the peak back to what is held now.
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return int(found[1]) * 1024
