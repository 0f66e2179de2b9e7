"""Is anything guessed of a file that is not UTF-8?"""

from pathlib import Path

from ..case import Case, Happened
from ..reading import codes, discovered, names, outcome_of

EXPECTED = {
    "offsets": {"latin/SKILL.md": 32, "wide/SKILL.md": 0},
    "cures": {"latin/SKILL.md": "save it as UTF-8", "wide/SKILL.md": "it looks like UTF-16; save it as UTF-8"},
    "replaced": False,
}


def happens(case: Case, folder: Path) -> Happened:
    """Discover both."""
    found = discovered(case.laid_out(folder) / "in")
    facts = {
        "offsets": {one.file: int(one.cause.rpartition(" ")[2]) for one in found.problems},
        "cures": {one.file: one.cure for one in found.problems},
        "replaced": any("\ufffd" in str(one) for one in (*found.problems, *found.skills)),
    }
    return Happened(outcome_of(found.problems), {"skills": names(found), "errors": codes(found, "error")}, facts)
