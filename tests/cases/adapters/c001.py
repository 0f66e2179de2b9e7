"""Does a colon in a description cost the skill?"""

from pathlib import Path

from metier.skills.check import check_skill

from ..case import Case, Happened
from ..reading import codes, discovered, names, outcome_of, told, validated

EXPECTED = {
    "check": ["error frontmatter.yaml release-notes/SKILL.md:3"],
    "cure": 'quote the value: description: "Write the notes: what changed, who is affected"',
    "told": ["warning frontmatter.repaired release-notes/SKILL.md:3"],
    "description": "Write the notes: what changed, who is affected",
}


def happens(case: Case, folder: Path) -> Happened:
    """Check the skill, then discover it with its plain neighbour."""
    root = case.laid_out(folder) / "in" / "skills"
    found = discovered(root)
    (problem,) = check_skill(str(root / "release-notes"))
    facts = {
        "check": validated(root / "release-notes"),
        "cure": problem.cure,
        "told": told(found.problems),
        "description": found.find("release-notes").description,
    }
    values = {"skills": names(found), "warnings": codes(found, "warning")}
    return Happened(outcome_of(found.problems), values, facts)
