"""Can a link inside a skill be made to show a file from elsewhere?

differs = "in a listing every link below a skill is `resource.link`, wherever it leads, and none is followed; a read of a name
that was never listed is `resource.missing`, and a listed file that has become a link is `resource.outside`"
"""

import os
from pathlib import Path
from typing import Any

from metier.domain.action import Miss
from metier.domain.bounds import StopWhen
from metier.domain.message import Request
from metier.domain.skill import Job
from metier.skills.inside import read_inside
from metier.testing import Says

from ..case import Case, Happened
from ..playing import Player
from ..reading import discovered, listed, told

SECRET = "SECRET-LINE"
LINKS = ("references/keys.md", "deep/keys.md")
EXPECTED = {
    "listed": ["references/ok.md"],
    "told": ["warning resource.link guide/deep", "warning resource.link guide/references/keys.md"],
    "asked": ["resource.missing", "resource.missing"],
    "opened": ["resource.outside", "resource.outside"],
    "swapped": "resource.outside",
    "shown": False,
}


def happens(case: Case, folder: Path) -> Happened:
    """List, ask for both links by a model, open both, and swap the listed file for a link after it was listed."""
    skill = case.laid_out(folder) / "in" / "guide"
    seen: list[str] = []
    job = Job(stop=StopWhen(stuck_after=5))

    def swaps(request: Request) -> None:
        seen.append(str(request.messages))
        if len(seen) == len(LINKS) + 1:
            (skill / "references" / "ok.md").unlink()
            os.symlink("../../private/keys.md", skill / "references" / "ok.md")

    steps = [_reads(name) for name in (*LINKS, "references/ok.md")]
    found = listed(skill.parent, "guide")
    played = Player(folder, looks=swaps).play([*steps, Says.text("done")], job=job, skill=str(skill))
    facts: dict[str, Any] = {
        "listed": [file.name for file in found.guide.files] if found.guide else None,
        "told": sorted(told(found.problems)),
        "asked": [entry.facts["code"] for entry in played.of("Refused")],
        "opened": [_opened(skill, name) for name in LINKS],
        "swapped": played.of("ToolReturned")[-1].facts["code"],
        "shown": SECRET in "".join([*seen, *map(str, played.entries), str(discovered(skill))]),
    }
    denied = played.receipt.calls.done == 0 and not facts["shown"]
    return Happened("deny" if denied else "ok", facts=facts)


def _reads(name: str) -> Says:
    return Says.tool("read_skill_resource", {"skill_name": "guide", "resource_name": name})


def _opened(skill: Path, name: str) -> str:
    read = read_inside(str(skill), name)
    return read.code if isinstance(read, Miss) else "read"
