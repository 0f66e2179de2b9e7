"""Are dashes in a value or in the body taken for a fence?"""

from pathlib import Path

from ..case import Case, Happened
from ..reading import discovered, loaded, outcome_of, validated

EXPECTED = {
    "description": "Cut a text at --- marks and at ---- rules",
    "license": "MIT",
    "rules": 2,
    "last": True,
    "check": [],
    "fence with blanks": "Closed.",
}


def happens(case: Case, folder: Path) -> Happened:
    """Discover, load and check the skill; then one whose closing fence has blanks after it."""
    root = case.laid_out(folder) / "in"
    found = discovered(root)
    skill = found.find("divider")
    assert skill.guide is not None
    body = loaded(root, "divider").split("---\n", 2)[2]
    facts = {
        "description": skill.description,
        "license": skill.guide.frontmatter.license,
        "rules": body.split("\n").count("---"),
        "last": "\nend of body\n" in body,
        "check": validated(root / "divider"),
        "fence with blanks": _with_blanks(folder / "other" / "closed"),
    }
    return Happened(outcome_of(found.problems), facts=facts)


def _with_blanks(skill: Path) -> str:
    skill.mkdir(parents=True)
    text = "---\nname: closed\ndescription: Closed.\n--- \t\nlicense: no field any more\n"
    (skill / "SKILL.md").write_text(text, encoding="utf-8")
    found = discovered(skill.parent).find("closed")
    assert found.guide is not None
    assert found.guide.frontmatter.license is None
    return found.description
