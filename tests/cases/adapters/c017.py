"""Is a skill found whose file is spelt in lower case?

differs = "our code is `name.case`, which stands beside `name.form` and `name.directory`"
"""

from pathlib import Path

from metier.skills.check import check_skill

from ..case import Case, Happened
from ..reading import codes, discovered, names, outcome_of, validated

OURS = {"name.case": "file.case"}
EXPECTED = {"cure": "call it SKILL.md", "check": ["error name.case quiet/skill.md"], "check's cure": "call it SKILL.md"}


def happens(case: Case, folder: Path) -> Happened:
    """Discover and check it. The folder is listed and stored names are compared, so no disk can hide it."""
    root = case.laid_out(folder) / "in"
    found = discovered(root)
    (warning,) = found.problems
    (error,) = check_skill(str(root / "quiet"))
    facts = {"cure": warning.cure, "check": validated(root / "quiet"), "check's cure": error.cure}
    values = {"skills": names(found), "warnings": [OURS[code] for code in codes(found, "warning")]}
    return Happened(outcome_of(found.problems), values, facts)
