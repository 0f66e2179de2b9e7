"""Is one name in two forms of Unicode one name?"""

import shutil
import unicodedata
from pathlib import Path

from ..case import Case, Happened
from ..reading import discovered, names, outcome_of, told

NAME = "größe"
EXPECTED = {
    "stored": [unicodedata.normalize("NFD", NAME)],
    "skills": [unicodedata.normalize("NFC", NAME)],
    "told": [],
    "found by either form": True,
    "both": ([NAME], ["name.clash"]),
}


def happens(case: Case, folder: Path) -> Happened:
    """Discover the skill; then two of them whose folders differ only in form."""
    root = case.laid_out(folder) / "in"
    found = discovered(root)
    decomposed = root / unicodedata.normalize("NFD", NAME)
    facts = {
        "stored": [path.name for path in root.iterdir() if path.is_dir()],
        "skills": names(found),
        "told": told(found.problems),
        "found by either form": found.find(NAME) is found.find(decomposed.name),
    }
    shutil.copytree(decomposed, root / NAME)
    both = discovered(root)
    return Happened(
        outcome_of(found.problems), facts={**facts, "both": (names(both), [one.code for one in both.problems])}
    )
