"""Does a link back to the root end the search?"""

import os
from pathlib import Path
from typing import Any

from ..case import Case, Happened
from ..reading import discovered, names, outcome_of, told

EXPECTED = {
    "skills": ["once"],
    "told": ["note link.cycle group"],
    "with more links": (["once"], ["note link.cycle"] * 4),
}


def happens(case: Case, folder: Path) -> Happened:
    """Discover the root; then with more links to it and to the skill, some of them through a folder elsewhere."""
    root = case.laid_out(folder) / "in" / "skills"
    found = discovered(root)
    facts: dict[str, Any] = {"skills": names(found), "told": told(found.problems, root)}
    for number in range(3):
        os.symlink(root, root / f"circle{number}")
        os.symlink("once", root / f"more{number}")
    elsewhere = root.parent / "elsewhere"
    elsewhere.mkdir()
    os.symlink(root, elsewhere / "back")
    os.symlink(elsewhere, root / "out")
    more = discovered(root)
    facts["with more links"] = names(more), [f"{one.level} {one.code}" for one in more.problems]
    return Happened(outcome_of(found.problems), facts=facts)
