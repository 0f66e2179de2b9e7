"""Is a skill seen behind a mark of byte order?"""

from pathlib import Path

from ..case import Case, Happened
from ..reading import BOM, discovered, loaded, names, outcome_of, told, validated

EXPECTED = {
    "skills": ["bom-first"],
    "told": [],
    "check": ["note encoding.bom bom-first/SKILL.md:1"],
    "marks": [0, 0, 0],
    "second mark": ("ok", 0, 1),
}


def happens(case: Case, folder: Path) -> Happened:
    """Discover, load and check the skill; then one with a second mark, which is text."""
    root = case.laid_out(folder) / "in"
    found = discovered(root)
    body = loaded(root, "bom-first")
    facts = {
        "skills": names(found),
        "told": told(found.problems),
        "check": validated(root / "bom-first"),
        "marks": [text.count(BOM) for text in (*names(found), found.skills[0].description, body)],
        "second mark": _second(folder / "other" / "bom-first"),
    }
    return Happened(outcome_of(found.problems), facts=facts)


def _second(skill: Path) -> tuple[str, int, int]:
    """A skill that begins with one mark and holds another in its body: only the first is dropped."""
    skill.mkdir(parents=True)
    text = f"{BOM}---\nname: bom-first\ndescription: Twice.\n---\n{BOM}body\n"
    (skill / "SKILL.md").write_text(text, encoding="utf-8")
    found = discovered(skill.parent)
    body = loaded(skill.parent, "bom-first")
    return outcome_of(found.problems), names(found)[0].count(BOM), body.count(BOM)
