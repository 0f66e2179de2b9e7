"""What do the four calls of case 010 give in the locale of this process? Its answer is JSON in ASCII.

python -m tests.cases.in_locale SKILL FOLDER
"""

import json
import locale
import sys
from pathlib import Path

from metier.domain.skill import Job
from metier.testing import Says

from .playing import Player, runs
from .reading import discovered, names, told, validated


def main(skill: Path, folder: Path) -> None:
    """Discover and check the skill, then load it, read its resource and run its script in one task."""
    found = discovered(skill.parent)
    name = {"skill_name": skill.name}
    steps = [
        Says.tool("load_skill", name),
        Says.tool("read_skill_resource", {**name, "resource_name": "references/zeichen.md"}),
        runs(skill.name, "scripts/say.py"),
        Says.text("done"),
    ]
    played = Player(folder).play(steps, job=Job(), skill=str(skill))
    facts = {
        "encoding": locale.getencoding(),
        "utf8_mode": sys.flags.utf8_mode,
        "check": validated(skill),
        "names": names(found),
        "told": told(found.problems),
        "description": found.find(skill.name).description,
        "answers": [one.text for one in played.answers],
        "done": played.receipt.done,
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
