"""Does a broken field that is not ours cost the skill?"""

from pathlib import Path

from ..case import Case, Happened
from ..reading import discovered, names, outcome_of, told, validated

EXPECTED = {
    "skills": ["finder"],
    "told": ["warning frontmatter.repaired finder/SKILL.md:4"],
    "check": ["error frontmatter.yaml finder/SKILL.md:4", "note frontmatter.unknown finder/SKILL.md:4"],
    "as written": "[path] - where to look",
}


def happens(case: Case, folder: Path) -> Happened:
    """Discover and check the skill."""
    root = case.laid_out(folder) / "in"
    found = discovered(root)
    guide = found.find("finder").guide
    facts = {
        "skills": names(found),
        "told": told(found.problems),
        "check": validated(root / "finder"),
        "as written": guide.frontmatter.other["argument-hint"] if guide else None,
    }
    return Happened(outcome_of(found.problems), facts=facts)
