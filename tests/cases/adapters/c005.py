"""Is anything invented where a description goes on at column 0?"""

from pathlib import Path

from ..case import Case, Happened
from ..reading import codes, discovered, names, outcome_of, told, validated

EXPECTED = {
    "told": ["error frontmatter.yaml remote-shell/SKILL.md:4"],
    "check": ["error frontmatter.yaml remote-shell/SKILL.md:4"],
    "heading": False,
}


def happens(case: Case, folder: Path) -> Happened:
    """Discover and check the skill."""
    root = case.laid_out(folder) / "in"
    found = discovered(root)
    facts = {
        "told": told(found.problems),
        "check": validated(root / "remote-shell"),
        "heading": any("Available tools" in str(one) for one in (*found.problems, *found.skills)),
    }
    return Happened(outcome_of(found.problems), {"skills": names(found), "errors": codes(found, "error")}, facts)
